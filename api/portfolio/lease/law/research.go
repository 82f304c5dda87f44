package law

import "strings"

// ResearchWarnings say in sentences what the table does not know of the state, and where alone its
// rules hold. That a state has no days of grace is not told of: the table claims nothing there.
func (r *Rules) ResearchWarnings() (all []string) {
	var unseen []string
	for _, t := range r.Unverified {
		if t == Grace && r.GraceDays == 0 {
			continue
		}
		words := topicWords[t]
		if t == Disclosures && r.partly {
			words = "some of the disclosures"
		}
		unseen = append(unseen, words)
	}
	if len(unseen) > 0 {
		all = append(
			all,
			"No source was seen for these rules of "+r.NameInSentence()+": "+listed(unseen)+
				". Make sure of them before you rely on them.",
		)
	}
	if r.onlyIn != "" {
		all = append(all, "Most of these rules hold only "+r.onlyIn+". Make sure that the home is in one.")
	}
	return all
}

// topicWords are the topics as they stand within a sentence.
var topicWords = map[Topic]string{
	DepositCap:      "the limit of the deposit",
	DepositReturn:   "the return of the deposit",
	DepositInterest: "interest on the deposit",
	LateFees:        "the late fee",
	Grace:           "the days of grace",
	Entry:           "the notice to enter the home",
	Nonpayment:      "the notice to pay or leave",
	MonthToMonth:    "the notice that ends a month-to-month lease",
	Disclosures:     "the disclosures",
}

// listed is a list within a sentence: a, b and c.
func listed(all []string) string {
	if len(all) < 2 {
		return strings.Join(all, "")
	}
	return strings.Join(all[:len(all)-1], ", ") + " and " + all[len(all)-1]
}

package portfoliostore_test

import (
	"slices"
	"strings"
	"unicode"

	"portal/api/portfolio"
)

// searches ask for a word that most rows have, one that few have, the beginnings of both and
// of what no row has.
func searches(rows []any) (all []condition) {
	count := map[string]int{}
	for _, row := range rows {
		for _, word := range wordsOf(row) {
			count[word]++
		}
	}
	var words []string
	for word := range count {
		words = append(words, word)
	}
	slices.SortFunc(words, func(a, b string) int { return 2*(count[b]-count[a]) + strings.Compare(a, b) })
	common, rare := words[0], words[len(words)-1]
	for _, search := range []string{
		common, rare, common[:1], common[:1] + " " + strings.ToUpper(rare), "absent " + common,
	} {
		all = append(all, condition{"Search", search, func(record any) bool { return isAbout(record, search) }})
	}
	return all
}

// isAbout reports whether each word of a search begins a word of a record.
func isAbout(record any, search string) bool {
	has := wordsOf(record)
	return !slices.ContainsFunc(wordsIn(search), func(asked string) bool {
		return !slices.ContainsFunc(has, func(word string) bool { return strings.HasPrefix(word, asked) })
	})
}

// wordsOf are the words of what a search looks at, of letters without accents.
func wordsOf(record any) (words []string) {
	switch r := record.(type) {
	case *portfolio.Ticket:
		words = wordsIn(r.Title)
	case *portfolio.Property:
		words = wordsIn(
			r.StreetAddress,
			r.City,
			string(r.State),
			text(r.Name),
			text(r.StreetAddress2),
			text(r.PostalCode),
		)
	case *portfolio.Tenant:
		words = wordsIn(r.FirstName, r.LastName, text(r.Email), text(r.AlternateEmail))
		if m := r.MailingAddress; m != nil {
			words = append(words, wordsIn(
				m.StreetAddress,
				m.City,
				string(m.State),
				text(m.StreetAddress2),
				text(m.PostalCode),
			)...)
		}
		for _, phone := range []*string{r.Phone, r.AlternatePhone} {
			words = append(words, ends(text(phone))...)
		}
	}
	slices.Sort(words)
	return slices.Compact(words)
}

func wordsIn(texts ...string) []string {
	return strings.FieldsFunc(strings.ToLower(strings.Join(texts, " ")), func(r rune) bool {
		return !unicode.IsLetter(r) && !unicode.IsDigit(r)
	})
}

// ends are a number of North America from its country code, area code, exchange and line on.
func ends(phone string) (all []string) {
	for _, at := range []int{1, 2, 5, 8} {
		if len(phone) == 12 {
			all = append(all, phone[at:])
		}
	}
	return all
}

func text(s *string) string {
	if s == nil {
		return ""
	}
	return *s
}

package document

import (
	"strconv"
	"strings"

	"portal/api/clock"
	"portal/api/portfolio"
	"portal/api/portfolio/leaserules"
)

// Terms are what a document is composed of.
type Terms struct {
	Lease    *portfolio.Lease
	Property *portfolio.Property
	Unit     *portfolio.Unit
	Landlord Landlord
	Emails   []string   // of the parties, in the order of Lease.Tenants; "" for none
	Day      clock.Date // on which the document is made
}

// Landlord is the party that lets the home.
type Landlord struct {
	Name    string // of the person or company that owns or manages the home
	Address string // for notices, in one line; "" where it is not known
	Email   string
	Phone   string // "" for none
	Signer  string // who signs for it
	Title   string // of who signs, such as Owner
}

// leadYear is the year of construction from which no lead-paint addendum is needed.
const leadYear = 1978

// mayHoldLead tells whether the home may have been built before 1978.
func (t *Terms) mayHoldLead() bool {
	return t.Property.YearBuilt == nil || *t.Property.YearBuilt < leadYear
}

// Disclosures are those that the document names, each with why it does.
func (t *Terms) Disclosures() (all []Disclosure) {
	for _, d := range leaserules.Of(t.Property.State).Disclosures {
		if d.Code == leadPaint && !t.mayHoldLead() || strings.HasPrefix(d.Code, "deposit_") && t.Lease.SecurityDeposit == 0 {
			continue
		}
		reason := "The law of the state asks for it."
		if d.When != nil {
			reason = *d.When
		}
		switch {
		case d.Code == leadPaint && t.Property.YearBuilt == nil:
			reason = "The year in which the home was built is not known."
		case d.Code == leadPaint:
			reason = "The home was built in " + strconv.Itoa(*t.Property.YearBuilt) + ", before 1978."
		case strings.HasPrefix(d.Code, "deposit_"):
			reason = "A deposit is taken."
		}
		all = append(all, Disclosure{d.Code, d.Title, reason, d.Authority})
	}
	return all
}

const leadPaint = "lead_paint"

// Disclosure is what the law asks a landlord to tell or to hand over.
type Disclosure struct {
	Code      string `json:"code" example:"lead_paint" doc:"Code of the disclosure."`
	Title     string `json:"title" example:"Lead-based paint" doc:"What it is about."`
	Reason    string `json:"reason" example:"The home was built in 1974, before 1978." doc:"Why the document names it."`
	Authority string `json:"authority" example:"42 U.S.C. 4852d; 40 CFR 745.113" doc:"The law that asks for it. Where it fixes the wording, the official text is to be attached."`
}

// SchemaName is the name of the OpenAPI component.
func (Disclosure) SchemaName() string { return "GeneratedLeaseDisclosure" }

// graceDays are the days after the due date before a late fee applies: never fewer than the state gives.
func (t *Terms) graceDays() int {
	least := leaserules.Of(t.Property.State).GraceDays
	if t.Lease.LateFeeGraceDays == nil {
		return least
	}
	return max(least, *t.Lease.LateFeeGraceDays)
}

// names are those of the parties of a role.
func (t *Terms) names(is func(portfolio.PartyRole) bool) (all []string) {
	for _, p := range t.Lease.Tenants {
		if is(p.Role) {
			all = append(all, p.Name)
		}
	}
	return all
}

func tenant(r portfolio.PartyRole) bool    { return r != portfolio.PartyGuarantor }
func guarantor(r portfolio.PartyRole) bool { return r == portfolio.PartyGuarantor }

// listed is a list within a sentence: a, b and c.
func listed(all []string) string {
	if len(all) < 2 {
		return strings.Join(all, "")
	}
	return strings.Join(all[:len(all)-1], ", ") + " and " + all[len(all)-1]
}

// long is a day as a document writes it.
func long(d clock.Date) string { return d.Std().Format("January 2, 2006") }

// ordinal is a day of the month: 1st, 2nd, 3rd, 4th.
func ordinal(n int) string {
	suffix := "th"
	if n%100 < 11 || n%100 > 13 {
		switch n % 10 {
		case 1:
			suffix = "st"
		case 2:
			suffix = "nd"
		case 3:
			suffix = "rd"
		}
	}
	return strconv.Itoa(n) + suffix
}

// counted is a number with its noun.
func counted(n int, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return strconv.Itoa(n) + " " + noun + "s"
}

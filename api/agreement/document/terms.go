package document

import (
	"portal/api/clock"
	"portal/api/portfolio"
	"portal/api/portfolio/lease/law"
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
	Address string // for notices, in one line
	Email   string
	Phone   string // "" for none
	Signer  string // who signs for it
	Title   string // of who signs, such as Owner
}

// leadYear is the year of construction from which no lead-paint addendum is needed.
const leadYear = 1978

// MayHoldLead reports whether the home may have been built before 1978.
func (t *Terms) MayHoldLead() bool {
	return t.Property.YearBuilt == nil || *t.Property.YearBuilt < leadYear
}

// graceDays are the days after the due date before a late fee applies: never fewer than the state gives.
func (t *Terms) graceDays() int {
	least := law.Of(t.Property.State).GraceDays
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

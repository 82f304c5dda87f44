package portfolio

import "portal/api/searchtext"

// MostNamed is how many tenants and how many properties a search of other records goes through.
const MostNamed = 100

// Named is what a search of leases, tickets or ledger rows has found: the records that are listed name
// one of these tenants or properties, or are one of IDs.
type Named struct {
	IDs         []string
	TenantIDs   []string
	PropertyIDs []string
	Titles      *Titles // of tickets that are found, too; nil for none
	More        bool    // there are more than MostNamed tenants or properties; these are the newest
}

// Titles are those with words that each of Terms begins.
type Titles struct {
	Terms []string
	Rare  string // the one of Terms that the fewest words begin with, "" where there are too many of each
}

// SearchText has the words of the property's name and address.
func (p *Property) SearchText() searchtext.Text {
	words := searchtext.Words(p.StreetAddress, p.City, string(p.State))
	for _, text := range []*string{p.Name, p.StreetAddress2, p.PostalCode} {
		if text != nil {
			words = append(words, searchtext.Words(*text)...)
		}
	}
	return searchtext.Of(words)
}

// SearchText has the words of the tenant's name, email addresses, phone numbers and mailing
// address.
func (t *Tenant) SearchText() searchtext.Text {
	words := searchtext.Words(t.FirstName, t.LastName)
	for _, phone := range []*string{t.Phone, t.AlternatePhone} {
		if phone != nil {
			words = append(words, searchtext.Phone(*phone)...)
		}
	}
	texts := []*string{t.Email, t.AlternateEmail}
	if m := t.MailingAddress; m != nil {
		words = append(words, searchtext.Words(m.StreetAddress, m.City, string(m.State))...)
		texts = append(texts, m.StreetAddress2, m.PostalCode)
	}
	for _, text := range texts {
		if text != nil {
			words = append(words, searchtext.Words(*text)...)
		}
	}
	return searchtext.Of(words)
}

// SearchText has the words of the ticket's title.
func (t *Ticket) SearchText() searchtext.Text { return searchtext.Of(searchtext.Words(t.Title)) }

// Package document composes the lease that the parties sign: a document in plain language, from the
// terms of the lease and the rules of the property's state. It is not legal advice, and says so.
//
// It knows no store, no HTTP and not how a page or a PDF shows it.
package document

import (
	"strings"

	"portal/api/clock"
	"portal/api/portfolio"
	"portal/api/portfolio/lease/law"
)

// NoOtherFee is what a document says below its charges.
const NoOtherFee = "No other fee or deposit is charged unless it is agreed in writing and the law allows it."

// Document is a lease as it is read, whatever it is rendered to.
type Document struct {
	Title       string    // what it is
	About       string    // the address that is rented
	Number      string    // id of the lease and version of the document, on every page
	Language    string    // BCP 47
	Author      string    // the landlord
	Front       []Section // pages that the law puts before the key terms
	Terms       []Row     // the key terms, by name and value
	Charges     Table     // every amount that is owed, and when
	Totals      []Row     // what the charges come to, by when they are owed
	Note        string    // for whom and from what it was made
	Sections    []Section
	Attachments []Attachment `json:",omitempty"` // behind all sections of the document that all have signed
	Spanish     []Row        `json:",omitempty"` // the first page; kept with the version, no part of what is signed
	Words       *Words       `json:",omitempty"` // of a document that is no lease; nil for those of a lease
}

// Words are what the pages of a document say of their own.
type Words struct {
	Terms   string // heading of the terms
	Charges string // heading of the charges
	Below   string // what stands below them, "" for nothing
	Page    string // number of a page and of all pages, as a format
}

// OwnWords are what the pages of a document say of their own.
func (d *Document) OwnWords() Words {
	if d.Words != nil {
		return *d.Words
	}
	return Words{"Key terms", "What is paid, and when", NoOtherFee, "Page %d of %d"}
}

// Section is a part of a document with a title.
type Section struct {
	Number  string // such as 4 or A; "" for a page at the front
	Title   string
	NewPage bool // it begins on a page of its own
	Blocks  []Block
}

// Block is a part of a section: one of its fields is set.
type Block struct {
	Paragraph *Paragraph `json:"paragraph,omitempty"`
	Points    Points     `json:"points,omitempty"`
	Table     *Table     `json:"table,omitempty"`
	Signature *Signature `json:"signature,omitempty"`
}

// Paragraph is a text with its number, such as 4.2, or "" for none.
type Paragraph struct{ Number, Text string }

// Points are the items of a list.
type Points []string

// Table has a row of names above its rows.
type Table struct {
	Head    []string
	Rows    [][]string
	Amounts int `json:",omitempty"` // how many of the last columns are amounts, which stand below one another
}

// Row is a name with its value.
type Row struct{ Name, Value string }

// Signature is where a party signs.
type Signature struct {
	Name     string // as it is typed to sign
	Role     string // such as Tenant
	Title    string // of who signs for the landlord, "" for none
	Confirms string `json:",omitempty"` // what the party confirms by signing, beside the lease; "" for nothing
	Party    int    `json:",omitempty"` // whose line it is, where the lines do not stand in the order of the parties
	Typed    string // name with which the party has signed, "" where that is open
	At       string // when the party has signed
}

// Texts calls back with every text of a document, in the order in which it is read.
func (d *Document) Texts(each func(string)) {
	for _, s := range []string{d.Title, d.About} {
		each(s)
	}
	for i := range d.Front {
		d.Front[i].texts(each)
	}
	for _, r := range d.Terms {
		r.texts(each)
	}
	d.Charges.texts(each)
	for _, r := range d.Totals {
		r.texts(each)
	}
	each(d.Note)
	for i := range d.Sections {
		d.Sections[i].texts(each)
	}
}

func (r Row) texts(each func(string)) {
	each(r.Name)
	each(r.Value)
}

func (t Table) texts(each func(string)) {
	for _, row := range append([][]string{t.Head}, t.Rows...) {
		for _, cell := range row {
			each(cell)
		}
	}
}

// Heading is the title with the number, where the section has one.
func (s *Section) Heading() string {
	if s.Number == "" {
		return s.Title
	}
	return s.Number + ". " + s.Title
}

func (s *Section) texts(each func(string)) {
	each(s.Heading())
	for _, b := range s.Blocks {
		b.texts(each)
	}
}

func (b *Block) texts(each func(string)) {
	switch {
	case b.Paragraph != nil:
		each(strings.TrimSpace(b.Paragraph.Number + " " + b.Paragraph.Text))
	case b.Points != nil:
		for _, p := range b.Points {
			each(p)
		}
	case b.Table != nil:
		b.Table.texts(each)
	case b.Signature != nil:
		b.Signature.texts(each)
	}
}

// Signer is as what a party signs, with the title of who signs for the landlord.
func (s *Signature) Signer() string {
	if s.Title == "" {
		return s.Role
	}
	return s.Role + " (" + s.Title + ")"
}

func (s *Signature) texts(each func(string)) {
	each(s.Role + ": " + s.Name)
	for _, text := range []string{s.Title, s.Confirms, s.Typed, s.At} {
		each(text)
	}
}

// Terms are what a document is composed of.
type Terms struct {
	Lease    *portfolio.Lease
	Property *portfolio.Property
	Unit     *portfolio.Unit
	Landlord Landlord
	Version  int        // of the document, from 1
	Emails   []string   // of the parties, in the order of Lease.Tenants; "" for none
	Day      clock.Date // on which the document is made

	Guarantors  []portfolio.Tenant // records of the guarantors, in the order of Lease.Tenants
	Attachments []Attachment
}

// Landlord is the party that lets the home.
type Landlord struct {
	Name    string // of the person or company that owns or manages the home
	Address string // for notices, in one line
	Email   string
	Phone   string // "" for none
	Signer  string // who signs for it
	Title   string // of who signs, such as Owner

	LeadWarning string // the Lead Warning Statement, "" where nobody has entered it
}

// leadYear is the year of construction from which no lead-paint addendum is needed.
const leadYear = 1978

// MayHoldLead reports whether the home may have been built before 1978.
func (t *Terms) MayHoldLead() bool {
	return t.Property.YearBuilt == nil || *t.Property.YearBuilt < leadYear
}

// leadAddendum reports whether the document has the addendum about lead paint. A text of the landlord's own may have
// one in its place.
func (t *Terms) leadAddendum() bool {
	return t.MayHoldLead() && (!t.Lease.Terms.Own() || t.Lease.Terms.LeadPaint != nil)
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

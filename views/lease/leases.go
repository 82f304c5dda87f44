// Package lease draws the pages of leases, of tenants and of applicants.
//
// It knows nothing of requests, records or rules, nor of other sections’ pages.
package lease

import (
	"strconv"

	"portal/views/kit"
)

// Lease is the page of one.
type Lease struct {
	kit.Record
	Signing     Signing
	Document    Document
	Disclosures []Disclosure // of a lease that was generated here
	Attachments Attachments
	Parts       []kit.RelatedTable
	Ending      *Ending     // a request to the tenants to end it, nil for none
	Todo        Todo        // what is to be done outside of the product, no words for nothing
	Agreed      []kit.Term  // what its document says beside the terms at the side
	Deposit     *Deposit    // once the tenancy is over, nil before
	Conditions  *Conditions // nil for a lease that binds nobody
	Online      *Online     // nil where nothing is paid under it
}

// Attachments are the PDFs that are part of a lease.
type Attachments struct {
	Add   string // address of the page that attaches another one, "" where none can be
	Words string // what they are for, where there are none
	All   []Attachment
}

// Template is the page of a template of leases.
type Template struct {
	kit.Record
	Sets        []kit.Term
	Attachments Attachments
}

// Attachment is a PDF that is part of a lease.
type Attachment struct {
	Name   string
	Path   string
	About  string // how long it is, and whether it asks for initials
	Remove string // address that takes it off, "" where it stays
}

// Attach is the page that attaches a PDF.
type Attach struct {
	kit.Frame
	kit.Heading
	Form kit.Form
}

// Online is which payments tenants can make online: a form that changes that, or words where there is none.
type Online struct {
	Words   string
	Form    *kit.Form
	Autopay []string // what runs, a sentence each
}

// Deposit is how the deposit of a lease stands after the tenancy.
type Deposit struct {
	Title   string
	Status  kit.Status
	Words   string // "" for none
	Facts   []kit.Term
	Actions []kit.Action
	Settled bool // a statement was made
}

// Todo is what the landlord has to do, and where that is noted.
type Todo struct {
	Words string
	Note  kit.Link // without an address where it can't be noted any more
}

// Signing is how far the signatures of a lease are.
type Signing struct {
	Note    string // beside the heading, "" for none
	Stages  []kit.Stage
	Signers []Signer
	Sign    string // address of the page where the landlord signs, "" where there is nothing to sign
	Sent    bool   // the links were emailed
	Sending *Sending
}

// Ending is a request to the tenants to agree that a lease ends.
type Ending struct {
	Title    string
	Words    string
	Asked    kit.Time
	Withdraw string // address that takes it back, "" where it is closed
	Tenants  []EndingLine
}

// EndingLine is what a tenant has answered.
type EndingLine struct {
	Name   string
	At     kit.Time
	Why    string // the tenant does not agree
	Status kit.Status
}

// Sending is a lease that was not sent for signature yet.
type Sending struct {
	Noun      string      // draft, or lease where somebody has signed it on paper
	Action    string      // address that sends it, "" where that was asked for
	Primary   bool        // to send it is what its page is for
	Requested bool        // it is sent when nothing blocks a signature
	To        []Recipient // none where the page lists the signers with their addresses anyway
	Blocked   []Blocked
}

// Blocked is what blocks a signature and what to do about it: words, or a link.
type Blocked struct {
	Words string
	Mend  kit.Link
}

// Recipient is a signer whom a lease goes to.
type Recipient struct {
	Name     string
	Email    string // "" where there is none
	Language string // of the email, in words
}

// Review is the last step of a draft: it is read as a whole and sent.
type Review struct {
	kit.Frame
	kit.Heading
	Stages   []kit.Stage
	Warnings []Todo
	Sending  *Sending // nil where the lease was sent, or where nothing is signed
	Document kit.Document

	Attachments Attachments

	PDF  string
	Done string // address of the page of the lease
}

// Document is the lease as a file, none without an address.
type Document struct {
	Path   string
	Title  string
	Words  string
	SHA256 string // of the signed file, "" before
	Signed bool   // by all, which makes it the first thing on the page
}

// Disclosure is what the law asks the landlord to tell with the lease.
type Disclosure struct {
	Title, Why, Law string
	Text            string     // who gives the official text out, "" where nobody is known
	Asked           bool       // only the landlord knows whether it applies; the others are always included
	Status          kit.Status // what the landlord has answered
}

// asked are the disclosures that the landlord is asked about, or the others.
func asked(all []Disclosure, of bool) (some []Disclosure) {
	for _, d := range all {
		if d.Asked == of {
			some = append(some, d)
		}
	}
	return some
}

// AlwaysIncluded is the name of a fold with so many disclosures that nobody is asked about.
func AlwaysIncluded(count int) string {
	if count == 1 {
		return "1 disclosure that is always included"
	}
	return strconv.Itoa(count) + " disclosures that are always included"
}

// Signer is somebody who signs a lease, or who is a party to one that was signed elsewhere.
type Signer struct {
	Person kit.Link // without an address where there is no such page
	Role   string
	Trail  []kit.Moment // what happened, in order
	Why    string       // the signer declined, "" where that was not said
	Status kit.Status
	Send   string // address that sends the link again, "" where that cannot be
	Change string // address of the page that changes the email address, "" where the latest email did not fail
	// SignHere is the address of the page where a tenant signs on the landlord's device, "" where that cannot be.
	SignHere string
	Paper    string // address of the page that records a signature on paper, "" where that cannot be
	Scan     string // address of the scan of a signature on paper, "" for none
}

// Sign is the page on which the landlord signs a lease.
type Sign struct {
	kit.Frame
	kit.Heading
	Document kit.Document
	Form     kit.Form
	Last     bool // the form stands below the document, which is read first
}

// first reports whether the form stands above the document: where something is wrong with it, it is what is read next.
func (s Sign) first() bool {
	return !s.Last || s.Form.Trouble != "" || len(kit.FieldErrors(s.Form.Groups)) > 0
}

func signActions(s Signing) []kit.Action {
	if s.Sign == "" {
		return nil
	}
	return []kit.Action{{Name: "Sign for the landlord", Path: s.Sign, Icon: "pen-line"}}
}

package document

import (
	"slices"

	"portal/api/language"
	"portal/api/texts"
)

// Attachment is a PDF of the landlord's that is part of a lease.
type Attachment struct {
	ID       string
	Name     string // of the file
	Pages    int
	SHA256   string // of the file as it is kept, in hex
	Initials bool   `json:",omitempty"` // each party who signs here puts their initials to it
	Lease    bool   `json:",omitempty"` // it is the text of the lease, and stands behind the first page

	Answers []string `json:",omitempty"` // codes of the disclosures that it is the official text of
}

// Attached is the attachment that is the official text of a disclosure, nil for none.
func (t *Terms) Attached(code string) *Attachment {
	for i := range t.Attachments {
		if slices.Contains(t.Attachments[i].Answers, code) {
			return &t.Attachments[i]
		}
	}
	return nil
}

// OwnDocument is the PDF that is the text of the lease, nil while it is missing and where the text is composed.
func (t *Terms) OwnDocument() *Attachment {
	for i := range t.Attachments {
		if t.Attachments[i].Lease {
			return &t.Attachments[i]
		}
	}
	return nil
}

// attached are the attachments beside the text of the lease.
func (t *Terms) attached() (all []Attachment) {
	for _, a := range t.Attachments {
		if !a.Lease {
			all = append(all, a)
		}
	}
	return all
}

// attachmentNames are the names of the attachments.
func (t *Terms) attachmentNames() (all []string) {
	for _, a := range t.attached() {
		all = append(all, a.Name)
	}
	return all
}

// spanishAttachments are the attachments in Spanish.
func (t *Terms) spanishAttachments() string {
	var all []string
	for _, a := range t.attached() {
		all = append(all, a.spanish())
	}
	return language.List(all)
}

// spanish is an attachment with its pages in Spanish.
func (a *Attachment) spanish() string {
	return a.Name + " (" + language.Counted(a.Pages, "página", "páginas") + ")"
}

// attachments names each attachment with the hash by which anybody can tell that it is the one that was signed.
func (c *composer) attachments() {
	if len(c.attached()) == 0 {
		return
	}
	c.section("Attachments")
	c.say("What is listed here is attached to this lease and part of it. In the signed lease it stands behind the " +
		"certificate of signatures.")
	var points []string
	for _, a := range c.attached() {
		point := a.Name + ", " + texts.Counted(a.Pages, "page")
		if a.Initials {
			point += ", with the initials of each party who signs electronically"
		}
		points = append(points, point+". SHA-256: "+a.SHA256)
	}
	c.list(points...)
}

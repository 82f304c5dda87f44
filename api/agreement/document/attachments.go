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

// attachmentNames are the names of the attachments.
func (t *Terms) attachmentNames() (all []string) {
	for i := range t.Attachments {
		all = append(all, t.Attachments[i].Name)
	}
	return all
}

// spanishAttachments are the attachments in Spanish.
func (t *Terms) spanishAttachments() string {
	all := make([]string, len(t.Attachments))
	for i, a := range t.Attachments {
		all[i] = a.Name + " (" + language.Counted(a.Pages, "página", "páginas") + ")"
	}
	return language.List(all)
}

// attachments names each attachment with the hash by which anybody can tell that it is the one that was signed.
func (c *composer) attachments() {
	if len(c.Attachments) == 0 {
		return
	}
	c.section("Attachments")
	c.say("What is listed here is attached to this lease and part of it. In the signed lease it stands behind the " +
		"certificate of signatures.")
	var points []string
	for _, a := range c.Attachments {
		point := a.Name + ", " + texts.Counted(a.Pages, "page")
		if a.Initials {
			point += ", with the initials of each party who signs electronically"
		}
		points = append(points, point+". SHA-256: "+a.SHA256)
	}
	c.list(points...)
}

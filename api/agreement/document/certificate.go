package document

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"portal/api/clock"
	"portal/api/portfolio"
	"portal/api/texts"
)

// Signed is how a party has signed.
type Signed struct {
	Typed     string // name, as it was typed
	At        clock.Time
	Consented clock.Time // when the party agreed to electronic records
	Proof     string     // how the party was identified: CodeProof or AccountProof
	Address   string     // from which the party signed, as an IP address
	Browser   string     // with which the party signed
	Paper     *Paper     // of who has signed on paper, of whom no more is known; At is when it was recorded
}

// Paper is a signature on paper, as somebody recorded it for the landlord.
type Paper struct {
	On     clock.Date // when the party signed
	By     string     // email address of the account that recorded it
	SHA256 string     // of the scan, in hex
}

// CodeProof is the proof of who has given the code that was sent to an email address, "" for one that was not
// noted.
func CodeProof(email string) string {
	if email == "" {
		return "Entered the code that was sent by email"
	}
	return "Entered the code that was sent to " + email
}

// TestProof is the proof of who has given a code in test mode.
func TestProof(email string) string {
	return "Entered the code that test mode stored instead of sending it to " + email
}

// AccountProof is the proof of who has signed in to an account and shown again who they are.
func AccountProof(email string) string {
	return "Signed in to the account of " + email + " and confirmed it with a password, passkey or code"
}

// DeviceProof is the proof of a tenant who has signed on the device of somebody who has signed in to the landlord's
// account and shown again who they are.
func DeviceProof(email string) string {
	return "Signed on the device of " + email + ", who signed in for the landlord, confirmed it with a password, " +
		"passkey or code, and says that it was this person"
}

// Happening is an entry of the log of a signing, in words.
type Happening struct {
	At      clock.Time
	What    string
	Party   string // "" for none
	Address string // "" for none
}

// Certificate tells how a lease was signed.
type Certificate struct {
	Signed   []Signed // in the order of the parties
	SHA256   string   // of the document that was signed, in hex
	Log      []Happening
	Head     string // hash of the last entry of the log, in hex
	Verify   string // address of the page that checks a signed document
	Document string // id of the document
	Test     bool   // it was made in test mode, where emails reach nobody
}

// Execute is the document with its signatures and a certificate of how they came about. It fails where
// not every party has signed. The lines at the front are signed with the lease.
func (d *Document) Execute(c *Certificate) (*Document, error) {
	e := *d
	if c.Test {
		e.MarkTest()
	}
	var parties []Signature
	numbered := d.numbered()
	e.Sections = c.sign(d.Sections, func(s Signature) int {
		if numbered {
			return s.Party
		}
		return len(parties)
	}, &parties)
	slices.SortStableFunc(parties, func(a, b Signature) int { return cmp.Compare(a.Party, b.Party) })
	if len(parties) != len(c.Signed) {
		return nil, fmt.Errorf("document: %d parties have signed, and there are %d", len(c.Signed), len(parties))
	}
	var lines []Signature
	e.Front = c.sign(d.Front, func(s Signature) int { return s.Party }, &lines)
	c.write(&composer{d: &e}, parties, d.nextLetter())
	return &e, nil
}

// called is the name in the certificate, which tells a guarantor from those who rent.
func (s *Signature) called() string {
	if s.Role == roles[portfolio.PartyGuarantor] {
		return s.Name + " (guarantor)"
	}
	return s.Name
}

// numbered reports whether the lines where the parties sign say whose they are: those of guarantors stand apart.
func (d *Document) numbered() bool {
	for i := range d.Sections {
		for _, b := range d.Sections[i].Blocks {
			if b.Signature != nil && b.Signature.Party > 0 {
				return true
			}
		}
	}
	return false
}

// What a lease of test mode says: in its title, and on its first page.
const (
	testTitle      = "TEST MODE: "
	madeInTestMode = "Made in test mode, where people try out the service: email is kept and not sent, nobody is " +
		"identified, and nobody is bound."
)

// MarkTest marks a document of test mode, once: a draft of an earlier release has no mark yet.
func (d *Document) MarkTest() {
	if strings.HasPrefix(d.Title, testTitle) {
		return
	}
	d.Title, d.Note = testTitle+d.Title, madeInTestMode+" "+d.Note
}

// sign is sections with each signature as the party has signed whose number of says; they are added to
// signed.
func (c *Certificate) sign(sections []Section, of func(Signature) int, signed *[]Signature) []Section {
	all := append([]Section(nil), sections...)
	for i := range all {
		all[i].Blocks = append([]Block(nil), all[i].Blocks...)
		for j := range all[i].Blocks {
			if all[i].Blocks[j].Signature == nil {
				continue
			}
			s := *all[i].Blocks[j].Signature
			if n := of(s); n < len(c.Signed) {
				s.Typed, s.At = c.Signed[n].line()
			}
			all[i].Blocks[j].Signature = &s
			*signed = append(*signed, s)
		}
	}
	return all
}

// line is what stands on the line where the party signs, and on that of the date.
func (s *Signed) line() (typed, at string) {
	if s.Paper != nil {
		return "Signed on paper", long(s.Paper.On)
	}
	return s.Typed, moment(s.At)
}

// row is the party in the table of who has signed.
func (s *Signed) row(name string) []string {
	if s.Paper != nil {
		return []string{
			name,
			"On paper on " + long(s.Paper.On),
			"Recorded by " + s.Paper.By + " for the landlord. No code was asked, and no email address was proved",
			"",
		}
	}
	return []string{name, moment(s.At), s.Proof + "; typed the name “" + s.Typed + "”", s.Address}
}

// moment is a time of the certificate, to the second.
func moment(t clock.Time) string { return t.Std().Format("January 2, 2006, 15:04:05") + " UTC" }

// nextLetter is that of an addendum which is put behind the others.
func (d *Document) nextLetter() string {
	letter := 'A'
	for i := range d.Sections {
		if d.Sections[i].Number == string(letter) {
			letter++
		}
	}
	return string(letter)
}

// write puts the certificate behind all else.
func (c *Certificate) write(to *composer, parties []Signature, letter string) {
	to.d.Sections = append(to.d.Sections, Section{Number: letter, Title: "Certificate of signatures", NewPage: true})
	if c.Test {
		to.say(madeInTestMode)
	}
	onPaper := slices.ContainsFunc(c.Signed, func(s Signed) bool { return s.Paper != nil })
	if onPaper {
		to.say(
			"All parties have signed this lease: electronically, or on paper where it says so. This is what is known " +
				"of each of them:",
		)
	} else {
		to.say("All parties have signed this lease electronically. This is what each of them did:")
	}
	t := Table{Head: []string{"Party", "Signed", "Identified", "From"}}
	for i, p := range parties {
		t.Rows = append(t.Rows, c.Signed[i].row(p.called()))
	}
	to.add(Block{Table: &t})
	for i, p := range parties {
		by := c.Signed[i]
		if by.Paper != nil {
			to.say(
				"%s signed on paper on %s. %s recorded it on %s, signed in to the landlord’s account and confirmed by a "+
					"password, passkey or code, and uploaded a scan with the SHA-256 %s. No code was asked, and no email "+
					"address was proved.",
				p.Name,
				long(by.Paper.On),
				by.Paper.By,
				moment(by.At),
				by.Paper.SHA256,
			)
			continue
		}
		to.say("%s agreed to electronic records on %s.", p.Name, moment(by.Consented))
		if by.Browser != "" {
			to.say("%s signed with this browser: %s", p.Name, plain(by.Browser))
		}
	}
	to.say("The document that the parties read and signed, without signatures and this certificate, has the number "+
		"%s and the SHA-256 %s.", c.Document, c.SHA256)
	if onPaper {
		to.say("The landlord says that the paper has the same text.")
	}
	to.say("What happened, as it was logged at the time:")
	events := Table{Head: []string{"When", "Who", "What", "From"}}
	left := max(0, len(c.Log)-firstLogged-lastLogged)
	for i, h := range c.Log {
		switch {
		case left == 0 || i < firstLogged || i >= firstLogged+left:
			events.Rows = append(events.Rows, []string{moment(h.At), h.Party, h.What, h.Address})
		case i == firstLogged:
			events.Rows = append(events.Rows, []string{"", "", fmt.Sprintf("Entries left out here: %d", left), ""})
		}
	}
	to.add(Block{Table: &events})
	to.say("The log has %d entries so far. Each entry has the hash of the one before it; the last one has the hash %s.",
		len(c.Log), c.Head)
	to.say("The digital signature of this file covers every byte of it. Anyone can check the file at %s.", c.Verify)
}

// Of a long log the certificate shows so many entries at the beginning, and so many at the end: whoever may send
// a signer links and codes can make it long.
const (
	firstLogged = 50
	lastLogged  = 150
)

// mostBrowser is how much of a browser's name the certificate shows, in characters.
const mostBrowser = 200

// plain is a text from outside with only those characters that every font has.
func plain(s string) string {
	return texts.Clip(strings.Map(func(r rune) rune {
		if r < ' ' || r > '~' {
			return '?'
		}
		return r
	}, s), mostBrowser)
}

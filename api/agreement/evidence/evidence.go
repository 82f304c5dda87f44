// Package evidence is the log of how a lease was signed: who was sent it, looked at it, consented, proved
// their address, signed or declined, in the order in which it happened. Each entry holds the hash of the
// one before it, so that none can be changed, removed or moved without a trace; the number of entries and
// the last hash, the anchor of the log, are kept elsewhere too, so that none can be cut off at the end.
// Hashes and anchor are keyed: who can write the database, but has no key, cannot write another history.
//
// It knows no SQL and no rule of leases.
package evidence

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"strconv"
	"strings"

	"portal/api/clock"
)

// Kind is what happened.
type Kind string

// The kinds of entries.
const (
	Generated  Kind = "generated"   // the document was made, or made anew
	MailQueued Kind = "mail_queued" // an email to the party was written; the note of these four is a Mailed
	MailSent   Kind = "mail_sent"   // a mail server has taken it
	MailFailed Kind = "mail_failed" // it was refused, or nobody took it in time
	MailKept   Kind = "mail_kept"   // it may be read in the dashboard, and never leaves
	Sent       Kind = "sent"        // in logs of earlier releases: MailQueued of a link; the note is the address
	Viewed     Kind = "viewed"      // the party opened the document
	Consented  Kind = "consented"   // the party agreed to electronic records
	CodeSent   Kind = "code_sent"   // in logs of earlier releases: MailQueued of a code; the note is the address
	CodeGiven  Kind = "code_given"  // the party gave it back; the note is the address that it was sent to
	Confirmed  Kind = "confirmed"   // the landlord showed in the dashboard who they are; the note is their address
	// AddressChanged: the landlord changed the party's address, which ended the links so far; the note is a
	// Readdressed.
	AddressChanged Kind = "address_changed"
	// LinkGiven: the landlord's key was given the party's link; the note says which key.
	LinkGiven Kind = "link_given"
	// Extended: the landlord gave the parties more time to sign; the note is an Extension.
	Extended Kind = "extended"

	// HandedOver: an owner, who has just shown who they are, handed the party the device on which they sign; the note
	// is the owner's address.
	HandedOver Kind = "handed_over"

	// SignedOnPaper: an owner, who has just shown who they are, recorded that the party had signed on paper; the note
	// is a PaperSignature. There is no other entry of the signature.
	SignedOnPaper Kind = "signed_on_paper"

	// Opened: the party opened an attachment; the note is an Opening. Only the first time of each is noted.
	Opened Kind = "opened"

	// Initialed: the party put their initials to an attachment as they signed; the note is an Initialing.
	Initialed Kind = "initialed"

	Signed   Kind = "signed"
	Declined Kind = "declined"
	Executed Kind = "executed" // all have signed, and the signed document was made
	Voided   Kind = "voided"   // the landlord ended it, or its time was over
	// Ended: the signed lease was ended before its first day, as the tenants had agreed; the note is an Ending.
	Ended Kind = "ended"

	// EndingAsked: the landlord asked the tenants by email to agree that the signed lease ends before its first day;
	// the note is an Ending without a day of agreement.
	EndingAsked     Kind = "ending_asked"
	EndingAgreed    Kind = "ending_agreed"    // the tenant agreed; the note is the name that was typed
	EndingRefused   Kind = "ending_refused"   // the tenant did not; the note is the reason
	EndingWithdrawn Kind = "ending_withdrawn" // the landlord took the request back; the note says who
)

// Values are all kinds.
func (Kind) Values() []string {
	return []string{
		"generated", "mail_queued", "mail_sent", "mail_failed", "mail_kept", "sent", "viewed", "consented",
		"code_sent", "code_given", "confirmed", "address_changed", "link_given", "handed_over", "extended",
		"signed_on_paper", "opened", "initialed", "signed", "declined", "executed", "voided", "ended",
		"ending_asked", "ending_agreed", "ending_refused", "ending_withdrawn",
	}
}

// Topic is what an email to a party was for.
type Topic string

// The topics of emails.
const (
	LinkMail     Topic = "link"
	ReminderMail Topic = "reminder"
	CodeMail     Topic = "code"
	// ExtensionMail tells that there is more time to sign, and has the link.
	ExtensionMail Topic = "extension"
	// EndingMail asks a tenant to agree that a signed lease ends before its first day, and EndingCodeMail has the code
	// with which they answer.
	EndingMail     Topic = "ending"
	EndingCodeMail Topic = "ending_code"
)

// Mailed is what the log says of an email.
type Mailed struct {
	Topic Topic
	To    string // address
	Words string // the mail server's answer, or why it has failed; "" for none
}

// Note is the note of an entry about an email.
func (m Mailed) Note() string { return strings.Join([]string{string(m.Topic), m.To, m.Words}, "\n") }

// MailedAs reads the note of an entry about an email.
func MailedAs(note string) (m Mailed) {
	topic, rest, _ := strings.Cut(note, "\n")
	m.Topic = Topic(topic)
	m.To, m.Words, _ = strings.Cut(rest, "\n")
	return m
}

// Readdressed is what the log says of another address of a party.
type Readdressed struct {
	From, To string // "" for none
	By       string // whose change it was, in words
}

// Note is the note of an entry about another address.
func (r Readdressed) Note() string { return strings.Join([]string{r.From, r.To, r.By}, "\n") }

// ReaddressedAs reads the note of an entry about another address.
func ReaddressedAs(note string) (r Readdressed) {
	var rest string
	r.From, rest, _ = strings.Cut(note, "\n")
	r.To, r.By, _ = strings.Cut(rest, "\n")
	return r
}

// Entry is one thing that happened. Texts are valid UTF-8; Append sees to it.
type Entry struct {
	Number   int // from 1, without gaps
	At       clock.Time
	Kind     Kind
	Party    string // id of the signer, "" for none
	Name     string // of the party, as the document has it
	Address  string // from which the request came, as an IP address, "" for none
	Browser  string // the User-Agent of the request, "" for none
	Document string // SHA-256 of the document, in hex
	Note     string // what else there is to say, such as the name that was typed
	Previous string // hash of the entry before, of the log's subject for the first one, in hex
	Hash     string // HMAC-SHA256 of all of the above, in hex
}

// Log keys the log of one subject.
type Log struct {
	Subject string
	Key     []byte // that nobody has who can only write the database
}

// Anchor is what a log has to be like: how many entries there are, and the hash of the last one.
type Anchor struct {
	Count int
	Head  string // "" where there is none
	MAC   string // HMAC-SHA256 of both, in hex
}

// Append puts an entry at the end of a log, whose anchor it moves.
func (l Log) Append(a *Anchor, e Entry) Entry {
	for _, text := range []*string{&e.Party, &e.Name, &e.Address, &e.Browser, &e.Document, &e.Note} {
		*text = strings.ToValidUTF8(*text, "\ufffd")
	}
	a.Count++
	e.Number, e.Previous = a.Count, a.Head
	if a.Count == 1 {
		e.Previous = l.root()
	}
	e.Hash = l.sum(&e)
	a.Head = e.Hash
	a.MAC = l.anchored(*a)
	return e
}

// root is what the first entry holds as the hash before it, so that no log passes for that of another
// subject.
func (l Log) root() string { return l.mac("root", l.Subject) }

// anchored is the MAC of an anchor.
func (l Log) anchored(a Anchor) string {
	return l.mac("anchor", l.Subject, strconv.Itoa(a.Count), a.Head)
}

// mac is the HMAC of texts, in hex. JSON keeps them apart.
func (l Log) mac(texts ...string) string {
	text, err := json.Marshal(texts)
	if err != nil {
		panic(err) // texts alone
	}
	m := hmac.New(sha256.New, l.Key)
	m.Write(text)
	return hex.EncodeToString(m.Sum(nil))
}

// sum is the hash of an entry.
func (l Log) sum(e *Entry) string {
	return l.mac(
		"entry",
		strconv.Itoa(e.Number),
		strconv.FormatInt(int64(e.At), 10),
		string(e.Kind),
		e.Party,
		e.Name,
		e.Address,
		e.Browser,
		e.Document,
		e.Note,
		e.Previous,
	)
}

// Mismatch is where a log is not what it was.
type Mismatch struct {
	Number int // of the first entry that is at fault, from 1
	Reason string
}

func (f *Mismatch) Error() string { return fmt.Sprintf("entry %d %s", f.Number, f.Reason) }

// Check finds the first place at which a log is not what it was, nil for none. The entries come in the
// order in which they were found.
func (l Log) Check(log []Entry, a Anchor) *Mismatch {
	previous := l.root()
	for i := range log {
		e, n := &log[i], i+1
		switch {
		case n > a.Count:
			return &Mismatch{n, "was added behind the end"}
		case e.Number != n:
			return &Mismatch{n, "is missing or stands in another place"}
		case e.Previous != previous:
			return &Mismatch{n, "does not follow from the one before it"}
		case e.Hash != l.sum(e):
			return &Mismatch{n, "was changed"}
		}
		previous = e.Hash
	}
	switch {
	case len(log) < a.Count:
		return &Mismatch{len(log) + 1, "is missing at the end"}
	case a.Count > 0 && a.Head != previous:
		return &Mismatch{len(log), "is not the last one that was written"}
	case a != Anchor{} && !hmac.Equal([]byte(a.MAC), []byte(l.anchored(a))):
		return &Mismatch{len(log) + 1, "is missing at the end"} // and the anchor was written for what is left
	}
	return nil
}

// InSpanish is the note of an entry that a signer looked at a lease on a page that was in Spanish.
const InSpanish = "page in Spanish"

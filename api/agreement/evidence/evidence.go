// Package evidence is the log of how a lease was signed: who was sent it, looked at it, consented, proved
// their address, signed or declined, in the order in which it happened. Each entry holds the hash of the
// one before it, so that none can be changed, removed or moved without a trace; what the last hash and
// the number of entries should be is kept elsewhere too, so that none can be cut off at the end.
package evidence

import (
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
	Generated Kind = "generated"  // the document was made, or made anew
	Sent      Kind = "sent"       // the link was sent to the party
	Viewed    Kind = "viewed"     // the party opened the document
	Consented Kind = "consented"  // the party agreed to electronic records
	CodeSent  Kind = "code_sent"  // a code was sent to the party's address
	CodeGiven Kind = "code_given" // the party gave it back
	Signed    Kind = "signed"
	Declined  Kind = "declined"
	Executed  Kind = "executed" // all have signed, and the signed document was made
	Voided    Kind = "voided"   // the landlord ended it, or its time was over
)

// Values are all kinds.
func (Kind) Values() []string {
	return []string{
		"generated", "sent", "viewed", "consented", "code_sent", "code_given", "signed",
		"declined", "executed", "voided",
	}
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
	Hash     string // SHA-256 of all of the above, in hex
}

// Anchor is what a log has to be like: how many entries there are, and the hash of the last one.
type Anchor struct {
	Count int
	Head  string // "" where there is none
}

// Append puts an entry at the end of the log of a subject, whose anchor it moves.
func (a *Anchor) Append(subject string, e Entry) Entry {
	for _, text := range []*string{&e.Party, &e.Name, &e.Address, &e.Browser, &e.Document, &e.Note} {
		*text = strings.ToValidUTF8(*text, "\ufffd")
	}
	a.Count++
	e.Number, e.Previous = a.Count, a.Head
	if a.Count == 1 {
		e.Previous = root(subject)
	}
	e.Hash = e.sum()
	a.Head = e.Hash
	return e
}

// root is what the first entry holds as the hash before it, so that no log passes for that of another
// subject.
func root(subject string) string {
	sum := sha256.Sum256([]byte("portal evidence\x00" + subject))
	return hex.EncodeToString(sum[:])
}

// sum is the hash of an entry. JSON keeps its texts apart.
func (e *Entry) sum() string {
	text, err := json.Marshal([]string{
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
	})
	if err != nil {
		panic(err) // texts alone
	}
	sum := sha256.Sum256(text)
	return hex.EncodeToString(sum[:])
}

// Mismatch is where a log is not what it was.
type Mismatch struct {
	Number int // of the first entry that is at fault, from 1
	Reason string
}

func (f *Mismatch) Error() string { return fmt.Sprintf("entry %d %s", f.Number, f.Reason) }

// Check finds the first place at which the log of a subject is not what it was, nil for none. The entries
// come in the order in which they were found.
func Check(subject string, log []Entry, a Anchor) *Mismatch {
	previous := root(subject)
	for i := range log {
		e, n := &log[i], i+1
		switch {
		case n > a.Count:
			return &Mismatch{n, "was added behind the end"}
		case e.Number != n:
			return &Mismatch{n, "is missing or stands in another place"}
		case e.Previous != previous:
			return &Mismatch{n, "does not follow from the one before it"}
		case e.Hash != e.sum():
			return &Mismatch{n, "was changed"}
		}
		previous = e.Hash
	}
	switch {
	case len(log) < a.Count:
		return &Mismatch{len(log) + 1, "is missing at the end"}
	case a.Count > 0 && a.Head != previous:
		return &Mismatch{len(log), "is not the last one that was written"}
	}
	return nil
}

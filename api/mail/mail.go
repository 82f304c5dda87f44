// Package mail takes email along with the transaction that causes it, and sees each
// one to its end: sent, failed, or kept where nothing may leave.
//
// It knows no record that a mail is about, no queue, no SQL and no mail server; it is
// given them.
package mail

import (
	"context"
	"time"

	"portal/api/access"
	"portal/api/change"
	"portal/api/clock"
	"portal/api/secret"
)

// SealPurpose binds what is sealed here to this use.
const SealPurpose = "mail"

// Message is an email with a text and an HTML part. To, Subject and Unsubscribe are
// of one line; Send sees to it.
type Message struct {
	ID          string           `json:"-"` // given by Send; also the left part of the Message-ID
	CreatedAt   clock.Time       `json:"-"` // given by Send
	AccountID   string           `json:"-"` // whose mail it is, "" for nobody's
	Portfolio   access.Portfolio `json:"-"` // the zero value for none
	About       string           `json:"-"` // id of the record that follows the mail, "" for none
	To          string           `json:"to"`
	Subject     string           `json:"subject"`
	Text        string           `json:"text"`
	HTML        string           `json:"html"`
	Unsubscribe string           `json:"unsubscribe,omitempty"` // address of the List-Unsubscribe header, "" for none
}

// Status is how far a mail has come.
type Status string

// The statuses of a mail. A queued one becomes one of the others, which are final.
const (
	Queued Status = "queued"
	Sent   Status = "sent"   // a mail server has taken it
	Failed Status = "failed" // it was refused, or nobody took it in time
	Kept   Status = "kept"   // it may be read here, and never leaves
)

// Values are all statuses.
func (Status) Values() []string { return []string{"queued", "sent", "failed", "kept"} }

// Entry is a mail as it is stored.
type Entry struct {
	ID        string      `json:"id"`
	Mode      access.Mode `json:"mode"`
	Status    Status      `json:"status"`
	To        string      `json:"to"`
	Subject   string      `json:"subject"`
	About     *string     `json:"about"`
	Attempts  int         `json:"attempts"`
	LastError *string     `json:"last_error"`
	CreatedAt clock.Time  `json:"created_at"`
	SentAt    *clock.Time `json:"sent_at"`

	AccountID    *string     `json:"-"`
	PortfolioID  *int64      `json:"-"`
	ClaimedUntil *clock.Time `json:"-"`
	Sealed       []byte      `json:"-"` // nil when the content has been forgotten
}

// Identity is the id of the mail.
func (e *Entry) Identity() string { return e.ID }

// Revision is always the same: what changes of a mail does not move it in a list.
func (e *Entry) Revision() int64 { return 1 }

// portfolio is the one that the mail belongs to.
func (e *Entry) portfolio() access.Portfolio {
	p := access.Portfolio{Mode: e.Mode}
	if e.PortfolioID != nil {
		p.ID = *e.PortfolioID
	}
	return p
}

// Filter narrows a list of mails, which comes the newest first unless it is to ascend.
type Filter struct {
	AccountID string // "" for all
	Portfolio int64  // 0 for all
	Status    Status // "" for all
	Before    string // only those behind the mail of this id in the list, "" for all
	Ascending bool   // the oldest first
	Limit     int
}

// Note is what came of an attempt to send a mail.
type Note struct {
	Status Status
	Error  *string
	SentAt *clock.Time
}

// Store keeps the mails.
type Store interface {
	change.Transactor
	AddMail(ctx context.Context, e *Entry) error
	// Mail reads one mail with its sealed content, or fault.NotFound.
	Mail(ctx context.Context, id string) (Entry, error)
	// Mails lists mails without their content, the newest first.
	Mails(ctx context.Context, f Filter) ([]Entry, error)
	// ClaimMail takes a queued mail that nobody holds, and counts the attempt.
	ClaimMail(ctx context.Context, id string, now, until clock.Time) (bool, error)
	// NoteMail ends a claim. It reports whether the mail was still queued.
	NoteMail(ctx context.Context, id string, n Note) (bool, error)
}

// Queue has a mail delivered later, if the transaction of the context commits.
type Queue interface {
	Deliver(ctx context.Context, id string) error
}

// Carrier hands a message to a mail server. It returns a Refusal where trying again
// is of no use.
type Carrier interface {
	Carry(ctx context.Context, m *Message) error
}

// Refusal is a mail server's last word on a message.
type Refusal struct{ error }

// Refused makes an error a refusal.
func Refused(err error) Refusal { return Refusal{err} }

func (r Refusal) Unwrap() error { return r.error }

// Config is what a Service works with.
type Config struct {
	Store   Store
	Box     *secret.Box
	Queue   Queue
	Carrier Carrier // nil: nothing is sent, everything is kept
	Now     clock.Clock
	Pauses  []time.Duration // between attempts; a day in all where none are given
	// Wanted reports whether a mail about a record should still leave; nil where all do.
	Wanted func(ctx context.Context, in access.Portfolio, about, to string) (bool, error)
	// Follow tells what became of a mail to the record that it is about, within the
	// transaction that notes it; nil where nobody follows.
	Follow func(ctx context.Context, in access.Portfolio, about string, s Status) error
}

// Service is the way of every mail.
type Service struct{ Config }

// New makes the service.
func New(c Config) *Service {
	if c.Pauses == nil {
		c.Pauses = pauses
	}
	return &Service{c}
}

// pauses lie between one attempt and the next, a day in all; after the last one a
// mail has failed.
var pauses = []time.Duration{
	10 * time.Second,
	30 * time.Second,
	time.Minute,
	2 * time.Minute,
	5 * time.Minute,
	10 * time.Minute,
	20 * time.Minute,
	40 * time.Minute,
	time.Hour,
	2 * time.Hour,
	3 * time.Hour,
	4 * time.Hour,
	6 * time.Hour,
	6 * time.Hour,
}

// SendTime is the most that a mail server gets for one mail, and NoteTime the most that
// the store gets to take down what became of it. A claim outlasts both, so that nobody
// else takes up a mail that is on its way.
const (
	SendTime  = 60 * time.Second
	NoteTime  = 40 * time.Second // more than a write waits for another one
	claimTime = SendTime + NoteTime + 10*time.Second
)

// Sends reports whether mail leaves from here.
func (s *Service) Sends() bool { return s.Carrier != nil }

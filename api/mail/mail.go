// Package mail takes email along with the transaction that causes it, and sees each
// one to its end: sent, failed, or kept where nothing may leave.
//
// It knows no record that a mail is about, no queue, no SQL and no mail server; it is
// given them.
package mail

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"net/url"
	"regexp"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"portal/api/access"
	"portal/api/change"
	"portal/api/clock"
	"portal/api/contact"
	"portal/api/fault"
	"portal/api/id"
	"portal/api/secret"
)

// SealPurpose binds what is sealed here to this use.
const SealPurpose = "mail"

// Message is an email with a text and an HTML part. To, Subject and Unsubscribe are
// of one line; Send sees to it.
type Message struct {
	ID          string           `json:"-"`                 // given by Send; also the left part of the Message-ID
	CreatedAt   clock.Time       `json:"-"`                 // given by Send
	AccountID   string           `json:"-"`                 // whose mail it is, "" for nobody's
	Portfolio   access.Portfolio `json:"-"`                 // the zero value for none
	About       string           `json:"-"`                 // id of the record that follows the mail, "" for none
	Topic       string           `json:"topic,omitempty"`   // what it is to that record, "" where there is one kind
	Status      Status           `json:"-"`                 // given by Send: Queued, Kept or Failed
	Request     int              `json:"request,omitempty"` // number of what it asks of that record, 0 for none
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

// Post takes an email along with the transaction of the context.
type Post interface {
	Send(ctx context.Context, m *Message) error
}

// Queue has a mail delivered later, if the transaction of the context commits.
type Queue interface {
	Deliver(ctx context.Context, id string) error
}

// Carrier hands a message to a mail server, and gives its answer. It returns a Refusal where
// trying again is of no use.
type Carrier interface {
	Carry(ctx context.Context, m *Message) (answer string, err error)
}

// Followed is what became of a mail that was queued, for the record that it is about.
type Followed struct {
	ID     string
	Topic  string // that of the Message
	To     string
	Status Status // Sent or Failed
	Words  string // the mail server's answer, or why it has failed; without a secret
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
	Wanted func(ctx context.Context, in access.Portfolio, m *Message) (bool, error)
	// Follow tells what became of a queued mail to the record that it is about, within the
	// transaction that notes it; nil where nobody follows.
	Follow func(ctx context.Context, in access.Portfolio, about string, f Followed) error
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

// Send takes a message along with the transaction of the context: it leaves if and
// only if that commits. In test mode, or without a mail server, it is kept instead. One
// whose address no mail server takes has failed at once, and undoes nothing.
func (s *Service) Send(ctx context.Context, m *Message) error {
	if err := oneLine(m); err != nil {
		return fmt.Errorf("send a mail: %w", err)
	}
	content, err := json.Marshal(m)
	if err != nil {
		return err
	}
	return s.Store.Atomically(ctx, func(ctx context.Context) error {
		now := s.Now()
		m.ID, m.CreatedAt = id.New(id.Mail, now), clock.At(now)
		e := m.entry(s.Box.Seal(SealPurpose, string(content)))
		if !s.leaves(e.Mode) {
			e.Status = Kept
		}
		if _, err := contact.Email(m.To); err != nil {
			e.Status, e.LastError = Failed, new(err.Error())
		}
		m.Status = e.Status
		if err := s.Store.AddMail(ctx, e); err != nil {
			return fmt.Errorf("keep a mail: %w", err)
		}
		switch {
		case e.Status == Queued:
			return s.Queue.Deliver(ctx, e.ID)
		case e.Status == Failed && m.About != "" && s.Follow != nil:
			return s.Follow(ctx, m.Portfolio, m.About, Followed{m.ID, m.Topic, m.To, Failed, *e.LastError})
		}
		return nil
	})
}

// leaves reports whether mail of a mode is sent at all.
func (s *Service) leaves(mode access.Mode) bool { return s.Carrier != nil && mode != access.Test }

func (m *Message) entry(sealed []byte) *Entry {
	e := &Entry{
		ID:        m.ID,
		Mode:      m.Portfolio.Mode,
		Status:    Queued,
		To:        m.To,
		Subject:   m.Subject,
		CreatedAt: m.CreatedAt,
		Sealed:    sealed,
	}
	if e.Mode == "" {
		e.Mode = access.Live
	}
	if m.AccountID != "" {
		e.AccountID = &m.AccountID
	}
	if m.Portfolio.ID != 0 {
		e.PortfolioID = &m.Portfolio.ID
	}
	if m.About != "" {
		e.About = &m.About
	}
	return e
}

// oneLine leaves nothing in what becomes a header that could end it and begin
// another: names and addresses of people stand in a subject.
func oneLine(m *Message) error {
	m.To, m.Subject = words(m.To), words(m.Subject)
	if m.Unsubscribe == "" {
		return nil
	}
	u, err := url.Parse(m.Unsubscribe)
	if err != nil || u.Host == "" || u.Scheme != "https" && u.Scheme != "http" ||
		strings.ContainsAny(m.Unsubscribe, "<>, ") {
		return fmt.Errorf("the address to unsubscribe at is none: %q", m.Unsubscribe)
	}
	return nil
}

// words are those of a text, with one space between two.
func words(s string) string {
	return strings.Join(strings.FieldsFunc(strings.ToValidUTF8(s, "\ufffd"), func(r rune) bool {
		return unicode.IsSpace(r) || unicode.IsControl(r) || r == '\u2028' || r == '\u2029'
	}), " ")
}

// open reads the message of an entry.
func (s *Service) open(e *Entry) (*Message, error) {
	m := &Message{ID: e.ID, CreatedAt: e.CreatedAt, Portfolio: e.portfolio()}
	if e.About != nil {
		m.About = *e.About
	}
	if e.AccountID != nil {
		m.AccountID = *e.AccountID
	}
	content, err := s.Box.Open(SealPurpose, e.Sealed)
	if err != nil {
		return nil, err
	}
	return m, json.Unmarshal([]byte(content), m)
}

// StoredMail is a mail to be read: what is stored of it and its content, which is nil
// when it has been forgotten.
type StoredMail struct {
	Entry
	Content *Message
}

// Mails lists mails, one more than the limit if there is one.
func (s *Service) Mails(ctx context.Context, f Filter) ([]Entry, error) {
	return s.Store.Mails(ctx, f)
}

// Mail is one mail with its content. Only who sees the account may be shown it. One that
// cannot be opened comes with the error and without its content.
func (s *Service) Mail(ctx context.Context, id string) (*StoredMail, error) {
	e, err := s.Store.Mail(ctx, id)
	if err != nil {
		return nil, err
	}
	l := &StoredMail{Entry: e}
	if e.Sealed == nil {
		return l, nil
	}
	if l.Content, err = s.open(&e); err != nil {
		l.Content, err = nil, fmt.Errorf("open the content of %s: %w", id, err)
	}
	return l, err
}

// MailsIn lists the mails of a portfolio.
func (s *Service) MailsIn(ctx context.Context, in access.Portfolio, f Filter) ([]Entry, error) {
	f.Portfolio = in.ID
	return s.Store.Mails(ctx, f)
}

// MailIn is one mail of a portfolio, or fault.NotFound.
func (s *Service) MailIn(ctx context.Context, in access.Portfolio, id string) (*StoredMail, error) {
	l, err := s.Mail(ctx, id)
	if err == nil && (l.PortfolioID == nil || *l.PortfolioID != in.ID) {
		err = fault.NotFound("mail")
	}
	if err != nil {
		return nil, err
	}
	return l, nil
}

// Outcome is what an attempt came to. Again is the pause before the next one, 0
// where nothing is left to do.
type Outcome struct {
	Status  Status
	Attempt int
	Error   string // "" where nothing went wrong; without a secret
	Again   time.Duration
}

// Deliver tries once to send a mail that is queued. Of several that try at the same
// time one does. A repeat is possible only where a process ended between the mail
// server's acceptance and the note of it; it carries the same Message-ID.
//
// Without a mail server it waits: another node has one, or this one will.
func (s *Service) Deliver(ctx context.Context, id string) (Outcome, error) {
	if !s.Sends() {
		return Outcome{Status: Queued, Again: time.Minute}, nil
	}
	now := clock.At(s.Now())
	claimed, err := s.Store.ClaimMail(ctx, id, now, now+clock.Time(claimTime.Milliseconds()))
	if err != nil {
		return Outcome{}, fmt.Errorf("claim a mail: %w", err)
	}
	e, err := s.Store.Mail(ctx, id)
	if err != nil {
		return Outcome{}, fmt.Errorf("read a mail: %w", err)
	}
	if !claimed {
		return discardedOutcome(&e, now), nil
	}
	return s.noted(context.WithoutCancel(ctx), s.carry(ctx, &e))
}

// attempt is an attempt to send a mail.
type attempt struct {
	*Entry
	topic  string // "" where the message could not be read
	answer string // of the mail server that has taken it
	err    error
}

// noted notes what an attempt came to, again and again until the claim is about to
// lapse: a store that is busy or away for a while makes no mail leave twice.
func (s *Service) noted(ctx context.Context, a attempt) (Outcome, error) {
	ctx, cancel := context.WithTimeout(ctx, NoteTime)
	defer cancel()
	for {
		o, err := s.note(ctx, &a)
		if !fault.Is(err, fault.Unavailable) || ctx.Err() != nil {
			return o, err
		}
		select {
		case <-ctx.Done():
		case <-time.After(time.Second):
		}
	}
}

// discardedOutcome is the outcome for a caller that could not claim the mail: the mail is finished, or
// another process has it and may still crash.
func discardedOutcome(e *Entry, now clock.Time) Outcome {
	o := Outcome{Status: e.Status, Attempt: e.Attempts}
	if e.Status == Queued && e.ClaimedUntil != nil {
		o.Again = max(time.Duration(*e.ClaimedUntil-now)*time.Millisecond, 0) + time.Second
	}
	return o
}

// errKept says that a mail stays here.
var errKept = errors.New("mail of this mode is not sent here")

// errUnwanted says that a mail must not leave any more.
var errUnwanted = Refused(errors.New(
	"no longer wanted: the recipient gets no more of these, or what it is about has ended",
))

func (s *Service) carry(ctx context.Context, e *Entry) (a attempt) {
	a.Entry = e
	if !s.leaves(e.Mode) {
		a.err = errKept
		return a
	}
	m, err := s.open(e)
	if err != nil {
		a.err = err // another key may be set right in time
		return a
	}
	a.topic = m.Topic
	if e.About != nil && s.Wanted != nil {
		if wanted, err := s.Wanted(ctx, e.portfolio(), m); err != nil || !wanted {
			a.err = cmp.Or(err, error(errUnwanted))
			return a
		}
	}
	ctx, cancel := context.WithTimeout(ctx, SendTime)
	defer cancel()
	a.answer, a.err = s.Carrier.Carry(ctx, m)
	return a
}

// note writes down what an attempt came to; the record that the mail is about follows
// in the same transaction.
func (s *Service) note(ctx context.Context, a *attempt) (o Outcome, err error) {
	e := a.Entry
	o = s.outcome(e, a.err)
	n := Note{Status: o.Status}
	if o.Error != "" {
		n.Error = &o.Error
	}
	if o.Status == Sent {
		n.SentAt = new(clock.At(s.Now()))
	}
	err = s.Store.Atomically(ctx, func(ctx context.Context) error {
		queued, err := s.Store.NoteMail(ctx, e.ID, n)
		if err != nil || !queued || e.About == nil || s.Follow == nil || o.Status != Sent && o.Status != Failed {
			return err
		}
		words := o.Error
		if o.Status == Sent {
			words = answered(a.answer)
		}
		return s.Follow(ctx, e.portfolio(), *e.About, Followed{e.ID, a.topic, e.To, o.Status, words})
	})
	if err != nil {
		err = fmt.Errorf("note what became of a mail: %w", err)
	}
	return o, err
}

func (s *Service) outcome(e *Entry, sent error) Outcome {
	o := Outcome{Status: Queued, Attempt: e.Attempts}
	refusal := Refusal{}
	switch {
	case sent == nil:
		o.Status = Sent
		return o
	case errors.Is(sent, errKept):
		o.Status = Kept
		return o
	case errors.As(sent, &refusal), e.Attempts > len(s.Pauses):
		o.Status = Failed
	default:
		o.Again = s.Pauses[max(e.Attempts, 1)-1]
	}
	o.Error = scrubbed(sent.Error())
	return o
}

// secrets are links and tokens in a server's answer: spam filters repeat the links of a mail that
// they refuse, and those open an application.
var secrets = regexp.MustCompile(`(?i)\b(?:https?:|www\.)\S+|[\w/+=-]{24,}`)

// longest is how much of an error is kept, in runes.
const longest = 300

// scrubbed is an error without what may be a secret, in bounded length.
func scrubbed(text string) string { return bounded(secrets.ReplaceAllString(text, "[…]")) }

// links are addresses of pages in a server's answer.
var links = regexp.MustCompile(`(?i)\b(?:https?:|www\.)\S+`)

// answered is the answer of a mail server that has taken a mail: one line, with the id that it has
// given the mail there.
func answered(text string) string { return bounded(words(links.ReplaceAllString(text, "[…]"))) }

// bounded is a text in bounded length.
func bounded(text string) string {
	if utf8.RuneCountInString(text) > longest {
		text = string([]rune(text)[:longest]) + "…"
	}
	return text
}

// mostToOne is how many emails with a link a portfolio sends to one recipient within an hour.
const mostToOne = 5

// Counter counts emails.
type Counter interface {
	// CountMail counts an email to a subject in the transaction of the context, unless so many were counted within a
	// span before now: then it tells for how long the next one has to wait.
	CountMail(ctx context.Context, subject string, now, span clock.Time, most int) (wait clock.Time, err error)
}

// SpareRecipient counts an email with a link that somebody has a portfolio send to a recipient, whatever the case of
// the address, and refuses the sixth within an hour with fault.RateLimited. Those of test mode, which are kept
// instead of sent, count alike.
func SpareRecipient(ctx context.Context, c Counter, in access.Portfolio, to string, now clock.Time) error {
	sum := sha256.Sum256([]byte(strings.ToLower(to)))
	subject := fmt.Sprintf("portfolio %d %x", in.ID, sum[:16])
	wait, err := c.CountMail(ctx, subject, now, clock.Time(time.Hour.Milliseconds()), mostToOne)
	if err != nil || wait == 0 {
		return err
	}
	f := fault.New(
		fault.RateLimited,
		"This portfolio has sent %d emails to %s within an hour, the most that one recipient gets.",
		mostToOne,
		to,
	)
	f.Retry = int((wait + 999) / 1000)
	return f
}

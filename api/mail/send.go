package mail

import (
	"context"
	"encoding/json"
	"fmt"
	"net/url"
	"strings"
	"unicode"

	"portal/api/access"
	"portal/api/clock"
	"portal/api/contact"
	"portal/api/id"
)

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
		if err := s.Store.AddMail(ctx, e); err != nil {
			return fmt.Errorf("keep a mail: %w", err)
		}
		switch {
		case e.Status == Queued:
			return s.Queue.Deliver(ctx, e.ID)
		case e.Status == Failed && m.About != "" && s.Follow != nil:
			return s.Follow(ctx, m.Portfolio, m.About, Failed)
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

package mail

import (
	"context"
)

// Letter is a mail to be read: what is stored of it and its content, which is nil
// when it has been forgotten.
type Letter struct {
	Entry
	Content *Message
}

// Mails lists mails, the newest first, one more than the limit if there is one.
func (s *Service) Mails(ctx context.Context, f Filter) ([]Entry, error) {
	return s.Store.Mails(ctx, f)
}

// Mail is one mail with its content. Only who sees the account may be shown it.
func (s *Service) Mail(ctx context.Context, id string) (*Letter, error) {
	e, err := s.Store.Mail(ctx, id)
	if err != nil {
		return nil, err
	}
	l := &Letter{Entry: e}
	if e.Sealed != nil {
		l.Content, err = s.open(&e)
	}
	return l, err
}

package mail

import (
	"context"
	"fmt"

	"portal/api/access"
	"portal/api/fault"
)

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

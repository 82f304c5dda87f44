package evidence

import (
	"context"
	"embed"
	"errors"
	"fmt"
	"log/slog"
	"time"

	"portal/api/access"
	"portal/api/mail"
)

// Head is the end of the log of a lease's document.
type Head struct {
	LeaseID    string
	DocumentID string
	Address    string // of the lease's home
	Entries    int    // of the log
	Hash       string // of the last entry, in hex
}

// HeadOwner is somebody who wants the heads of an account's leases by email.
type HeadOwner struct {
	AccountID string
	Account   string // its name
	Email     string
}

// HeadStore keeps the heads, and who wants them.
type HeadStore interface {
	// Exclusively runs do in one transaction that no other change of the portfolio comes between.
	Exclusively(ctx context.Context, in access.Portfolio, do func(context.Context) error) error
	// Untold are portfolios with a log that has grown since its head was told, in the order of their ids,
	// behind one and at most so many.
	Untold(ctx context.Context, behind int64, most int) ([]access.Portfolio, error)
	// TakeUntold marks the heads of a portfolio that were not told as told, and gives them in the order of
	// their leases.
	TakeUntold(ctx context.Context, in access.Portfolio) ([]Head, error)
	// HeadOwners are the owners of a portfolio's account who want the heads by email: nobody where the
	// account is closed.
	HeadOwners(ctx context.Context, in access.Portfolio) ([]HeadOwner, error)
}

// HeadNotices tells once a day how long the logs of leases are and what their last hashes are: to the log
// of the service, and by email to owners who want it. A log is whole after its database was put back to an
// earlier moment; what was told outside of the database shows that entries are gone.
type HeadNotices struct {
	Store   HeadStore
	Post    mail.Post
	Log     *slog.Logger
	BaseURL string // public address, which links begin with
}

// batch is how many portfolios are read at a time.
const batch = 100

// Tell tells the head of each log that has grown since it was told, those of demo portfolios and closed
// accounts to the log of the service alone. A portfolio that fails keeps no other back, and is told the next
// time. A head is logged at least once, and mailed once.
func (s *HeadNotices) Tell(ctx context.Context, now time.Time) error {
	var failed []error
	behind := int64(0)
	for {
		all, err := s.Store.Untold(ctx, behind, batch)
		if err != nil {
			return errors.Join(append(failed, fmt.Errorf("list portfolios with untold heads: %w", err))...)
		}
		if len(all) == 0 {
			return errors.Join(failed...)
		}
		for _, in := range all {
			behind = in.ID
			if err := s.tell(ctx, in, now); err != nil {
				failed = append(failed, fmt.Errorf("tell the heads of portfolio %d: %w", in.ID, err))
			}
			if ctx.Err() != nil {
				return errors.Join(failed...)
			}
		}
	}
}

// tell tells the heads of a portfolio. They are logged before the commit: a process that ends in between logs
// them once more.
func (s *HeadNotices) tell(ctx context.Context, in access.Portfolio, now time.Time) error {
	return s.Store.Exclusively(ctx, in, func(ctx context.Context) error {
		all, err := s.Store.TakeUntold(ctx, in)
		if err != nil || len(all) == 0 {
			return err // told by another node meanwhile
		}
		for _, h := range all {
			s.Log.InfoContext(ctx, "head of the log of a lease",
				"lease", h.LeaseID,
				"document", h.DocumentID,
				"entries", h.Entries,
				"head", h.Hash,
				"mode", in.Mode)
		}
		if in.Mode != access.Live {
			return nil
		}
		return s.mail(ctx, in, all, now)
	})
}

// mail sends the heads of a portfolio to each owner who wants them.
func (s *HeadNotices) mail(ctx context.Context, in access.Portfolio, all []Head, now time.Time) error {
	owners, err := s.Store.HeadOwners(ctx, in)
	if err != nil {
		return err
	}
	for _, o := range owners {
		m, err := s.email(in, o, all, now)
		if err != nil {
			return err
		}
		if err := s.Post.Send(ctx, m); err != nil {
			return err
		}
	}
	return nil
}

//go:embed emails
var templateFiles embed.FS

var templates = mail.ReadTemplates(templateFiles, nil)

// listed is how many heads an email has at most. The others are in the log of the service.
const listed = 500

func (s *HeadNotices) email(in access.Portfolio, o HeadOwner, all []Head, now time.Time) (*mail.Message, error) {
	day := now.UTC().Format("January 2, 2006")
	return templates.Fill("heads", &mail.Message{
		AccountID: o.AccountID,
		Portfolio: in,
		To:        o.Email,
		Subject:   fmt.Sprintf("Lease records of %s: %d changed", day, len(all)),
	}, struct {
		Account, Day, Verify, Settings string
		Heads                          []Head
		More                           int
	}{
		o.Account,
		day,
		s.BaseURL + "/verify",
		s.BaseURL + "/settings/mail",
		all[:min(len(all), listed)],
		max(len(all)-listed, 0),
	})
}

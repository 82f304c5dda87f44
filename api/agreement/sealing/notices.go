package sealing

import (
	"context"
	"crypto/sha256"
	"embed"
	"errors"
	"fmt"
	"time"

	"portal/api/change"
	"portal/api/clock"
	"portal/api/mail"
)

// last is how long before the end of a certificate the staff is told for the second time.
const last = 7 * 24 * time.Hour

// remembered is how long it is known who was told: longer than any certificate is good for and used.
const remembered = 20 * 365 * 24 * time.Hour

// Person is somebody of the staff.
type Person struct{ ID, Email string }

// NoticeStore knows the staff, and keeps who was told.
type NoticeStore interface {
	change.Transactor
	// Staff are all people of the staff, in the order of their ids.
	Staff(ctx context.Context) ([]Person, error)
	// CountMail counts an email in the transaction of the context, unless so many were sent within a
	// span: then it tells for how long the next one has to wait.
	CountMail(ctx context.Context, subject string, now, span clock.Time, most int) (wait clock.Time, err error)
}

// Notices tells the staff that the certificate of a key ends.
type Notices struct {
	Key   *Key
	Store NoticeStore
	Post  mail.Post
	Now   clock.Clock
}

//go:embed emails
var templateFiles embed.FS

var templates = mail.ReadTemplates(templateFiles, nil)

// TellOfExpiry writes to each person of the staff about a certificate that ends within 30 days or has ended:
// once, and once more from 7 days before its end on, however often and on however many nodes it is called.
// Where one cannot be told the others are.
func (n *Notices) TellOfExpiry(ctx context.Context) error {
	left := n.Key.Expires().Sub(n.Now())
	if left > ahead {
		return nil
	}
	stage := "first"
	if left <= last {
		stage = "last"
	}
	staff, err := n.Store.Staff(ctx)
	if err != nil {
		return fmt.Errorf("list the staff: %w", err)
	}
	var failed []error
	for _, p := range staff {
		if err := n.tell(ctx, p, stage); err != nil {
			failed = append(failed, fmt.Errorf("tell %s of the end of the seal's certificate: %w", p.ID, err))
		}
	}
	return errors.Join(failed...)
}

// tell writes to a person, unless they were told at this stage already.
func (n *Notices) tell(ctx context.Context, p Person, stage string) error {
	subject := fmt.Sprintf("seal certificate %x %s %s", sha256.Sum256(n.Key.Certificate().Raw), stage, p.ID)
	return n.Store.Atomically(ctx, func(ctx context.Context) error {
		now := clock.At(n.Now())
		wait, err := n.Store.CountMail(ctx, subject, now, clock.Time(remembered.Milliseconds()), 1)
		if err != nil || wait > 0 {
			return err
		}
		m, err := n.email(p)
		if err != nil {
			return err
		}
		return n.Post.Send(ctx, m)
	})
}

// email says when the certificate ends, and what to do.
func (n *Notices) email(p Person) (*mail.Message, error) {
	ends, ended := n.Key.Expires().UTC(), !n.Key.Expires().After(n.Now())
	subject := "Seal certificate expires on " + ends.Format("January 2, 2006")
	if ended {
		subject = "Seal certificate expired on " + ends.Format("January 2, 2006")
	}
	certificate := n.Key.Certificate()
	return templates.Fill("expiry", &mail.Message{To: p.Email, Subject: subject}, struct {
		Name, Fingerprint, Ends string
		Ended, SelfMade         bool
	}{
		certificate.Subject.String(),
		fmt.Sprintf("%x", sha256.Sum256(certificate.Raw)),
		ends.Format("January 2, 2006, 15:04 UTC"),
		ended,
		n.Key.SelfMade(),
	})
}

package account

import (
	"context"
	"embed"
	"fmt"
	"slices"
	"strings"
	"time"

	"portal/api/audit"
	"portal/api/clock"
	"portal/api/fault"
	"portal/api/mail"
	"portal/api/portfolio"
	"portal/api/secret"
)

// Emails is how people change their email address, and take that back.
type Emails struct {
	*common
	passwords     *Passwords
	secondFactors *SecondFactors
}

// EmailChange is what a link about a change of address shows.
type EmailChange struct {
	From, To  string
	ExpiresAt clock.Time
}

// AskEmail sends a link to the address (param email) that the visitor, who has confirmed
// who they are, wants to sign in with from now on. Whether the address is somebody else's
// its owner is told alone.
func (s *Emails) AskEmail(ctx context.Context, v *Visitor, email string, from Client) error {
	if err := v.whole(); err != nil {
		return err
	}
	if err := s.fresh(v); err != nil {
		return err
	}
	email, err := address(email)
	if err != nil {
		return err
	}
	if email == v.Email {
		return fault.New(fault.InvalidField, "This is already your email address.").At("email")
	}
	p, err := s.person(ctx, v.UserID)
	if err != nil {
		return err
	}
	if err := s.sparing(ctx, "user "+p.ID, email); err != nil {
		return err
	}
	return s.evenly(ctx, func() error {
		return s.ifMailable(
			from.by(ctx, v.UserID),
			email,
			from,
			func(ctx context.Context) error { return s.sendEmailLink(ctx, p, email, from) },
		)
	})
}

func (s *Emails) sendEmailLink(ctx context.Context, p *Person, email string, from Client) error {
	if err := s.Store.EndLinks(ctx, p.ID, ConfirmEmail); err != nil {
		return err
	}
	if err := s.audit.Record(ctx, audit.Event{Action: "user.email_asked", Target: p.ID}); err != nil {
		return err
	}
	_, taken, err := s.Store.PersonByEmail(ctx, email)
	if err != nil {
		return err
	}
	if taken {
		return s.write(ctx, "taken", from, emailData{To: email, Subject: "You already have an account", Name: p.Email})
	}
	token, l, err := s.addLink(ctx, p.ID, ConfirmEmail, email)
	if err != nil {
		return err
	}
	return s.write(ctx, "email", from, emailData{
		To:      email,
		Subject: "Confirm your new email address",
		Name:    p.Email,
		Link:    s.BaseURL + "/email/" + token,
		Do:      "Confirm the address",
		Until:   words(l.ExpiresAt),
	})
}

// EmailOf is what the link to a new address would change, or fault.NoRecord.
func (s *Emails) EmailOf(ctx context.Context, token string) (EmailChange, error) {
	return s.emailChange(ctx, token, ConfirmEmail)
}

// UndoOf is what the link to an old address would change, or fault.NoRecord.
func (s *Emails) UndoOf(ctx context.Context, token string) (EmailChange, error) {
	return s.emailChange(ctx, token, UndoEmail)
}

func (s *Emails) emailChange(ctx context.Context, token string, purpose Purpose) (EmailChange, error) {
	l, err := s.link(ctx, token, purpose)
	if err != nil {
		return EmailChange{}, err
	}
	p, err := s.person(ctx, l.UserID)
	return EmailChange{p.Email, l.Email, l.ExpiresAt}, err
}

// ChangeEmail changes the address by the link to the new one, once. The old one gets a
// link to undo it, and the sessions end: anybody who has one signs in with the new address.
func (s *Emails) ChangeEmail(ctx context.Context, token string, from Client) error {
	return s.Store.Atomically(ctx, func(ctx context.Context) error {
		l, p, err := s.use(ctx, token, ConfirmEmail)
		if err != nil {
			return err
		}
		ctx = from.by(ctx, p.ID)
		old := p.Email
		if err := s.setEmail(ctx, p, l.Email, "user.email_changed"); err != nil {
			return err
		}
		undo, ul, err := s.addLink(ctx, p.ID, UndoEmail, old)
		if err != nil {
			return err
		}
		return s.write(ctx, "changed", from, emailData{
			To:      old,
			Subject: "Your email address was changed",
			Name:    l.Email,
			Link:    s.BaseURL + "/email/undo/" + undo,
			Do:      "Undo change",
			Until:   words(ul.ExpiresAt),
		})
	})
}

// setEmail changes an address. Every session ends, and with it whatever was sent to the
// address that is not theirs any more.
func (s *Emails) setEmail(ctx context.Context, p *Person, email, action string) error {
	free, err := s.Store.SetEmail(ctx, p.ID, email)
	if err != nil {
		return err
	}
	if !free {
		return fault.New(fault.InvalidTransition, "This address belongs to another account now.").At("email")
	}
	for _, purpose := range []Purpose{ResetPassword, ConfirmEmail} {
		if err := s.Store.EndLinks(ctx, p.ID, purpose); err != nil {
			return err
		}
	}
	if err := s.Store.RevokeSessions(ctx, p.ID, ""); err != nil {
		return err
	}
	return s.audit.Record(ctx, audit.Event{Action: action, Target: p.ID})
}

// noPassword is the hash that no password has.
const noPassword = ""

// UndoEmail takes a change of address back by the link to the old one, once. Second
// factors that were added since go too, and so does the password, which somebody else
// knows: another link lets the owner choose a new one.
func (s *Emails) UndoEmail(ctx context.Context, token string, from Client) error {
	return s.Store.Atomically(ctx, func(ctx context.Context) error {
		l, p, err := s.use(ctx, token, UndoEmail)
		if err != nil {
			return err
		}
		ctx = from.by(ctx, p.ID)
		if err := s.setEmail(ctx, p, l.Email, "user.email_change_undone"); err != nil {
			return err
		}
		if err := s.endSince(ctx, p, l.CreatedAt); err != nil {
			return err
		}
		if err := s.Store.SetPassword(ctx, p.ID, noPassword); err != nil {
			return err
		}
		p.Email = l.Email
		return s.passwords.sendReset(ctx, p, from)
	})
}

// endSince takes away what was added for signing in since a moment.
func (s *Emails) endSince(ctx context.Context, p *Person, since clock.Time) error {
	if p.TOTPSince != nil && *p.TOTPSince >= since {
		if err := s.Store.SetTOTP(ctx, p.ID, nil, nil, p.TOTPStep); err != nil {
			return err
		}
	}
	if err := s.Store.RemovePasskeysSince(ctx, p.ID, since); err != nil {
		return err
	}
	if err := s.Store.EndLinks(ctx, p.ID, UndoEmail); err != nil {
		return err
	}
	_, err := s.secondFactors.recoverable(ctx, p.ID)
	return err
}

//go:embed emails
var templateFiles embed.FS

var templates = mail.ReadTemplates(templateFiles, nil)

// emailData is what the templates tell of. None is kept with an account: its members may
// read that mail, and a link is for its recipient alone.
type emailData struct {
	To      string
	Subject string

	Link, Do string // where it leads, and what that does
	Name     string // of the account, or an address
	By, Role string // of an invitation
	What     string // has happened
	Until    string
	At       string
	Address  string
	Agent    string
}

// write fills a template and sends the email along with the transaction of the context.
func (s *common) write(ctx context.Context, template string, from Client, l emailData) error {
	l.At, l.Address, l.Agent = words(s.moment()), from.IP(), Browser(from.UserAgent)
	m, err := templates.Fill(template, &mail.Message{To: l.To, Subject: l.Subject}, l)
	if err != nil {
		return fmt.Errorf("write the email %s: %w", template, err)
	}
	return s.Post.Send(ctx, m)
}

// notify tells a person what has happened to their account.
func (s *common) notify(ctx context.Context, to string, from Client, subject, format string, args ...any) error {
	return s.write(ctx, "notice", from, emailData{
		To:      to,
		Subject: subject,
		What:    fmt.Sprintf(format, args...),
		Link:    s.BaseURL + "/reset",
	})
}

// words is a moment as people read it.
func words(t clock.Time) string { return t.Std().Format("January 2, 2006, 15:04 UTC") }

// Notices are those that the visitor gets of their account.
func (s *Members) Notices(ctx context.Context, v *Visitor) ([]portfolio.Notice, error) {
	if err := v.member(); err != nil {
		return nil, err
	}
	chosen, err := s.Store.Notices(ctx, v.Account.AccountID, v.UserID)
	if err != nil {
		return nil, err
	}
	r := portfolio.Reader{Role: v.Account.Role, Chosen: chosen}
	return slices.DeleteFunc(portfolio.Notices(), func(n portfolio.Notice) bool { return !r.Wants(n) }), nil
}

// ChooseNotices lets the visitor get these notices of their account, and no others.
func (s *Members) ChooseNotices(ctx context.Context, v *Visitor, wanted []string) error {
	if err := v.member(); err != nil {
		return err
	}
	var all []string
	for _, n := range portfolio.Notices() {
		if slices.Contains(wanted, string(n)) {
			all = append(all, string(n))
		}
	}
	if len(all) != len(wanted) {
		return fault.New(fault.InvalidField, "Choose from the listed emails.").At("notices")
	}
	return s.Store.SetNotices(ctx, v.Account.AccountID, v.UserID, strings.Join(all, ","))
}

// LeaseRecordMail reports whether the visitor, an owner, gets the day's lease records by email.
func (s *Members) LeaseRecordMail(ctx context.Context, v *Visitor) (bool, error) {
	if err := v.owner(); err != nil {
		return false, err
	}
	return s.Store.LeaseRecordMail(ctx, v.Account.AccountID, v.UserID)
}

// ChooseLeaseRecordMail lets the visitor, an owner, get the day's lease records by email, or not.
func (s *Members) ChooseLeaseRecordMail(ctx context.Context, v *Visitor, wanted bool) error {
	if err := v.owner(); err != nil {
		return err
	}
	return s.Store.SetLeaseRecordMail(ctx, v.Account.AccountID, v.UserID, wanted)
}

// Purpose is what a link in an email does.
type Purpose string

// The purposes of links.
const (
	ResetPassword Purpose = "reset"
	ConfirmEmail  Purpose = "email"
	UndoEmail     Purpose = "undo"
)

// linkTimes are how long links work.
var linkTimes = map[Purpose]time.Duration{
	ResetPassword: time.Hour,
	ConfirmEmail:  24 * time.Hour,
	UndoEmail:     7 * 24 * time.Hour,
}

// Link is a link in an email to a user.
type Link struct {
	TokenHash []byte
	UserID    string
	Purpose   Purpose
	Email     string // the address that it went to
	CreatedAt clock.Time
	ExpiresAt clock.Time
}

// addLink makes a link for a user that went to an address, and gives its token.
func (s *common) addLink(
	ctx context.Context, userID string, p Purpose, email string,
) (token string, l *Link, err error) {
	token = secret.New()
	l = &Link{
		TokenHash: secret.Hash(token),
		UserID:    userID,
		Purpose:   p,
		Email:     email,
		CreatedAt: s.moment(),
		ExpiresAt: clock.At(s.Now().Add(linkTimes[p])),
	}
	return token, l, s.Store.AddLink(ctx, l)
}

// linked is what was found behind a link that works still.
func linked[T any](v T, found bool, err error) (T, error) {
	if err == nil && !found {
		err = noLink()
	}
	return v, err
}

// link reads a link without using it.
func (s *common) link(ctx context.Context, token string, p Purpose) (Link, error) {
	return linked(s.Store.Link(ctx, secret.Hash(token), p, s.moment()))
}

// use uses a link up, within the transaction of the context.
func (s *common) use(ctx context.Context, token string, p Purpose) (Link, *Person, error) {
	l, err := linked(s.Store.TakeLink(ctx, secret.Hash(token), p, s.moment()))
	if err != nil {
		return l, nil, err
	}
	person, err := s.locked(ctx, l.UserID)
	return l, person, err
}

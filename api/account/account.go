// Package account is the side of the people who sign in: signing up and in, second
// factors, sessions, lost passwords, the team of an account, and its end.
//
// It knows nothing of HTTP, SQL or pages: addresses, browsers and cookies come as values.
package account

import (
	"context"
	"net/netip"
	"slices"
	"strings"
	"time"

	"github.com/go-webauthn/webauthn/webauthn"

	"portal/api/access"
	"portal/api/agreement"
	"portal/api/agreement/amendment"
	"portal/api/agreement/notice"
	"portal/api/audit"
	"portal/api/clock"
	"portal/api/contact"
	"portal/api/developer"
	"portal/api/fault"
	"portal/api/mail"
	"portal/api/portfolio/lease/application"
	"portal/api/portfolio/records"
	"portal/api/secret"
	"portal/api/webhook"
)

// Config is what a Service works with.
type Config struct {
	Store      Store
	Developer  *developer.Service
	Portfolio  *records.Service
	Applicants *application.Applicants
	Agreements *agreement.Service // may be nil: leases are exported as lists show them
	Notices    *notice.Service    // may be nil: no notices are exported
	Amendments *amendment.Service // may be nil: no amendments of leases are exported
	Webhook    *webhook.Service
	Box        *secret.Box
	Post       mail.Post
	Hasher     *secret.Hasher
	Now        clock.Clock
	BaseURL    string        // under which the pages are reached
	Pace       time.Duration // the least that takes whatever must not tell who has an account; 0 in tests
}

// Service is what people can do about themselves and their team.
type Service struct {
	*common
	SignIns       *SignIns
	SecondFactors *SecondFactors
	Passkeys      *Passkeys
	Sessions      *Sessions
	Passwords     *Passwords
	Emails        *Emails
	SignUps       *SignUps
	Invitations   *Invitations
	Members       *Members
	Closing       *Closing
}

// common is what all rules about people share.
type common struct {
	Config
	audit    audit.Log
	passkeys *webauthn.WebAuthn // nil where the base URL takes none
}

// New makes the service.
func New(c Config) *Service {
	c.BaseURL = strings.TrimRight(c.BaseURL, "/")
	o := &common{c, audit.Log{Store: c.Store, Now: c.Now}, relyingParty(c.BaseURL)}
	second := &SecondFactors{o}
	signIns := &SignIns{o, second}
	passwords := &Passwords{o, signIns}
	members := &Members{o}
	return &Service{
		common:        o,
		SignIns:       signIns,
		SecondFactors: second,
		Passkeys:      &Passkeys{o, second},
		Sessions:      &Sessions{o},
		Passwords:     passwords,
		Emails:        &Emails{o, passwords, second},
		SignUps:       &SignUps{o},
		Invitations:   &Invitations{o, members},
		Members:       members,
		Closing:       &Closing{o, members, signIns},
	}
}

// Client is where a request comes from.
type Client struct {
	Address   netip.Addr // behind trusted proxies
	UserAgent string
	RequestID string
	Device    string // the cookie of a known device, "" for none

	Unattended bool // a program of ours asks by itself: that is no sign that somebody is there
}

// by lets what is done within a context be that of a user at a client.
func (f Client) by(ctx context.Context, userID string) context.Context {
	return audit.With(ctx, audit.By{UserID: userID, Address: f.IP(), RequestID: f.RequestID})
}

// IP is the address as text, "" where it is not known.
func (f Client) IP() string {
	if !f.Address.IsValid() {
		return ""
	}
	return f.Address.Unmap().WithZone("").String()
}

// longestAgent is how much of a browser's name is kept, in bytes.
const longestAgent = 400

// Agent is the name of the browser as it is kept: at most 400 bytes of valid UTF-8.
func (f Client) Agent() string {
	s := strings.ToValidUTF8(strings.ReplaceAll(f.UserAgent, "\x00", ""), "")
	return strings.ToValidUTF8(s[:min(len(s), longestAgent)], "")
}

// Person is a user with what their signing in needs to know.
type Person struct {
	ID           string
	Email        string
	PasswordHash string
	Role         developer.UserRole
	CreatedAt    clock.Time

	TOTP      []byte // sealed, nil where there is none
	TOTPSince *clock.Time
	TOTPStep  int64 // the last one whose code was used
	Passkeys  int
}

// second reports whether the password alone does not do.
func (p *Person) second() bool { return p.TOTP != nil || p.Passkeys > 0 }

// address reads the email address of a form, in the form that is stored.
func address(s string) (string, error) {
	a, err := contact.Email(s)
	if err != nil {
		return "", fault.New(fault.InvalidField, "Enter an email address, such as dana@example.com.").At("email")
	}
	return strings.ToLower(a), nil
}

// noLink is the answer for a link that opens nothing, whether it never did or was used.
func noLink() *fault.Error {
	return fault.New(
		fault.NoRecord,
		"This link does not work any more. It was used already, has expired, or a newer one has taken its place.",
	)
}

// moment is now.
func (s *common) moment() clock.Time { return clock.At(s.Now()) }

// How many forms are kept within an hour whose sessions have ended: of one user, and of all who send
// them from one address.
const (
	typedForms        = 30
	addressTypedForms = 120
)

// AdmitTyped counts a form that a user was shown in an account ("" for none), and reports whether what
// was typed into it may be kept: the user is still there and in that account, which is open, and not
// too many forms were kept within an hour.
func (s *Sessions) AdmitTyped(ctx context.Context, userID, accountID string, from Client) (bool, error) {
	if there, err := s.isIn(ctx, userID, accountID); err != nil || !there {
		return false, err
	}
	err := s.take(ctx, budget{"typed " + userID, typedForms, time.Hour},
		budget{"typed at " + access.ClientOf(from.Address), addressTypedForms, time.Hour})
	if fault.Is(err, fault.RateLimited) {
		return false, nil
	}
	return err == nil, err
}

// isIn reports whether a user is there and a member of an open account, or of none that is named.
func (s *Sessions) isIn(ctx context.Context, userID, accountID string) (bool, error) {
	if accountID == "" {
		_, err := s.person(ctx, userID)
		if fault.Is(err, fault.NoRecord) {
			return false, nil
		}
		return err == nil, err
	}
	all, err := s.Store.Memberships(ctx, userID)
	return slices.ContainsFunc(all, func(m Membership) bool { return m.AccountID == accountID }), err
}

// Package account is the side of the people who sign in: signing up and in, second
// factors, sessions, lost passwords, the team of an account, and its end.
//
// It knows nothing of HTTP, SQL or pages: addresses, browsers and cookies come as values.
package account

import (
	"context"
	"net/netip"
	"strings"
	"time"

	"github.com/go-webauthn/webauthn/webauthn"

	"portal/api/access"
	"portal/api/audit"
	"portal/api/clock"
	"portal/api/contact"
	"portal/api/developer"
	"portal/api/fault"
	"portal/api/list"
	"portal/api/mail"
	"portal/api/password"
	"portal/api/portfolio"
	"portal/api/vault"
	"portal/api/webhook"
)

// Config is what a Service works with.
type Config struct {
	Store     Store
	Developer Accounts
	Portfolio Portfolio
	Webhook   Webhook
	Box       *vault.Box
	Post      Post
	Hasher    *password.Hasher
	Now       clock.Clock
	BaseURL   string        // under which the pages are reached
	Pace      time.Duration // the least that takes whatever must not tell who has an account; 0 in tests
}

// Service is what people can do about themselves and their team.
type Service struct {
	Config
	audit    audit.Log
	passkeys *webauthn.WebAuthn // nil where the base URL takes none
}

// New makes the service.
func New(c Config) *Service {
	c.BaseURL = strings.TrimRight(c.BaseURL, "/")
	return &Service{Config: c, audit: audit.Log{Store: c.Store, Now: c.Now}, passkeys: relyingParty(c.BaseURL)}
}

// Accounts makes accounts and reads their keys.
type Accounts interface {
	// Open makes the account of a user that was just added, within the transaction of the
	// context.
	Open(ctx context.Context, owner developer.User, name string) error
	// KeysOf are all keys of an account, without what opens.
	KeysOf(ctx context.Context, accountID string) ([]developer.Key, error)
	// RevokeKeysOf stops the keys that a user made in an account, or those of sessions
	// alone where the others are kept, within the transaction of the context.
	RevokeKeysOf(ctx context.Context, accountID, userID string, keep bool) (int, error)
	// TellNewOwner writes to every owner of an account that somebody became one, along with
	// the transaction of the context.
	TellNewOwner(ctx context.Context, accountID, email string) error
	// AccessRequestsOf are all requests for access of a member's account, the newest first.
	AccessRequestsOf(ctx context.Context, by developer.Member) ([]developer.AccessRequest, error)
}

// Portfolio reads the records of an account, for taking them along.
type Portfolio interface {
	Properties(ctx context.Context, by access.Actor, f portfolio.PropertyFilter) (*list.Page[portfolio.Property], error)
	Property(ctx context.Context, by access.Actor, id string) (*portfolio.PropertyWithUnits, error)
	Tenants(ctx context.Context, by access.Actor, f portfolio.TenantFilter) (*list.Page[portfolio.Tenant], error)
	Leases(ctx context.Context, by access.Actor, f portfolio.LeaseFilter) (*list.Page[portfolio.Lease], error)
	Tickets(ctx context.Context, by access.Actor, f portfolio.TicketFilter) (*list.Page[portfolio.Ticket], error)
	Payments(ctx context.Context, by access.Actor, f portfolio.PaymentFilter) (*list.Page[portfolio.Payment], error)
	// Applicants come the newest first, at most as many as the limit.
	Applicants(ctx context.Context, by access.Actor, f portfolio.ApplicantFilter) ([]portfolio.Applicant, error)
}

// Webhook is what an account needs of its webhook endpoints.
type Webhook interface {
	// Endpoints reads endpoints, without their secrets.
	Endpoints(ctx context.Context, by access.Actor, q list.Query) (*list.Page[webhook.Endpoint], error)
	// StopAccount returns once no attempt at an endpoint of an account can start, all of
	// which the context's transaction has disabled.
	StopAccount(ctx context.Context, accountID string) error
}

// Post takes an e-mail along with the transaction of the context.
type Post interface {
	Send(ctx context.Context, m *mail.Message) error
}

// Client is where a request comes from.
type Client struct {
	Address   netip.Addr // behind trusted proxies
	UserAgent string
	RequestID string
	Device    string // the cookie of a known device, "" for none
}

// by lets what is done within a context be that of a user at a client.
func (f Client) by(ctx context.Context, userID string) context.Context {
	return audit.With(ctx, audit.By{UserID: userID, Address: f.address(), RequestID: f.RequestID})
}

func (f Client) address() string {
	if !f.Address.IsValid() {
		return ""
	}
	return f.Address.Unmap().WithZone("").String()
}

// longestAgent is how much of a browser's name is kept, in bytes.
const longestAgent = 400

func (f Client) agent() string {
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

// second tells whether the password alone does not do.
func (p *Person) second() bool { return p.TOTP != nil || p.Passkeys > 0 }

// address reads the e-mail address of a form, in the form that is stored.
func address(s string) (string, error) {
	a, err := contact.Email(s)
	if err != nil {
		return "", fault.New(fault.InvalidField, "Enter an e-mail address, such as dana@example.com.").At("email")
	}
	return strings.ToLower(a), nil
}

// noLink is the answer for a link that opens nothing, whether it never did or was used.
func noLink() *fault.Error {
	return fault.New(fault.NoRecord, "This link does not work any more. It was used already, has expired, or a newer one has taken its place.")
}

// moment is now.
func (s *Service) moment() clock.Time { return clock.At(s.Now()) }

// Package tenantportal is what a tenant can do on a page of their own: see the lease, the signed document, what is
// owed and was paid, and report what has to be repaired.
//
// A link opens the page. It is emailed to the tenant, kept as a hash, ends when the landlord revokes or renews it,
// and 30 days after the tenancy, or after the statement of its deposit. Money and documents ask for a code besides,
// which is emailed too. The package knows no HTTP and no SQL.
package tenantportal

import (
	"context"
	"slices"
	"time"

	"portal/api/access"
	"portal/api/agreement"
	"portal/api/agreement/notice"
	"portal/api/clock"
	"portal/api/fault"
	"portal/api/id"
	"portal/api/language"
	"portal/api/onetimecode"
	"portal/api/portfolio"
	"portal/api/portfolio/records"
	"portal/api/portfolio/ticket"
	"portal/api/secret"
)

// Path is where the pages of tenants begin.
const Path = "/tenant/"

// graceDays is for how many days after its tenancy a link works on.
const graceDays = 30

// Store keeps the links of tenants, their codes and tickets, when emails about tickets and rent left, and which tenants
// want none.
type Store interface {
	ticket.Store
	onetimecode.Store
	// TenantLink finds the link that is live whose token has a hash, and its tenant, or fault.NotFound.
	TenantLink(ctx context.Context, hash []byte) (access.Portfolio, Link, error)
	// PortfolioOfTenant finds whose tenant an id names, or fault.NotFound.
	PortfolioOfTenant(ctx context.Context, tenantID string) (access.Portfolio, error)
	// LiveLink reads the link of a tenant that is live, and reports whether there is one.
	LiveLink(ctx context.Context, in access.Portfolio, tenantID string) (l Link, found bool, err error)
	// AddTenantLinks writes new links. Those before them must have ended.
	AddTenantLinks(ctx context.Context, in access.Portfolio, all ...Link) error
	// AddToken writes the hash of a token of a link, along with the next statement of the transaction.
	AddToken(ctx context.Context, in access.Portfolio, linkID string, hash []byte, at clock.Time) error
	// EndLink ends the link of a tenant that is live, and reports whether there was one.
	EndLink(ctx context.Context, in access.Portfolio, tenantID string, at clock.Time) (bool, error)
	// LinkByID reads a link, live or ended, or fault.NotFound.
	LinkByID(ctx context.Context, in access.Portfolio, id string) (Link, error)
	// SaveLinkSent notes that a token was emailed, and what became of the email.
	SaveLinkSent(ctx context.Context, in access.Portfolio, linkID string, at *clock.Time, status string) error
	// SaveLinkLanguage notes the language in which a tenant reads their page.
	SaveLinkLanguage(ctx context.Context, in access.Portfolio, linkID string, chosen language.Language) error
	// TenantLanguage is the language that a tenant has chosen on their page, or else as a signer.
	TenantLanguage(ctx context.Context, in access.Portfolio, tenantID string) (language.Language, error)
	// LinkedPhoto reads a photo of a ticket or of a condition report, in whatever portfolio it is, or fault.NotFound.
	LinkedPhoto(ctx context.Context, photoID string) (access.Portfolio, []byte, error)
	// TicketNotice reads when somebody was emailed about a ticket. SentAt is 0 where they never were.
	TicketNotice(
		ctx context.Context, in access.Portfolio, ticketID string, to portfolio.TicketReader,
	) (TicketNotice, error)
	// SaveTicketNotice writes when somebody was emailed about a ticket, and when they will be.
	SaveTicketNotice(ctx context.Context, in access.Portfolio, n TicketNotice) error
	// DueTicketNotices finds emails of open accounts that are due at a moment, in their order: at most so many
	// that follow another one.
	DueTicketNotices(ctx context.Context, at clock.Time, after DueNotice, most int) ([]DueNotice, error)
	// DepositStatements are those of the deposits of some leases, by the lease's id.
	DepositStatements(
		ctx context.Context, in access.Portfolio, leaseIDs ...string,
	) (map[string]portfolio.DepositStatement, error)
	// Notices are those of some leases, the newest first.
	Notices(ctx context.Context, in access.Portfolio, leaseIDs ...string) ([]notice.Notice, error)
	// AccountOpen reports whether the account of a portfolio is open.
	AccountOpen(ctx context.Context, in access.Portfolio) (bool, error)
	// MailStopped is when the tenant stopped emails about tickets, by their latest link, nil where they did not.
	MailStopped(ctx context.Context, in access.Portfolio, tenantID string) (*clock.Time, error)
	// SaveMailStopped writes when the tenant whose link is live stopped emails about tickets, nil where they want
	// them.
	SaveMailStopped(ctx context.Context, in access.Portfolio, tenantID string, at *clock.Time) error
	rentNoticeStore
}

// Link is what opens a tenant's page.
type Link struct {
	ID          string
	CreatedAt   clock.Time
	TenantID    string
	EndedAt     *clock.Time // renewed or revoked
	SentAt      *clock.Time // the latest email with it
	EmailStatus *string     // what became of that
	// When the tenant stopped emails about tickets, nil where they get them.
	MailStoppedAt *clock.Time
	// The language in which the tenant last sent a form.
	Language language.Language
}

// Service is the pages of tenants.
type Service struct {
	*portfolio.Common
	rules      *records.Service
	agreements *agreement.Service
	store      Store
	codes      *onetimecode.Codes
	box        *secret.Box
}

// New makes the service beside the rules of a portfolio, whose parts it shares.
func New(p *records.Service, agreements *agreement.Service, store Store, box *secret.Box) *Service {
	return &Service{
		Common:     p.Common,
		rules:      p,
		agreements: agreements,
		store:      store,
		codes:      onetimecode.New(store, box, "code of a tenant"),
		box:        box,
	}
}

// Visit is a request of a tenant: whose page is open, and what there is to see.
type Visit struct {
	By       access.Actor // acts for the tenant within the portfolio
	Link     Link
	Tenant   portfolio.Tenant
	Landlord portfolio.Landlord
	Leases   []portfolio.Lease // that bind the tenant or did, the newest first
	Today    clock.Date
	// Deposits are the statements of deposits, by the id of the lease.
	Deposits map[string]portfolio.DepositStatement
	// FormLanguage is that of the page that sent a form.
	FormLanguage language.Language
}

// Open finds whose page a token opens, or fault.NotFound for one that opens nothing, or no longer.
func (s *Service) Open(ctx context.Context, token string) (*Visit, error) {
	if len(token) != tokenLength {
		return nil, fault.NotFound("page")
	}
	in, link, err := s.store.TenantLink(ctx, secret.Hash(token))
	if err != nil {
		return nil, err
	}
	v, err := s.visit(ctx, in, link)
	if err == nil && !v.open() {
		err = fault.NotFound("page")
	}
	return v, err
}

// tokenLength is that of a token, in bytes.
var tokenLength = len(secret.New())

func (s *Service) visit(ctx context.Context, in access.Portfolio, link Link) (*Visit, error) {
	t, err := s.store.Tenant(ctx, in, link.TenantID)
	if err != nil {
		return nil, err
	}
	return s.visitBy(ctx, in, link, &t)
}

func (s *Service) visitBy(
	ctx context.Context, in access.Portfolio, link Link, t *portfolio.Tenant,
) (*Visit, error) {
	landlord, err := s.store.Landlord(ctx, in)
	if err != nil {
		return nil, err
	}
	leases, err := s.store.Leases(ctx, in, portfolio.LeaseFilter{
		Query:    portfolio.AllLeases,
		TenantID: link.TenantID,
	})
	v := s.visitOf(in, link, t, &landlord, leases)
	if err != nil {
		return v, err
	}
	return v, s.withDeposits(ctx, v)
}

// visitOf makes a visit of what was read, but for the statements of deposits. The leases come in ascending id.
func (s *Service) visitOf(
	in access.Portfolio, link Link, t *portfolio.Tenant, landlord *portfolio.Landlord, leases []portfolio.Lease,
) *Visit {
	v := &Visit{
		By: access.Actor{
			Portfolio: in,
			AccountID: landlord.AccountID,
			TenantID:  link.TenantID,
			Scopes:    access.Scopes{access.Read, access.Write},
			Zone:      landlord.Zone,
		},
		Link:     link,
		Tenant:   *t,
		Landlord: *landlord,
		Leases:   slices.DeleteFunc(leases, func(l portfolio.Lease) bool { return !l.Binding() }),
	}
	slices.Reverse(v.Leases)
	v.Today = s.Today(v.By)
	return v
}

// ActorOf acts for the landlord of a tenant, for the operator of the service alone.
func (s *Service) ActorOf(ctx context.Context, tenantID string) (access.Actor, error) {
	if !id.Valid(id.Tenant, tenantID) {
		return access.Actor{}, fault.NotFound("tenant")
	}
	in, err := s.store.PortfolioOfTenant(ctx, tenantID)
	if err != nil {
		return access.Actor{}, err
	}
	v, err := s.visit(ctx, in, Link{TenantID: tenantID})
	if err != nil {
		return access.Actor{}, err
	}
	by := v.By
	by.TenantID = ""
	return by, nil
}

// open reports whether the tenancy goes on, or has ended a short while ago.
func (v *Visit) open() bool {
	until, ends := v.Until()
	return len(v.Leases) > 0 && (!ends || v.Today <= until)
}

// Until is the last day on which the page opens, and whether one is known.
func (v *Visit) Until() (last clock.Date, ends bool) {
	for i := range v.Leases {
		day, known := lastDay(&v.Leases[i])
		if !known {
			return 0, false
		}
		last = max(last, day+graceDays, v.statedUntil(v.Leases[i].ID))
	}
	return last, true
}

// lastDay is the last day of a lease that bound somebody, and whether it is known.
func lastDay(l *portfolio.Lease) (clock.Date, bool) {
	running := slices.Contains(portfolio.AgreedLeases(), l.Status)
	switch end := l.LastDay(); {
	case end != nil:
		return *end, true
	case running:
		return 0, false
	case l.EndDate != nil:
		return *l.EndDate, true
	case l.MoveOutDate != nil:
		return *l.MoveOutDate, true
	}
	return clock.DateOf(l.UpdatedAt.Std(), time.UTC), true
}

// Home is the lease under which the tenant lives today, else the newest one.
func (v *Visit) Home() *portfolio.Lease {
	for i := range v.Leases {
		if v.Leases[i].Status == portfolio.LeaseActive {
			return &v.Leases[i]
		}
	}
	return &v.Leases[0]
}

// Lease is a lease of the tenant, or fault.NotFound.
func (v *Visit) Lease(id string) (*portfolio.Lease, error) {
	for i := range v.Leases {
		if v.Leases[i].ID == id {
			return &v.Leases[i], nil
		}
	}
	return nil, fault.NotFound("lease")
}

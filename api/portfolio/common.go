package portfolio

import (
	"context"
	"errors"
	"fmt"
	"time"

	"portal/api/access"
	"portal/api/audit"
	"portal/api/change"
	"portal/api/clock"
	"portal/api/fault"
	"portal/api/id"
	"portal/api/mail"
	"portal/api/quota"
	"portal/api/triage"
)

// Common is what the rules of all kinds of records share.
type Common struct {
	Tx    Store
	Clock clock.Portfolios
	Parts
}

// UnitRequestPath is the page of the dashboard that asks for more units than the plan has.
const UnitRequestPath = "/usage/units"

// Parts are what some rules need besides the store.
type Parts struct {
	BaseURL   string         // public address, which links begin with
	Post      mail.Post      // takes email along with the transaction
	Refine    Refine         // may be nil: nobody looks at a ticket again
	Events    Events         // may be nil: nobody is told what happens
	Trail     audit.Log      // without a store: nothing is taken down of what people do
	Documents Documents      // may be nil: leases have no documents, and nobody checks their terms
	Photos    Photographs    // may be nil: photos of tickets have no addresses
	Notices   TicketNotices  // may be nil: nobody is emailed about tickets
	Deposits  DepositNotices // may be nil: tenants are not emailed about deposits
	Payments  PaymentClock   // may be nil: nothing is paid online

	Amendments Amendments // may be nil: no lease changes on a day as its parties have agreed

	Triage triage.Classifier // judges the texts of tickets; the built-in one where none is given
}

// Documents keeps the documents of leases.
type Documents interface {
	// Link is the address that opens a document.
	Link(documentID string) string
	// Check holds a lease as it would be against the law, its document, its parties, the lease that it
	// renews and the others of its unit. What forbids it is the error, and what may is a warning. Days
	// of grace that the state makes longer are written into the lease.
	Check(ctx context.Context, by access.Actor, m *change.Result[Lease]) error
	// CheckSigning is Check before a signature counts: the last one where the lease binds then.
	CheckSigning(ctx context.Context, by access.Actor, m *change.Result[Lease]) error
	// Execute makes what a lease has become that the last party has just signed, and gives the lease its
	// SHA-256; in the transaction of the context.
	Execute(ctx context.Context, by access.Actor, l *Lease) error
	// Remake makes the documents of drafts anew, in the transaction of the context.
	Remake(ctx context.Context, by access.Actor, leaseIDs ...string) error
	// Extended notes that the time to sign a lease was extended, and emails those who have yet to sign, in the
	// transaction of the context. Over is when the time had ended, nil where it had not.
	Extended(ctx context.Context, by access.Actor, l *Lease, over *clock.Time) error
	// Ended notes that a lease was ended before its first day, in the transaction of the context.
	Ended(ctx context.Context, by access.Actor, l *Lease) error
	// Readdress ends the links by which a tenant signs leases, or has signed them, and notes from which address to
	// which the tenant's has changed, in the transaction of the context.
	Readdress(ctx context.Context, by access.Actor, tenantID string, from, to *string, leaseIDs ...string) error
}

// Photographs are the photos of tickets.
type Photographs interface {
	// PhotoLink is the address that opens a photo for an hour from a moment on.
	PhotoLink(photoID string, now time.Time) string
}

// PaymentClock has online payments go on with the days.
type PaymentClock interface {
	// SettleDay books what has become of simulated payments by the present day of a portfolio, and begins payments of
	// autopay.
	SettleDay(ctx context.Context, by access.Actor) error
}

// Amendments change leases on a day as all their parties have agreed.
type Amendments interface {
	// ApplyDue changes the leases of a portfolio whose day has come.
	ApplyDue(ctx context.Context, by access.Actor) error
}

// TicketNotices emails people about tickets.
type TicketNotices interface {
	// TicketChanged tells the tenant of a ticket, or the landlord, that something has happened to it, in the
	// transaction of the context.
	TicketChanged(ctx context.Context, by access.Actor, t *Ticket, to TicketReader) error
}

// Now is the real present of a portfolio: of IDs, of when records are written, of codes and of limits.
func (s *Common) Now(in access.Portfolio) time.Time { return s.Clock(in.ID) }

// BusinessNow is the present of a portfolio by its test clock, by which offers and invitations expire. It is Now where
// the clock is not ahead.
func (s *Common) BusinessNow(in access.Portfolio) clock.Time {
	return clock.At(s.Now(in)).Later(in.Ahead)
}

// Today is the present day of the actor's portfolio by its test clock, in the landlord's time zone.
func (s *Common) Today(by access.Actor) clock.Date {
	return clock.DateOf(s.Now(by.Portfolio), by.Zone).AddDays(by.Portfolio.Ahead)
}

// MomentToday is the present time of day on Today, when money that comes now has come. BusinessNow may fall on the
// day before or after, where daylight saving time begins or ends between the real day and Today.
func (s *Common) MomentToday(by access.Actor) clock.Time {
	now := s.Now(by.Portfolio)
	if by.Portfolio.Ahead == 0 {
		return clock.At(now)
	}
	y, m, d := s.Today(by).Std().Date()
	local := now.In(by.Zone)
	hour, minute, second := local.Clock()
	return clock.At(time.Date(y, m, d, hour, minute, second, local.Nanosecond(), by.Zone))
}

// Send has an email leave along with the transaction of the context.
func (s *Common) Send(ctx context.Context, m *mail.Message) error {
	if s.Post == nil {
		return fmt.Errorf("there is no post to take an email about %s", m.About)
	}
	return s.Post.Send(ctx, m)
}

// Refine has a ticket looked at again after it is stored.
type Refine func(ctx context.Context, in access.Portfolio, ticketID string, triagedAt clock.Time) error

// ErrDuplicate is that a record has what only one may have.
var ErrDuplicate = errors.New("another record has this already")

// Store is what the rules of all kinds of records ask the database for. Each method sees one portfolio and answers
// for a record of another as for one that does not exist: with fault.NotFound. Lists come in ascending id with one
// record more than the limit, if there is one.
type Store interface {
	change.Transactor
	quota.Store
	// Exclusively is Atomically for a change that no other change of the portfolio may come
	// between.
	Exclusively(ctx context.Context, in access.Portfolio, do func(context.Context) error) error
	// Lock keeps other changes of the portfolio waiting until the transaction ends.
	Lock(ctx context.Context, in access.Portfolio) error

	// Landlord reads whose portfolio it is.
	Landlord(ctx context.Context, in access.Portfolio) (Landlord, error)
	Lease(ctx context.Context, in access.Portfolio, id string) (Lease, error)
	Leases(ctx context.Context, in access.Portfolio, f LeaseFilter) ([]Lease, error)
	Property(ctx context.Context, in access.Portfolio, id string) (Property, error)
	Tenant(ctx context.Context, in access.Portfolio, id string) (Tenant, error)
	Tenants(ctx context.Context, in access.Portfolio, f TenantFilter) ([]Tenant, error)
	Unit(ctx context.Context, in access.Portfolio, id string) (Unit, error)
}

// Events takes what the outside is told along with the transaction.
type Events interface {
	// Raise stores an event of a kind about a record as it is at this moment.
	Raise(ctx context.Context, in access.Portfolio, kind string, record any) error
}

// Raise tells of a record whose computed fields are filled, if anybody listens.
func (s *Common) Raise(ctx context.Context, by access.Actor, kind string, record any) error {
	if s.Events == nil {
		return nil
	}
	return s.Events.Raise(ctx, by.Portfolio, kind, record)
}

// Part is a field of an object that must have a value.
type Part struct{ Name, Value string }

// Missing tells which parts of an object are missing.
func Missing(within string, parts ...Part) (missing []fault.Detail) {
	for _, p := range parts {
		if p.Value == "" {
			missing = append(missing, FieldFault(
				within+"."+p.Name,
				fault.MissingField,
				"is required, as there is none yet.",
			))
		}
	}
	return missing
}

// Find loads a record that a field of a body names: one that cannot exist, does not, or
// belongs to another portfolio is not found, alike.
func Find[T any](
	ctx context.Context,
	in access.Portfolio,
	prefix, given, noun string,
	load func(context.Context, access.Portfolio, string) (T, error),
) (T, error) {
	if !id.Valid(prefix, given) {
		return *new(T), fault.NotFound(noun).At(noun + "_id")
	}
	v, err := load(ctx, in, given)
	if fault.Is(err, fault.NoRecord) {
		err = fault.NotFound(noun).At(noun + "_id")
	}
	return v, err
}

// FieldFault is a field at fault.
func FieldFault(param string, code fault.Code, message string) fault.Detail {
	return fault.Detail{Param: param, Code: code, Message: param + " " + message}
}

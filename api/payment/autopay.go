package payment

import (
	"context"

	"portal/api/access"
	"portal/api/clock"
	"portal/api/language"
	"portal/api/money"
	"portal/api/portfolio"
)

// Charger is the part of a processor that charges tenants who have agreed to it, without them.
type Charger interface {
	// Enroll opens the page on which a tenant gives the card or the account that autopay is to charge, and is its
	// address.
	Enroll(ctx context.Context, by access.Actor, p *Autopay, returnTo string) (Started, error)
	// Enrolled is what has become of that. It changes nothing.
	Enrolled(ctx context.Context, by access.Actor, p *Autopay) (Enrollment, error)
	// Charge has autopay pay an attempt, and is what the processor calls the payment: State tells what became of it.
	// Charging an attempt again charges nothing twice.
	Charge(ctx context.Context, by access.Actor, a *Attempt, p *Autopay) (reference *string, err error)
	// Release has the processor forget what autopay charges. It may be asked again.
	Release(ctx context.Context, by access.Actor, p *Autopay) error
}

// Autopay is what a tenant has agreed to: that charges of a lease are paid each month from a card or an account that
// the processor keeps.
type Autopay struct {
	portfolio.Record
	LeaseID   string
	TenantID  string
	Processor string
	Account   *string // of the landlord at the processor
	Session   *string // of the page on which the tenant gave the card or the account
	Customer  *string // the tenant at the processor
	Reference *string // of the card or the account at the processor
	Method    *portfolio.PaymentMethod
	Day       int         // of the month, 1 to 28
	Most      money.Cents // that is paid in a month
	Text      string      // what the tenant has agreed to, as shown
	Language  language.Language
	Status    AutopayStatus
	AgreedAt  *clock.Time // nil while the tenant is on the processor's page
	EndedAt   *clock.Time
	EndedWhy  AutopayEnd
	NextOn    *clock.Date  // the day of the next payment
	ActOn     *clock.Date  // when the tenant is told of it, or it is made
	Told      *money.Cents // what the tenant was told is paid then, nil until they were
	Failures  int          // in a row
	Released  bool         // the processor has forgotten the card or the account
	LookAt    *clock.Time  // when the processor is asked again, nil for never. In real time.
}

// AutopayStatus is where autopay stands.
type AutopayStatus string

// The statuses of autopay.
const (
	AutopayPending AutopayStatus = "pending" // the tenant is on the processor's page
	AutopayActive  AutopayStatus = "active"
	AutopayEnded   AutopayStatus = "ended"
)

// Values are all statuses.
func (AutopayStatus) Values() []string { return []string{"pending", "active", "ended"} }

// AutopayEnd is why autopay has ended.
type AutopayEnd string

// The reasons.
const (
	EndedByTenant    AutopayEnd = "tenant"
	EndedReplaced    AutopayEnd = "replaced"    // by another one of the tenant
	EndedUnfinished  AutopayEnd = "unfinished"  // the tenant never gave a card or an account
	EndedFailed      AutopayEnd = "failed"      // the payments failed
	EndedLease       AutopayEnd = "lease"       // the lease has ended
	EndedUnreachable AutopayEnd = "unreachable" // the tenant cannot be told of payments any more
	EndedClosed      AutopayEnd = "closed"      // the landlord has closed their account
)

// Values are all reasons.
func (AutopayEnd) Values() []string {
	return []string{"", "tenant", "replaced", "unfinished", "failed", "lease", "unreachable", "closed"}
}

// Enrollment is what has become of a page on which a tenant gives a card or an account.
type Enrollment struct {
	Status    AutopayStatus // ended where the page can be used no more
	Account   *string
	Customer  *string
	Reference *string
	Method    portfolio.PaymentMethod
}

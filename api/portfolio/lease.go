package portfolio

import (
	"portal/api/change"
	"portal/api/clock"
	"portal/api/list"
	"portal/api/money"
	"portal/api/portfolio/lease/terms"
)

// Lease is an agreement that lets a unit to tenants.
type Lease struct {
	Record `object:"lease" prefix:"lea"`
	// Where the lease stands.
	Status LeaseStatus `json:"status" example:"active"`
	// The property.
	PropertyID string `json:"property_id" format:"id" prefix:"prop"`
	// The unit that is let.
	UnitID string `json:"unit_id" format:"id" prefix:"unit"`
	// The parties; the first is the primary tenant.
	TenantIDs []string `json:"tenant_ids" format:"id" prefix:"ten"`
	// The parties with their roles.
	Tenants []Party  `json:"tenants"`
	Joining []Tenant `json:"-"` // parties who are added to the portfolio with the lease, until they are stored
	// The landlord's own signature, nil where the lease has no document of ours to be signed.
	Landlord *LandlordSignature `json:"-"`
	// The unit's address in one line.
	RentalAddress string `json:"rental_address" example:"1420 Maple Avenue, Unit 2B, Austin, TX 78701"`
	// What happens at the end date.
	LeaseType LeaseType `json:"lease_type" example:"fixed"`
	// First day.
	StartDate clock.Date `json:"start_date"`
	// Last day; null only for month_to_month.
	EndDate *clock.Date `json:"end_date"`
	// Monthly rent, in dollars.
	MonthlyRent money.Cents `json:"monthly_rent"`
	// Deposit in dollars, 0 when none.
	SecurityDeposit money.Cents `json:"security_deposit"`
	// Currency of the amounts.
	Currency string `json:"currency" const:"USD"`
	// Day of the month on which rent is due.
	RentDueDay int `json:"rent_due_day" min:"1" max:"28" example:"1"`
	// Fee for late rent, in dollars.
	LateFeeAmount *money.Cents `json:"late_fee_amount"`
	// Days after the due date before the fee applies.
	LateFeeGraceDays *int        `json:"late_fee_grace_days" min:"0" max:"60" example:"5"`
	Terms            terms.Terms `json:"-"` // what GET /leases/{id} shows beside
	// When the tenants moved in.
	MoveInDate *clock.Date `json:"move_in_date"`
	// When the tenants moved or will move out.
	MoveOutDate *clock.Date `json:"move_out_date"`
	// When notice was given.
	NoticeGivenDate *clock.Date `json:"notice_given_date"`
	// Day on which the lease was ended early.
	TerminatedOn *clock.Date `json:"terminated_on"`
	// Why it was ended early.
	TerminationReason *string `json:"termination_reason" maxlen:"500"`
	// The lease that this one renews.
	RenewedFromLeaseID *string `json:"renewed_from_lease_id" format:"id" prefix:"lea"`
	// The lease that renews this one.
	RenewedToLeaseID *string `json:"renewed_to_lease_id" format:"id" prefix:"lea"`
	DocumentID       *string `json:"-"` // of the document that document_url opens, nil for none of ours
	// The lease as PDF, the signed copy once it is signed; null in events.
	DocumentURL *string `json:"document_url" format:"uri" secret:"true"`
	// The primary tenant's signing page, in the answer that generates the lease; null afterwards.
	EsignURL *string `json:"esign_url" format:"uri" secret:"true"`
	// When an unsigned document expires, or did after a signature.
	ExpiresAt *clock.Time `json:"expires_at"`
	// When the last party signed.
	SignedAt *clock.Time `json:"signed_at"`
	// SHA-256 of the signed document, in hex.
	DocumentSHA256 *string `json:"document_sha256" minlen:"64" maxlen:"64"`
	// Days to the end date of a lease that is signed or active; null otherwise.
	DaysUntilEnd *int `json:"days_until_end" example:"48"`
	// Whether the ledger charges rent and fees by itself: the setting of the portfolio.
	AutoCharge bool `json:"auto_charge" example:"true"`
	// What is owed under the lease today, in dollars, without the deposit; below 0 for a credit that is left. Payments
	// in progress aren't counted as owed.
	BalanceDue money.Cents `json:"balance_due"`
	// What has been paid of the deposit and not gone back, in dollars. Once a lease starts that renews this one, the
	// deposit is held under that one, and this is 0.
	DepositHeld money.Cents `json:"deposit_held"`
}

// WithoutLinks is the lease as everybody may see it who is told of it: whoever has a link of a
// document opens it (docs/decisions/0031).
func (l Lease) WithoutLinks() *Lease {
	l.DocumentURL, l.EsignURL = nil, nil
	return &l
}

// DisplayName is the address that is rented, and from when; nobody outside the account wrote it.
func (l Lease) DisplayName() (name string, outside bool) {
	return "of " + l.RentalAddress + " from " + l.StartDate.String(), false
}

// Compute fills what is computed: the days to the end of a lease that still counts.
func (l *Lease) Compute(today clock.Date) {
	l.DaysUntilEnd = nil
	if l.EndDate != nil && (l.Status == LeaseActive || l.Status == LeaseSigned) {
		days := int(*l.EndDate - today)
		l.DaysUntilEnd = &days
	}
}

// Party is a person who signs a lease on the tenants' side.
type Party struct {
	// The tenant.
	ID string `json:"id" format:"id" prefix:"ten"`
	// The tenant's name.
	Name string `json:"name" by:"tenant" maxlen:"255" example:"Dana Whitfield"`
	// What the tenant is in the lease.
	Role PartyRole `json:"role" example:"primary"`
	// When the tenant signed.
	SignedAt *clock.Time `json:"signed_at"`
}

// Renters are the ids of the parties who rent: all but guarantors, the primary tenant first.
func (l *Lease) Renters() (ids []string) {
	return l.parties(func(r PartyRole) bool { return r != PartyGuarantor })
}

// GuarantorIDs are the ids of the guarantors, in their order.
func (l *Lease) GuarantorIDs() []string {
	return l.parties(func(r PartyRole) bool { return r == PartyGuarantor })
}

// parties are the ids of the parties of some roles.
func (l *Lease) parties(of func(PartyRole) bool) (ids []string) {
	for i := range l.Tenants {
		if of(l.Tenants[i].Role) {
			ids = append(ids, l.Tenants[i].ID)
		}
	}
	return ids
}

// LandlordSignature is whether the landlord has signed a lease, and with whom.
type LandlordSignature struct {
	SignedAt    *clock.Time   // nil: not yet
	CoOwners    []*clock.Time // when each co-owner has signed as a landlord too, in the order of the terms
	TenantEmail bool          // the primary tenant has an address, to which the link to sign goes
}

// SchemaName is the name of the OpenAPI component.
func (Party) SchemaName() string { return "LeaseTenant" }

// PartyRole is what a tenant is in a lease.
type PartyRole string

// The roles of a party.
const (
	PartyPrimary   PartyRole = "primary"
	PartyCoTenant  PartyRole = "co_tenant"
	PartyGuarantor PartyRole = "guarantor"
)

// SchemaName is the name of the OpenAPI component.
func (PartyRole) SchemaName() string { return "LeaseTenantRole" }

// Values are all roles of a party.
func (PartyRole) Values() []string { return []string{"primary", "co_tenant", "guarantor"} }

// LeaseStatus is where a lease stands.
type LeaseStatus string

// The statuses of a lease.
const (
	LeaseDraft            LeaseStatus = "draft"
	LeasePendingSignature LeaseStatus = "pending_signature"
	LeaseSigned           LeaseStatus = "signed"
	LeaseActive           LeaseStatus = "active"
	LeaseExpired          LeaseStatus = "expired"
	LeaseRenewed          LeaseStatus = "renewed"
	LeaseTerminated       LeaseStatus = "terminated"
	LeaseDeclined         LeaseStatus = "declined"
	LeaseVoided           LeaseStatus = "voided"
)

// Values are all statuses of a lease.
func (LeaseStatus) Values() []string {
	return []string{
		"draft", "pending_signature", "signed", "active", "expired", "renewed", "terminated",
		"declined", "voided",
	}
}

// Settable are the statuses that an update can ask for.
func (LeaseStatus) Settable() []string { return []string{"terminated", "voided"} }

// LeaseType says what happens at the end date.
type LeaseType string

// The types of a lease.
const (
	Fixed             LeaseType = "fixed"
	MonthToMonth      LeaseType = "month_to_month"
	FixedWithRollover LeaseType = "fixed_with_rollover"
)

// Values are all types of a lease.
func (LeaseType) Values() []string {
	return []string{"fixed", "month_to_month", "fixed_with_rollover"}
}

// LeaseFilter narrows a list of leases.
type LeaseFilter struct {
	list.Query
	// Only leases of this status.
	Status LeaseStatus `in:"query" name:"status"`
	// Only leases of this property.
	PropertyID string `in:"query" name:"property_id" format:"ref" prefix:"prop"`
	// Only leases of this unit.
	UnitID string `in:"query" name:"unit_id" format:"ref" prefix:"unit"`
	// Only leases that name this tenant.
	TenantID string `in:"query" name:"tenant_id" format:"ref" prefix:"ten"`
	// Only leases with an end date before this day.
	EndingBefore *clock.Date `in:"query" name:"ending_before"`
	// Only leases with an end date after this day.
	EndingAfter *clock.Date `in:"query" name:"ending_after"`
	// Only leases that name a pet, or only leases that name none.
	HasPets *bool `in:"query" name:"has_pets"`
	// Only leases that name a vehicle, or only leases that name none.
	HasVehicles *bool `in:"query" name:"has_vehicles"`
	// Only leases that say who pays for a utility, or only leases that say it of none.
	HasUtilities *bool `in:"query" name:"has_utilities"`
	// Only leases with a co-owner, or only leases without one.
	HasCoOwners *bool `in:"query" name:"has_co_owners"`
	// Only leases with a guarantor, or only leases without one.
	HasGuarantors *bool      `in:"query" name:"has_guarantors"`
	Named         *Named     `json:"-"` // only leases that name what a search has found
	Today         clock.Date `json:"-"` // which leases have ended, for EndingSoonest; the rules fill it
}

// AllLeases is more than a unit or a tenant ever has.
var AllLeases = list.Query{Limit: 10_000}

// Open reports whether parties have yet to sign.
func (l *Lease) Open() bool { return l.Status == LeaseDraft || l.Status == LeasePendingSignature }

// Lapsed reports whether the time for signatures is over, whenever that is written down.
func (l *Lease) Lapsed(now clock.Time) bool {
	return l.Open() && l.ExpiresAt != nil && *l.ExpiresAt <= now
}

// Revivable reports whether the time to sign is over and can be extended even so: somebody has signed. A lease that
// the landlord has voided has no time at all.
func (l *Lease) Revivable() bool { return l.Status == LeaseVoided && l.ExpiresAt != nil }

// May reports whether a caller can take the lease to a status (docs/site/records.md).
func (l *Lease) May(to LeaseStatus) bool {
	return to == LeaseVoided && l.Open() ||
		to == LeaseTerminated && (l.Status == LeaseActive || l.Status == LeaseSigned)
}

// NeverStarted reports whether a lease was ended before its first day.
func (l *Lease) NeverStarted() bool {
	return l.Status == LeaseTerminated && l.TerminatedOn != nil && *l.TerminatedOn < l.StartDate
}

// LastDay is the day on which a lease ends, nil where it goes on.
func (l *Lease) LastDay() *clock.Date {
	switch {
	case l.Status == LeaseTerminated:
		return l.TerminatedOn
	case l.LeaseType == FixedWithRollover:
		return nil
	}
	return l.EndDate
}

// Changeable reports whether the dates and the money of a lease can change: before anybody
// has signed it, and while it runs.
func (l *Lease) Changeable() bool { return l.Status == LeaseDraft || l.Status == LeaseActive }

// Overlaps reports whether another lease of the same unit, signed or active, shares a day
// with a lease, and neither renews the other.
func (l *Lease) Overlaps(o *Lease) bool {
	kin := o.ID == l.ID || change.Same(l.RenewedFromLeaseID, &o.ID) || change.Same(l.RenewedToLeaseID, &o.ID)
	if kin || o.UnitID != l.UnitID || o.Status != LeaseSigned && o.Status != LeaseActive {
		return false
	}
	return (l.EndDate == nil || o.StartDate <= *l.EndDate) && (o.EndDate == nil || l.StartDate <= *o.EndDate)
}

// RentFrom is the rent of the calendar month of a lease that begins on a day, cut to the
// last day that is charged, if that is known. It falls due on the lease's due day, or on the nearest of its own
// days. Of an incomplete month the rent is due by the day, rounded to the cent.
func (l *Lease) RentFrom(from clock.Date, last *clock.Date) Payment {
	month, to := from.FirstOfMonth(), from.LastOfMonth()
	length := int64(to - month + 1)
	if last != nil {
		to = min(to, *last)
	}
	days := int64(to - from + 1)
	rent := money.Cents((int64(l.MonthlyRent)*days*2 + length) / (length * 2))
	words := "Rent for "
	if rent != l.MonthlyRent {
		words = "Prorated rent for "
	}
	return Payment{
		Type:        PaymentRent,
		Description: new(words + from.Std().Format("January 2006")),
		Amount:      rent,
		DueDate:     min(max(month+clock.Date(l.RentDueDay-1), from), to),
		PeriodStart: &from,
		PeriodEnd:   &to,
		MonthlyRent: l.MonthlyRent,
	}
}

package portfolio

import (
	"strconv"

	"portal/api/clock"
	"portal/api/contact"
	"portal/api/list"
)

// Tenant is a person who rents, rented or will rent.
type Tenant struct {
	Record `object:"tenant" prefix:"ten"`
	// Given name.
	FirstName string `json:"first_name" by:"tenant" minlen:"1" maxlen:"127" example:"Dana"`
	// Family name.
	LastName string `json:"last_name" by:"tenant" minlen:"1" maxlen:"127" example:"Whitfield"`
	// Both names; read-only.
	Name string `json:"name" by:"tenant" maxlen:"255" example:"Dana Whitfield"`
	// Email address.
	Email *string `json:"email" by:"tenant" format:"email" maxlen:"254" example:"dana.whitfield@example.com"`
	// Phone number in E.164.
	Phone *string `json:"phone" format:"phone" example:"+15125550142"`
	// Another email address.
	AlternateEmail *string `json:"alternate_email" by:"tenant" format:"email" maxlen:"254"`
	// Another phone number in E.164.
	AlternatePhone *string `json:"alternate_phone" format:"phone"`
	// How the tenant wants to be reached.
	PreferredContactMethod *ContactMethod `json:"preferred_contact_method" example:"email"`
	// Where letters go, if not to the unit.
	MailingAddress *MailingAddress `json:"mailing_address"`
	// Whom to call in an emergency.
	EmergencyContact *EmergencyContact `json:"emergency_contact"`
	// Computed from the leases.
	Status TenantStatus `json:"status" example:"current"`
	// The property of the current or latest lease.
	PropertyID *string `json:"property_id" format:"id" prefix:"prop"`
	// The unit of the current or latest lease.
	UnitID *string `json:"unit_id" format:"id" prefix:"unit"`
	// The active lease.
	CurrentLeaseID *string `json:"current_lease_id" format:"id" prefix:"lea"`
	// Every lease that names the tenant, in ascending id.
	LeaseIDs []string `json:"lease_ids" format:"id" prefix:"lea"`
	// When the tenant moved or will move in.
	MoveInDate *clock.Date `json:"move_in_date"`
	// When the tenant moved or will move out.
	MoveOutDate *clock.Date `json:"move_out_date"`
}

// DisplayName is the tenant's name, in quotes, as tenants give it themselves.
func (t Tenant) DisplayName() (name string, outside bool) {
	return strconv.Quote(t.FirstName + " " + t.LastName), true
}

// MailingAddress is where a tenant's letters go.
type MailingAddress struct {
	// House number and street, or a box.
	StreetAddress string `json:"street_address" by:"tenant" minlen:"1" maxlen:"200" example:"PO Box 118"`
	// Second line.
	StreetAddress2 *string `json:"street_address_2" by:"tenant" maxlen:"200"`
	// City.
	City string `json:"city" by:"tenant" minlen:"1" maxlen:"100" example:"Austin"`
	// USPS code of the state or DC.
	State contact.State `json:"state" example:"TX"`
	// ZIP code of 5 or 9 digits.
	PostalCode *string `json:"postal_code" format:"postal-code" example:"78701"`
	// Always US.
	Country string `json:"country" const:"US"`
}

// EmergencyContact is whom to call when something happens to a tenant.
type EmergencyContact struct {
	// Full name.
	Name string `json:"name" by:"tenant" minlen:"1" maxlen:"127" example:"Robin Whitfield"`
	// Phone number in E.164.
	Phone *string `json:"phone" format:"phone" example:"+15125550188"`
	// Email address.
	Email *string `json:"email" by:"tenant" format:"email" maxlen:"254"`
	// Who the contact is to the tenant.
	Relationship *string `json:"relationship" by:"tenant" maxlen:"80" example:"sister"`
}

// ContactMethod is a way to reach a tenant.
type ContactMethod string

// Values are all ways to reach a tenant.
func (ContactMethod) Values() []string { return []string{"email", "sms", "phone"} }

// TenantStatus tells where a tenant stands, by the leases.
type TenantStatus string

// The statuses of a tenant.
const (
	TenantProspect TenantStatus = "prospect"
	TenantFuture   TenantStatus = "future"
	TenantCurrent  TenantStatus = "current"
	TenantNotice   TenantStatus = "notice"
	TenantPast     TenantStatus = "past"
)

// Values are all statuses of a tenant.
func (TenantStatus) Values() []string {
	return []string{"prospect", "future", "current", "notice", "past"}
}

// TenantFilter narrows a list of tenants.
type TenantFilter struct {
	list.Query
	// Words, or the beginnings of words, in the names, email addresses, phone numbers, or mailing address of a
	// tenant. All of them must match, in any order; case and accents are ignored.
	Search string `in:"query" name:"search" format:"search" minlen:"1" maxlen:"100" example:"whitfield"`
	// Only tenants of this status.
	Status TenantStatus `in:"query" name:"status"`
	// Only tenants of this property.
	PropertyID string `in:"query" name:"property_id" format:"ref" prefix:"prop"`
	// Only tenants of this unit.
	UnitID string `in:"query" name:"unit_id" format:"ref" prefix:"unit"`
	// Only tenants with this email address; case is ignored.
	Email string `in:"query" name:"email" minlen:"1" maxlen:"254" example:"dana.whitfield@example.com"`
}

// Standing is where a tenant stands who has only this lease.
func (l *Lease) Standing() TenantStatus {
	switch {
	case !l.Binding() || l.NeverStarted():
		return TenantProspect
	case l.Status == LeaseSigned:
		return TenantFuture
	case l.Status != LeaseActive:
		return TenantPast
	case l.NoticeGivenDate != nil:
		return TenantNotice
	}
	return TenantCurrent
}

// Weight orders what leases say of a tenant: living here outdoes moving in, which
// outdoes having left, which outdoes having asked.
func (s TenantStatus) Weight() int {
	switch s {
	case TenantCurrent, TenantNotice:
		return 3
	case TenantFuture:
		return 2
	case TenantPast:
		return 1
	}
	return 0
}

// DeriveTenancy fills what follows from a tenant's leases, which come in ascending id: the
// one that says most, and among equals the later one, decides.
func (t *Tenant) DeriveTenancy(leases []Lease) {
	t.Status = TenantProspect
	t.PropertyID = nil
	t.UnitID = nil
	t.CurrentLeaseID = nil
	t.MoveInDate = nil
	t.MoveOutDate = nil
	t.LeaseIDs = []string{}
	for i := range leases {
		l := &leases[i]
		t.LeaseIDs = append(t.LeaseIDs, l.ID)
		status := l.Standing()
		if status.Weight() < t.Status.Weight() {
			continue
		}
		t.Status, t.PropertyID, t.UnitID, t.CurrentLeaseID = status, &l.PropertyID, &l.UnitID, nil
		t.MoveInDate, t.MoveOutDate = l.MoveInDate, l.MoveOutDate
		if t.MoveInDate == nil && l.Binding() && !l.NeverStarted() {
			t.MoveInDate = &l.StartDate
		}
		if l.Status == LeaseActive {
			t.CurrentLeaseID = &l.ID
		}
	}
}

// DeriveOccupancy fills what follows from a unit's leases. A unit without a tenant that was
// taken off the market stays off it.
func (u *Unit) DeriveOccupancy(leases []Lease) {
	u.CurrentLeaseID = nil
	if u.Status != UnitOffMarket {
		u.Status = UnitVacant
	}
	for i := range leases {
		l := &leases[i]
		if l.Status != LeaseActive {
			continue
		}
		u.CurrentLeaseID, u.Status = &l.ID, UnitOccupied
		if l.NoticeGivenDate != nil {
			u.Status = UnitNotice
		}
	}
}

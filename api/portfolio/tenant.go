package portfolio

import (
	"strconv"

	"portal/api/clock"
	"portal/api/contact"
	"portal/api/list"
)

// Tenant is a person who rents, rented or will rent.
type Tenant struct {
	Record                 `object:"tenant" prefix:"ten"`
	FirstName              string            `json:"first_name" by:"tenant" minlen:"1" maxlen:"127" example:"Dana" doc:"Given name."`
	LastName               string            `json:"last_name" by:"tenant" minlen:"1" maxlen:"127" example:"Whitfield" doc:"Family name."`
	Name                   string            `json:"name" by:"tenant" maxlen:"255" example:"Dana Whitfield" doc:"Both names; read-only."`
	Email                  *string           `json:"email" by:"tenant" format:"email" maxlen:"254" example:"dana.whitfield@example.com" doc:"Email address."`
	Phone                  *string           `json:"phone" format:"phone" example:"+15125550142" doc:"Phone number in E.164."`
	AlternateEmail         *string           `json:"alternate_email" by:"tenant" format:"email" maxlen:"254" doc:"Another email address."`
	AlternatePhone         *string           `json:"alternate_phone" format:"phone" doc:"Another phone number in E.164."`
	PreferredContactMethod *ContactMethod    `json:"preferred_contact_method" example:"email" doc:"How the tenant wants to be reached."`
	MailingAddress         *MailingAddress   `json:"mailing_address" doc:"Where letters go, if not to the unit."`
	EmergencyContact       *EmergencyContact `json:"emergency_contact" doc:"Whom to call in an emergency."`
	Status                 TenantStatus      `json:"status" example:"current" doc:"Computed from the leases."`
	PropertyID             *string           `json:"property_id" format:"id" prefix:"prop" doc:"The property of the current or latest lease."`
	UnitID                 *string           `json:"unit_id" format:"id" prefix:"unit" doc:"The unit of the current or latest lease."`
	CurrentLeaseID         *string           `json:"current_lease_id" format:"id" prefix:"lea" doc:"The active lease."`
	LeaseIDs               []string          `json:"lease_ids" format:"id" prefix:"lea" doc:"Every lease that names the tenant, in ascending id."`
	MoveInDate             *clock.Date       `json:"move_in_date" doc:"When the tenant moved or will move in."`
	MoveOutDate            *clock.Date       `json:"move_out_date" doc:"When the tenant moved or will move out."`
}

// DisplayName is the tenant's name, in quotes, as tenants give it themselves.
func (t Tenant) DisplayName() (name string, outside bool) {
	return strconv.Quote(t.FirstName + " " + t.LastName), true
}

// MailingAddress is where a tenant's letters go.
type MailingAddress struct {
	StreetAddress  string        `json:"street_address" by:"tenant" minlen:"1" maxlen:"200" example:"PO Box 118" doc:"House number and street, or a box."`
	StreetAddress2 *string       `json:"street_address_2" by:"tenant" maxlen:"200" doc:"Second line."`
	City           string        `json:"city" by:"tenant" minlen:"1" maxlen:"100" example:"Austin" doc:"City."`
	State          contact.State `json:"state" example:"TX" doc:"USPS code of the state or DC."`
	PostalCode     *string       `json:"postal_code" format:"postal-code" example:"78701" doc:"ZIP code of 5 or 9 digits."`
	Country        string        `json:"country" const:"US" doc:"Always US."`
}

// EmergencyContact is whom to call when something happens to a tenant.
type EmergencyContact struct {
	Name         string  `json:"name" by:"tenant" minlen:"1" maxlen:"127" example:"Robin Whitfield" doc:"Full name."`
	Phone        *string `json:"phone" format:"phone" example:"+15125550188" doc:"Phone number in E.164."`
	Email        *string `json:"email" by:"tenant" format:"email" maxlen:"254" doc:"Email address."`
	Relationship *string `json:"relationship" by:"tenant" maxlen:"80" example:"sister" doc:"Who the contact is to the tenant."`
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
	Search     string       `in:"query" name:"search" format:"search" minlen:"1" maxlen:"100" example:"whitfield" doc:"Each word of it begins a word of the names, email addresses, phone numbers or mailing address of the tenants; case and accents do not tell."`
	Status     TenantStatus `in:"query" name:"status" doc:"Only tenants of this status."`
	PropertyID string       `in:"query" name:"property_id" format:"ref" prefix:"prop" doc:"Only tenants of this property."`
	UnitID     string       `in:"query" name:"unit_id" format:"ref" prefix:"unit" doc:"Only tenants of this unit."`
	Email      string       `in:"query" name:"email" minlen:"1" maxlen:"254" example:"dana.whitfield@example.com" doc:"Only tenants with this email address; upper and lower case are alike."`
}

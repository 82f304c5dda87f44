package lease

import (
	"context"

	"portal/api/access"
	"portal/api/change"
	"portal/api/contact"
	"portal/api/fault"
	"portal/api/id"
	"portal/api/list"
	"portal/api/portfolio"
)

// Tenants is what can be done with tenants.
type Tenants struct {
	*portfolio.Common
	store Store
}

// NewTenants makes the rules over their store.
func NewTenants(c *portfolio.Common, store Store) *Tenants { return &Tenants{c, store} }

// Tenants lists tenants.
func (s *Tenants) Tenants(
	ctx context.Context, by access.Actor, f portfolio.TenantFilter,
) (*list.Page[portfolio.Tenant], error) {
	f.Query = f.Walked()
	rows, err := s.store.Tenants(ctx, by.Portfolio, f)
	return list.Walked(rows, &f.Query, func(t *portfolio.Tenant) string { return t.ID }), err
}

// Tenant is one tenant.
func (s *Tenants) Tenant(ctx context.Context, by access.Actor, id string) (*portfolio.Tenant, error) {
	t, err := s.store.Tenant(ctx, by.Portfolio, id)
	if err != nil {
		return nil, err
	}
	return &t, nil
}

// TenantCounts counts the tenants that pass a filter, by their status: list.Most of each at most. The status
// that the filter asks for is not looked at.
func (s *Tenants) TenantCounts(
	ctx context.Context, by access.Actor, f portfolio.TenantFilter,
) (list.Counts[portfolio.TenantStatus], error) {
	return s.store.TenantCounts(ctx, by.Portfolio, f)
}

// TenantCreate is a tenant whom the landlord adds.
type TenantCreate struct {
	// Given name.
	FirstName string `json:"first_name" minlen:"1" maxlen:"127" example:"Dana"`
	// Family name.
	LastName string `json:"last_name" minlen:"1" maxlen:"127" example:"Whitfield"`
	// Email address; without one the tenant signs on the landlord's device.
	Email *string `json:"email" format:"email" maxlen:"254" example:"dana.whitfield@example.com"`
	// Phone number, in E.164 or as it is written in the US.
	Phone *string `json:"phone" format:"phone" example:"(512) 555-0142"`
	// The unit that a lease of the tenant is for, unless the lease names another one.
	UnitID *string `json:"unit_id" format:"ref" prefix:"unit"`
}

// AddTenant adds a tenant, who is a prospect until there is a lease.
func (s *Tenants) AddTenant(
	ctx context.Context, by access.Actor, c TenantCreate,
) (*change.Result[portfolio.Tenant], error) {
	return portfolio.Write(ctx, s.Common, by, func(ctx context.Context) (*change.Result[portfolio.Tenant], error) {
		t := portfolio.Tenant{
			Record:    s.NewRecord(by, id.Tenant, "tenant"),
			FirstName: c.FirstName,
			LastName:  c.LastName,
			Name:      c.FirstName + " " + c.LastName,
			Email:     c.Email,
			Phone:     c.Phone,
		}
		t.DeriveTenancy(nil)
		if c.UnitID != nil {
			u, err := portfolio.Find(ctx, by.Portfolio, id.Unit, *c.UnitID, "unit", s.store.Unit)
			if err != nil {
				return nil, err
			}
			t.PropertyID, t.UnitID = &u.PropertyID, &u.ID
		}
		book := portfolio.Book{Tenants: []portfolio.Tenant{t}}
		return &change.Result[portfolio.Tenant]{After: &t}, s.store.AddPeople(ctx, by.Portfolio, &book)
	})
}

// TenantUpdate changes how a tenant is named and reached; what is absent stays.
type TenantUpdate struct {
	// Given name.
	FirstName change.Field[string] `json:"first_name" minlen:"1" maxlen:"127" example:"Dana"`
	// Family name.
	LastName change.Field[string] `json:"last_name" minlen:"1" maxlen:"127" example:"Whitfield"`
	// Email address. Locked from the first signature on one of the tenant's leases until all parties
	// have signed.
	Email change.Field[*string] `json:"email" format:"email" maxlen:"254" example:"dana.whitfield@example.com"`
	// Phone number, in E.164 or as it is written in the US.
	Phone change.Field[*string] `json:"phone" format:"phone" example:"(512) 555-0142"`
	// Another email address.
	AlternateEmail change.Field[*string] `json:"alternate_email" format:"email" maxlen:"254"`
	// Another phone number.
	AlternatePhone change.Field[*string] `json:"alternate_phone" format:"phone"`
	// How the tenant wants to be reached.
	PreferredContactMethod change.Field[*portfolio.ContactMethod] `json:"preferred_contact_method"`
	// Mailing address. Fields that you leave out stay the same; null clears all of it.
	MailingAddress change.Field[*MailingAddressUpdate] `json:"mailing_address"`
	// Whom to call in an emergency. Fields that you leave out stay the same; null clears all of it.
	EmergencyContact change.Field[*EmergencyContactUpdate] `json:"emergency_contact"`
}

// MailingAddressUpdate changes parts of a mailing address.
type MailingAddressUpdate struct {
	// House number and street, or a box.
	StreetAddress change.Field[string] `json:"street_address" minlen:"1" maxlen:"200"`
	// Second line.
	StreetAddress2 change.Field[*string] `json:"street_address_2" maxlen:"200"`
	// City.
	City change.Field[string] `json:"city" minlen:"1" maxlen:"100"`
	// USPS code of the state or DC.
	State change.Field[contact.State] `json:"state"`
	// ZIP code of 5 or 9 digits.
	PostalCode change.Field[*string] `json:"postal_code" format:"postal-code"`
	// Always US.
	Country change.Field[string] `json:"country" const:"US"`
}

// EmergencyContactUpdate changes parts of an emergency contact.
type EmergencyContactUpdate struct {
	// Full name.
	Name change.Field[string] `json:"name" minlen:"1" maxlen:"127"`
	// Phone number, in E.164 or as it is written in the US.
	Phone change.Field[*string] `json:"phone" format:"phone"`
	// Email address.
	Email change.Field[*string] `json:"email" format:"email" maxlen:"254"`
	// Who the contact is to the tenant.
	Relationship change.Field[*string] `json:"relationship" maxlen:"80"`
}

// UpdateTenant changes a tenant's contact details. Documents of drafts that name the tenant are made
// anew; from the first signature under one on, name and email stay.
func (s *Tenants) UpdateTenant(
	ctx context.Context, by access.Actor, t change.Target, u TenantUpdate,
) (*change.Result[portfolio.Tenant], error) {
	var drafts []portfolio.Lease
	return portfolio.Amend(ctx, s.Common, by, t, portfolio.Amendment[portfolio.Tenant]{
		Noun: "tenant",
		Load: s.store.Tenant,
		Save: s.store.SaveTenant,
		Apply: func(ctx context.Context, after *portfolio.Tenant, m *change.Result[portfolio.Tenant]) (err error) {
			if err := u.apply(after); err != nil {
				return err
			}
			if field := renamed(after, m.Before); field != "" {
				drafts, err = s.DraftsThatSay(ctx, by, s.store.Leases, portfolio.LeaseFilter{TenantID: after.ID}, field)
			}
			return err
		},
		Follow: func(ctx context.Context, m *change.Result[portfolio.Tenant]) error {
			if err := s.RemakeDrafts(ctx, by, drafts, renamed(m.After, m.Before)); err != nil {
				return err
			}
			if s.Documents == nil || change.Same(m.After.Email, m.Before.Email) {
				return nil
			}
			others, err := s.readdressed(ctx, by.Portfolio, m.After.ID)
			if err != nil {
				return err
			}
			return s.Documents.Readdress(ctx, by, m.After.ID, m.Before.Email, m.After.Email,
				portfolio.LeaseIDs(append(drafts, others...))...)
		},
		Compute: func(*portfolio.Tenant) {},
	})
}

// renamed names the first field that differs of those that a lease says, "" where none does.
func renamed(t *portfolio.Tenant, b *portfolio.Tenant) string {
	switch {
	case t.FirstName != b.FirstName:
		return "first_name"
	case t.LastName != b.LastName:
		return "last_name"
	case !change.Same(t.Email, b.Email):
		return "email"
	}
	return ""
}

func (u TenantUpdate) apply(t *portfolio.Tenant) error {
	u.FirstName.Into(&t.FirstName)
	u.LastName.Into(&t.LastName)
	t.Name = t.FirstName + " " + t.LastName
	u.Email.Into(&t.Email)
	u.Phone.Into(&t.Phone)
	u.AlternateEmail.Into(&t.AlternateEmail)
	u.AlternatePhone.Into(&t.AlternatePhone)
	u.PreferredContactMethod.Into(&t.PreferredContactMethod)
	var missing []fault.Detail
	if u.MailingAddress.Given {
		t.MailingAddress, missing = u.MailingAddress.Value.onto(t.MailingAddress)
	}
	if u.EmergencyContact.Given {
		contact, more := u.EmergencyContact.Value.onto(t.EmergencyContact)
		t.EmergencyContact, missing = contact, append(missing, more...)
	}
	return fault.Invalid(missing)
}

// onto changes an address, or makes one, which must be whole then.
func (u *MailingAddressUpdate) onto(old *portfolio.MailingAddress) (*portfolio.MailingAddress, []fault.Detail) {
	if u == nil {
		return nil, nil
	}
	a := portfolio.MailingAddress{Country: "US"}
	if old != nil {
		a = *old
	}
	u.StreetAddress.Into(&a.StreetAddress)
	u.StreetAddress2.Into(&a.StreetAddress2)
	u.City.Into(&a.City)
	u.State.Into(&a.State)
	u.PostalCode.Into(&a.PostalCode)
	return &a, portfolio.Missing(
		"mailing_address",
		portfolio.Part{Name: "street_address", Value: a.StreetAddress},
		portfolio.Part{Name: "city", Value: a.City},
		portfolio.Part{Name: "state", Value: string(a.State)},
	)
}

func (u *EmergencyContactUpdate) onto(old *portfolio.EmergencyContact) (*portfolio.EmergencyContact, []fault.Detail) {
	if u == nil {
		return nil, nil
	}
	var c portfolio.EmergencyContact
	if old != nil {
		c = *old
	}
	u.Name.Into(&c.Name)
	u.Phone.Into(&c.Phone)
	u.Email.Into(&c.Email)
	u.Relationship.Into(&c.Relationship)
	return &c, portfolio.Missing("emergency_contact", portfolio.Part{Name: "name", Value: c.Name})
}

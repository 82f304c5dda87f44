package demo

import (
	"portal/api/clock"
	"portal/api/contact"
	"portal/api/portfolio"
)

func (b *draft) addTenants() {
	earliest := b.earliest()
	for _, r := range table("people") {
		name := r["first_name"] + " " + r["last_name"]
		t := b.newTenant(r, name, b.applied(r, earliest[name], name))
		if t.AlternateEmail != nil || t.AlternatePhone != nil { // given afterwards
			touch(&t.Record, b.later(t.CreatedAt, 30, name))
		}
		b.Tenants = append(b.Tenants, t)
	}
}

// earliest is the lease of each person that was written first.
func (b *draft) earliest() map[string]*portfolio.Lease {
	leases := make(map[string]*portfolio.Lease)
	for i := range b.Leases {
		l := &b.Leases[i]
		for _, name := range l.TenantIDs {
			if e := leases[name]; e == nil || l.CreatedAt < e.CreatedAt {
				leases[name] = l
			}
		}
	}
	return leases
}

// applied is when a person became known: some days before the first lease, or with
// the import of it, or, for those without a lease, when the table says.
func (b *draft) applied(r row, l *portfolio.Lease, name string) clock.Time {
	if l == nil {
		return b.during(b.today-r.days("age"), 18, name)
	}
	entered := b.units[l.UnitID].CreatedAt + clock.Time(roll(3_000_000, "entered", name))
	if b.imported(l) {
		return min(entered, l.CreatedAt)
	}
	return max(l.CreatedAt-clock.Time(1+roll(140, "applied", name))*3_600_000, entered)
}

func (b *draft) newTenant(r row, name string, created clock.Time) portfolio.Tenant {
	return portfolio.Tenant{
		Record:                 record("tenant", name, created),
		FirstName:              r["first_name"],
		LastName:               r["last_name"],
		Name:                   name,
		Email:                  r.text("email"),
		Phone:                  r.text("phone"),
		AlternateEmail:         r.text("alternate_email"),
		AlternatePhone:         r.text("alternate_phone"),
		PreferredContactMethod: (*portfolio.ContactMethod)(r.text("contact")),
		MailingAddress:         filled(r["mailing_address"], mailingAddress),
		EmergencyContact:       filled(r["emergency_contact"], emergencyContact),
		Status:                 portfolio.TenantProspect,
		LeaseIDs:               []string{},
	}
}

// mailingAddress reads "street; second line; city; state; ZIP code".
func mailingAddress(s string) portfolio.MailingAddress {
	f := fields(s, 5)
	return portfolio.MailingAddress{
		StreetAddress:  f[0],
		StreetAddress2: text(f[1]),
		City:           f[2],
		State:          contact.State(f[3]),
		PostalCode:     text(f[4]),
		Country:        "US",
	}
}

// emergencyContact reads "name; phone; email; relationship".
func emergencyContact(s string) portfolio.EmergencyContact {
	f := fields(s, 4)
	return portfolio.EmergencyContact{
		Name:         f[0],
		Phone:        text(f[1]),
		Email:        text(f[2]),
		Relationship: text(f[3]),
	}
}

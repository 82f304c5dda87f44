package lease

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"portal/api/access"
	"portal/api/fault"
	"portal/api/id"
	"portal/api/list"
	"portal/api/portfolio"
)

// Guarantor is who answers for what the tenants of a lease owe.
type Guarantor struct {
	// Given name.
	FirstName string `json:"first_name" minlen:"1" maxlen:"127" example:"Robin"`
	// Family name.
	LastName string `json:"last_name" minlen:"1" maxlen:"127" example:"Whitfield"`
	// Email address, to which the link to sign goes.
	Email string `json:"email" format:"email" maxlen:"254" example:"robin.whitfield@example.com"`
}

// SchemaName is the name of the OpenAPI component.
func (Guarantor) SchemaName() string { return "LeaseGuarantor" }

// mostAlike is how many tenants with the same email address are looked at.
const mostAlike = 100

// Guarantee gives a lease these guarantors in place of those that it has, behind its tenants. One with the email
// address and name of a tenant of the portfolio is that tenant. The others join the portfolio with the lease.
func (s *Leases) Guarantee(ctx context.Context, by access.Actor, l *portfolio.Lease, all []Guarantor) error {
	parties := slices.DeleteFunc(slices.Clone(l.Tenants), func(p portfolio.Party) bool {
		return p.Role == portfolio.PartyGuarantor
	})
	taken, err := s.addresses(ctx, by, parties)
	if err != nil {
		return err
	}
	landlord, err := s.store.Landlord(ctx, by.Portfolio)
	if err != nil {
		return err
	}
	for _, r := range landlord.Readers {
		if r.Role == access.Owner {
			taken[strings.ToLower(r.Email)] = "the landlord"
		}
	}
	var wrong []fault.Detail
	var joining []portfolio.Tenant
	for i, g := range all {
		at := fmt.Sprintf("guarantors.%d.", i)
		email := strings.ToLower(g.Email)
		if whose := taken[email]; whose != "" {
			wrong = append(wrong, fault.Wrong(at+"email", "is the address of "+whose+
				" of this lease. A guarantor is somebody else, with another address."))
			continue
		}
		taken[email] = "another guarantor"
		t, detail, err := s.guarantor(ctx, by, &g, at)
		if err != nil {
			return err
		}
		if detail != nil {
			wrong = append(wrong, *detail)
			continue
		}
		if t.Version == 0 {
			t.Record = s.NewRecord(by, id.Tenant, "tenant")
			joining = append(joining, *t)
		}
		party := portfolio.Party{ID: t.ID, Name: t.Name, Role: portfolio.PartyGuarantor}
		is := func(p portfolio.Party) bool { return p.ID == t.ID }
		if i := slices.IndexFunc(l.Tenants, is); i >= 0 {
			party = l.Tenants[i] // with the signature
		}
		parties = append(parties, party)
	}
	if err := fault.Invalid(wrong); err != nil {
		return err
	}
	l.Tenants, l.TenantIDs, l.Joining = parties, make([]string, len(parties)), joining
	for i := range parties {
		l.TenantIDs[i] = parties[i].ID
	}
	return nil
}

// addresses are whose an email address is, by the address in lower case, of parties of a lease, of whom some have yet
// to join the portfolio.
func (s *Leases) addresses(
	ctx context.Context, by access.Actor, parties []portfolio.Party, joining ...portfolio.Tenant,
) (whose map[string]string, err error) {
	whose = map[string]string{}
	for i := range parties {
		var t portfolio.Tenant
		joins := func(j portfolio.Tenant) bool { return j.ID == parties[i].ID }
		if j := slices.IndexFunc(joining, joins); j >= 0 {
			t = joining[j]
		} else if t, err = s.store.Tenant(ctx, by.Portfolio, parties[i].ID); err != nil {
			return nil, err
		}
		if t.Email != nil {
			whose[strings.ToLower(*t.Email)] = "the tenant " + t.Name
		}
	}
	return whose, nil
}

// CheckCoOwners refuses co-owners of a lease who share an email address with another party: the code with which one
// signs goes there.
func (s *Leases) CheckCoOwners(ctx context.Context, by access.Actor, l *portfolio.Lease) error {
	if len(l.Terms.CoOwners) == 0 {
		return nil
	}
	taken, err := s.addresses(ctx, by, l.Tenants, l.Joining...)
	if err != nil {
		return err
	}
	landlord, err := s.store.Landlord(ctx, by.Portfolio)
	if err != nil {
		return err
	}
	taken[strings.ToLower(landlord.Signs())] = "the landlord"
	var wrong []fault.Detail
	for i, o := range l.Terms.CoOwners {
		email := strings.ToLower(o.Email)
		if whose := taken[email]; whose != "" {
			wrong = append(wrong, fault.Wrong(fmt.Sprintf("co_owners.%d.email", i), "is the address of "+whose+
				" of this lease. A co-owner is somebody else, with another address."))
		}
		taken[email] = "another co-owner"
	}
	return fault.Invalid(wrong)
}

// guarantor is the tenant of the portfolio who has the email address and the name of a guarantor, or a new one without
// a record. The fault is that the tenants with the address are called otherwise.
func (s *Leases) guarantor(
	ctx context.Context, by access.Actor, g *Guarantor, at string,
) (*portfolio.Tenant, *fault.Detail, error) {
	found, err := s.store.Tenants(ctx, by.Portfolio, portfolio.TenantFilter{
		Query: list.Query{Limit: mostAlike}, Email: g.Email,
	})
	if err != nil {
		return nil, nil, err
	}
	t := &portfolio.Tenant{
		FirstName: g.FirstName,
		LastName:  g.LastName,
		Name:      g.FirstName + " " + g.LastName,
		Email:     &g.Email,
	}
	same := func(o portfolio.Tenant) bool { return strings.EqualFold(o.Name, t.Name) }
	if i := slices.IndexFunc(found, same); i >= 0 {
		return &found[i], nil, nil
	}
	if len(found) > 0 {
		return nil, new(fault.Wrong(at+"email", fmt.Sprintf("is the address of %s (%s), who has another name. "+
			"Enter that name, or another address.", found[0].Name, found[0].ID))), nil
	}
	t.DeriveTenancy(nil)
	return t, nil, nil
}

// NoteJoined records in the audit trail who has joined the portfolio with a lease that is stored.
func (s *Leases) NoteJoined(ctx context.Context, by access.Actor, l *portfolio.Lease) error {
	for i := range l.Joining {
		err := s.RecordDone(ctx, by, "tenant.created", l.Joining[i].ID, map[string]string{"version": "1"})
		if err != nil {
			return err
		}
	}
	return nil
}

package agreement_test

import (
	"slices"
	"strings"
	"testing"

	"portal/api/agreement"
	"portal/api/change"
	"portal/api/fault"
	"portal/api/portfolio"
	"portal/api/portfolio/lease"
	"portal/db/dbtest"
)

// robin is somebody who is no tenant yet.
var robin = lease.Guarantor{FirstName: "Robin", LastName: "Vance", Email: "robin@example.com"}

// guaranteed is a draft that was not sent, with guarantors.
func (f *fixture) guaranteed(all ...lease.Guarantor) *agreement.LeaseWithTerms {
	f.Helper()
	return f.generates(func(g *agreement.LeaseGenerate) { g.Send, g.Guarantors = new(false), &all })
}

// guarantees changes the guarantors of a lease.
func (f *fixture) guarantees(leaseID string, all ...lease.Guarantor) (*change.Result[agreement.LeaseWithTerms], error) {
	u := lease.Update{Guarantors: change.To(all)}
	return f.UpdateLease(f.Context(), f.by, change.Target{ID: leaseID}, u)
}

// signersOf are the roles and names of who signs, in their order.
func signersOf(l *agreement.LeaseWithTerms) string {
	var all []string
	for _, s := range l.Signers {
		all = append(all, string(s.Role)+" "+s.Name)
	}
	return strings.Join(all, ", ")
}

func TestGuarantorsOfDraftCanChangeUntilItIsSent(t *testing.T) {
	onEach(t, func(f *fixture) {
		tenants := func() int { return len(dbtest.Texts(f, f.db, "SELECT id FROM tenants")) }
		before := tenants()
		l := f.guaranteed(robin)
		if len(l.Tenants) != 2 || l.Tenants[1].Role != portfolio.PartyGuarantor || l.Tenants[1].Name != "Robin Vance" ||
			len(l.Guarantors) != 1 || *l.Guarantors[0].Email != robin.Email || tenants() != before+1 {
			f.Fatalf("%+v, %+v, %d tenants", l.Tenants, l.Guarantors, tenants())
		}
		first := l.Tenants[1].ID
		kim := lease.Guarantor{FirstName: "Kim", LastName: "Vance", Email: "kim@example.com"}
		made, err := f.guarantees(l.ID, kim, robin)
		f.ok(err)
		l = f.withTerms(l.ID)
		if got := signersOf(l); !strings.HasPrefix(got, "tenant ") ||
			!strings.Contains(got, ", guarantor Kim Vance, guarantor Robin Vance, landlord ") {
			f.Errorf("who signs: %s", got)
		}
		if made.After.Version != 2 || l.Tenants[2].ID != first || tenants() != before+2 || len(l.Guarantors) != 2 {
			f.Errorf("version %d, %+v, %d tenants", made.After.Version, l.Tenants, tenants())
		}
		if same, err := f.guarantees(l.ID, kim, robin); err != nil || same.After.Version != 2 {
			f.Errorf("the same again: %v", err)
		}
		made, err = f.guarantees(l.ID)
		f.ok(err)
		if got := signersOf(f.withTerms(l.ID)); strings.Contains(got, "guarantor") || len(made.After.Guarantors) != 0 {
			f.Errorf("without guarantors: %s", got)
		}
		for _, tenantID := range []string{first, l.Tenants[1].ID} {
			listed, err := f.leases.Leases(f.Context(), f.by, portfolio.LeaseFilter{TenantID: tenantID})
			f.ok(err)
			if len(listed.Data) > 0 {
				f.Errorf("%s is still named by %v", tenantID, listed.Data[0].ID)
			}
		}
		_, err = f.guarantees(l.ID, robin)
		f.ok(err)
		_, err = f.Send(f.Context(), f.by, l.ID)
		f.ok(err)
		if _, err = f.guarantees(l.ID, kim); !fault.Is(err, fault.InvalidTransition) ||
			fault.From(err).Param != "guarantors" {
			f.Errorf("other guarantors of a lease that was sent: %v", err)
		}
		if _, err = f.guarantees(l.ID, robin); err != nil {
			f.Errorf("the same guarantors of a lease that was sent: %v", err)
		}
	})
}

func TestGuarantorIsMatchedByAddressAndName(t *testing.T) {
	onEach(t, func(f *fixture) {
		other := f.addTenants("Lee Fox")[0]
		l := f.guaranteed(lease.Guarantor{FirstName: "LEE", LastName: "fox", Email: "Fox@Example.com"})
		if l.Tenants[1].ID != other || l.Tenants[1].Name != "Lee Fox" {
			f.Errorf("the guarantor is %+v", l.Tenants[1])
		}
		email := func(of string) string {
			t := dbtest.Texts(f, f.db, "SELECT email FROM tenants WHERE id = '"+of+"'")
			return t[0]
		}
		tenant, fox := email(f.tenants[0]), email(other)
		landlord := "dana@example.com"
		for words, all := range map[string][]lease.Guarantor{
			"guarantors.0.email is the address of the tenant": {{FirstName: "A", LastName: "B", Email: tenant}},
			"guarantors.0.email is the address of the landlord": {
				{FirstName: "A", LastName: "B", Email: strings.ToUpper(landlord)},
			},
			"guarantors.1.email is the address of another guarantor": {
				robin, {FirstName: "A", LastName: "B", Email: "Robin@example.com"},
			},
			"guarantors.1.email is the address of Lee Fox (" + other: {robin, {FirstName: "Lea", LastName: "Fox", Email: fox}},
			"guarantors.0.first_name has characters": {
				{FirstName: "መኪና", LastName: "B", Email: "b@example.com"},
			},
		} {
			g := f.asked()
			g.Guarantors = &all
			if _, err := f.Generate(f.Context(), f.by, g); !fault.Is(err, fault.InvalidField) ||
				!strings.HasPrefix(fault.From(err).Message, words) {
				f.Errorf("want %q, got %v", words, err)
			}
			before := dbtest.Texts(f, f.db, "SELECT id FROM tenants ORDER BY id")
			if _, err := f.guarantees(l.ID, all...); !fault.Is(err, fault.InvalidField) {
				f.Errorf("want %q of an update, got %v", words, err)
			}
			if after := dbtest.Texts(f, f.db, "SELECT id FROM tenants ORDER BY id"); !slices.Equal(before, after) {
				f.Errorf("an update that was refused has left tenants: %v", after)
			}
		}
	})
}

package agreement_test

import (
	"strings"
	"testing"

	"portal/api/agreement"
	"portal/api/change"
	"portal/api/fault"
	"portal/api/portfolio/lease"
	"portal/api/portfolio/lease/terms"
	"portal/db/dbtest"
)

// jordan owns the home with the landlord.
var jordan = terms.CoOwner{Name: "Jordan Ellis", Email: "jordan@example.com", Title: new("Owner")}

// owns changes the co-owners of a lease.
func (f *fixture) owns(leaseID string, all ...terms.CoOwner) (*change.Result[agreement.LeaseWithTerms], error) {
	u := lease.Update{CoOwners: change.To(all)}
	return f.UpdateLease(f.Context(), f.by, change.Target{ID: leaseID}, u)
}

func TestCoOwnersOfDraftCanChangeUntilItIsSent(t *testing.T) {
	onEach(t, func(f *fixture) {
		l := f.generates(func(g *agreement.LeaseGenerate) {
			g.Send, g.CoOwners, g.Guarantors = new(false), &[]terms.CoOwner{jordan}, &[]lease.Guarantor{robin}
		})
		want := ", guarantor Robin Vance, landlord Jordan Ellis, landlord dana"
		if got := signersOf(l); !strings.HasSuffix(got, want) || *l.Signers[2].Title != "Owner" ||
			l.Signers[2].TenantID != nil || len(l.CoOwners) != 1 {
			f.Errorf("%s, %+v", got, l.CoOwners)
		}
		kim := terms.CoOwner{Name: "Kim Ellis", Email: "kim@example.com"}
		made, err := f.owns(l.ID, kim, jordan)
		f.ok(err)
		if got := signersOf(f.withTerms(l.ID)); made.After.Version != 2 ||
			!strings.HasSuffix(got, ", landlord Kim Ellis, landlord Jordan Ellis, landlord dana") {
			f.Errorf("version %d: %s", made.After.Version, got)
		}
		if same, err := f.owns(l.ID, kim, jordan); err != nil || same.After.Version != 2 {
			f.Errorf("the same again: %v", err)
		}
		if made, err = f.guarantees(l.ID); err != nil || len(made.After.CoOwners) != 2 {
			f.Errorf("without guarantors: %v", err)
		}
		_, err = f.owns(l.ID)
		f.ok(err)
		if got := f.withTerms(l.ID); len(got.Signers) != 2 || len(got.CoOwners) != 0 {
			f.Errorf("without co-owners: %s", signersOf(got))
		}
		if rows := dbtest.Texts(f, f.db, "SELECT role FROM lease_signers WHERE lease_id = '"+l.ID+
			"' ORDER BY position"); strings.Join(rows, " ") != "primary landlord" {
			f.Errorf("kept are %v", rows)
		}
		_, err = f.owns(l.ID, jordan)
		f.ok(err)
		_, err = f.Send(f.Context(), f.by, l.ID)
		f.ok(err)
		if _, err = f.owns(l.ID, kim); !fault.Is(err, fault.InvalidTransition) ||
			fault.From(err).Param != "co_owners" {
			f.Errorf("other co-owners of a lease that was sent: %v", err)
		}
		if _, err = f.owns(l.ID, jordan); err != nil {
			f.Errorf("the same co-owner of a lease that was sent: %v", err)
		}
	})
}

func TestCoOwnerHasAddressOfNobodyElse(t *testing.T) {
	onEach(t, func(f *fixture) {
		tenant := dbtest.Texts(f, f.db, "SELECT email FROM tenants WHERE id = '"+f.tenants[0]+"'")[0]
		l := f.guaranteed(robin)
		for words, all := range map[string][]terms.CoOwner{
			"co_owners.0.email is the address of the tenant":       {{Name: "A", Email: strings.ToUpper(tenant)}},
			"co_owners.0.email is the address of the tenant Robin": {{Name: "A", Email: robin.Email}},
			"co_owners.0.email is the address of the landlord":     {{Name: "A", Email: "Dana@example.com"}},
			"co_owners.1.email is the address of another co-owner": {jordan, {Name: "B", Email: "JORDAN@example.com"}},
			"co_owners.0.name has characters":                      {{Name: "መኪና", Email: "b@example.com"}},
			"co_owners.0.title has characters":                     {{Name: "B", Email: "b@b.co", Title: new("መኪና")}},
		} {
			g := f.asked()
			g.CoOwners, g.Guarantors = &all, &[]lease.Guarantor{robin}
			if _, err := f.Generate(f.Context(), f.by, g); !fault.Is(err, fault.InvalidField) ||
				!strings.HasPrefix(fault.From(err).Message, words) {
				f.Errorf("want %q, got %v", words, err)
			}
			if _, err := f.owns(l.ID, all...); !fault.Is(err, fault.InvalidField) {
				f.Errorf("want %q of an update, got %v", words, err)
			}
		}
		_, err := f.owns(l.ID, jordan)
		f.ok(err)
		taken := lease.Guarantor{FirstName: "Jo", LastName: "Ellis", Email: jordan.Email}
		if _, err := f.guarantees(l.ID, taken); !fault.Is(err, fault.InvalidField) {
			f.Errorf("a guarantor with the address of a co-owner: %v", err)
		}
	})
}

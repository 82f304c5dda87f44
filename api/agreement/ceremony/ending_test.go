package ceremony_test

import (
	"strings"
	"testing"

	"portal/api/agreement"
	"portal/api/agreement/ceremony"
	"portal/api/change"
	"portal/api/clock"
	"portal/api/portfolio"
	"portal/api/portfolio/lease"
	"portal/db/dbtest"
)

// The log goes on after the certificate was sealed, and what is kept of the lease stays genuine.
func TestLeaseEndedBeforeItStartsStaysGenuine(t *testing.T) {
	onEach(t, func(f *fixture) {
		f.executes()
		agreed, mails := clock.DateOf(f.now, f.by.Zone), len(f.mails)
		_, err := f.rules.Leases.UpdateLease(f.Context(), f.by, change.Target{ID: f.lease.ID}, lease.Update{
			Status:            change.To(portfolio.LeaseTerminated),
			TenantsAgreedOn:   change.To(agreed),
			TerminationReason: change.To(new("The house is sold.")),
		})
		f.ok(err)
		if l := f.reread(); !l.NeverStarted() {
			f.Errorf("%s on %v", l.Status, l.TerminatedOn)
		}
		notes := dbtest.Texts(t, f.db, "SELECT note FROM document_evidence WHERE kind = 'ended'")
		if len(notes) != 1 || !strings.Contains(notes[0], agreed.String()) || !strings.Contains(notes[0], "sold") {
			f.Errorf("%q", notes)
		}
		if log := f.log(); !strings.HasSuffix(log, "executed, ended") {
			f.Error(log)
		}
		f.intact()
		e, err := f.agreements.Execution(f.Context(), *f.lease.DocumentID)
		f.ok(err)
		v, err := f.agreements.VerifyFile(f.Context(), e.Content)
		f.ok(err)
		if v.Finding != agreement.Genuine || len(v.Signers) != 3 || v.EndedOn == nil || *v.EndedOn != agreed {
			f.Errorf("%+v", v)
		}
		told := f.mails[mails:]
		if len(told) != 2 || told[0].To != f.address(0) || told[1].To != f.address(1) {
			f.Fatalf("%+v", told)
		}
		for _, m := range told {
			for _, text := range []string{m.Text, m.HTML} {
				if !strings.Contains(text, "The house is sold.") || !strings.Contains(text, agreed.Words()) {
					f.Error(text)
				}
			}
		}
		if p := f.page(0); p.Standing != ceremony.Executed {
			f.Error(p.Standing)
		}
	})
}

// A renewal that never starts leaves the earlier lease to be renewed by another one.
func TestRenewalEndedBeforeItStartsReleasesEarlierLease(t *testing.T) {
	onEach(t, func(f *fixture) {
		f.executes()
		renewal, err := f.agreements.Generate(f.Context(), f.by, agreement.LeaseGenerate{
			PropertyID:    f.lease.PropertyID,
			TenantID:      f.lease.Tenants[0].ID,
			RenewsLeaseID: &f.lease.ID,
			StartDate:     f.lease.EndDate.AddDays(1),
			MonthlyRent:   f.lease.MonthlyRent,
			LeaseType:     new(portfolio.Fixed),
			RentDueDay:    new(1),
			ExpiresInDays: 14,
		})
		f.ok(err)
		dbtest.Exec(t, f.db, "UPDATE leases SET status = 'signed' WHERE id = $1", renewal.After.ID)
		dbtest.Exec(t, f.db, "UPDATE leases SET renewed_to_lease_id = $1 WHERE id = $2", renewal.After.ID, f.lease.ID)
		_, err = f.rules.Leases.UpdateLease(f.Context(), f.by, change.Target{ID: renewal.After.ID}, lease.Update{
			Status:            change.To(portfolio.LeaseTerminated),
			TenantsAgreedOn:   change.To(clock.DateOf(f.now, f.by.Zone)),
			TerminationReason: change.To(new("They move.")),
		})
		f.ok(err)
		if l := f.reread(); l.RenewedToLeaseID != nil || l.Status != portfolio.LeaseSigned {
			f.Errorf("%s, renewed by %v", l.Status, l.RenewedToLeaseID)
		}
	})
}

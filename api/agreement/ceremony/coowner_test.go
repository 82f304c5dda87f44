package ceremony_test

import (
	"strings"
	"testing"

	"portal/api/agreement"
	"portal/api/agreement/ceremony"
	"portal/api/agreement/document/documenttest"
	"portal/api/clock"
	"portal/api/fault"
	"portal/api/money"
	"portal/api/portfolio"
	"portal/api/portfolio/lease/terms"
	"portal/db/dbtest"
)

// coOwned replaces the lease of a fixture by one of its first tenant and two co-owners.
func (f *fixture) coOwned() {
	f.Helper()
	made, err := f.agreements.Generate(f.Context(), f.by, agreement.LeaseGenerate{
		PropertyID: f.lease.PropertyID,
		TenantID:   f.lease.TenantIDs[0],
		CoOwners: &[]terms.CoOwner{
			{Name: "Jordan Ellis", Email: "jordan@example.com", Title: new("Trustee")},
			{Name: "Kim Ellis", Email: "kim@example.com"},
		},
		StartDate:     clock.Day(2027, 1, 9),
		MonthlyRent:   money.Cents(145050),
		LeaseType:     new(portfolio.Fixed),
		RentDueDay:    new(1),
		ExpiresInDays: 14,
		LeadPaint:     &terms.LeadPaint{Hazards: terms.NoHazards, Records: terms.NoRecords},
	})
	f.ok(err)
	f.lease = made.After
}

func TestCoOwnersSignAsLandlords(t *testing.T) {
	onEach(t, func(f *fixture) {
		before := len(f.mails)
		f.coOwned()
		if to := strings.Join(f.to(before), ", "); strings.Count(to, "jordan@example.com ") != 1 ||
			strings.Count(to, "kim@example.com ") != 1 || strings.Count(to, "dana@example.com ") != 1 {
			f.Errorf("links went to %s", to)
		}
		if p := f.page(2); p.Signer.Role != agreement.LandlordSigner || p.Signer.Name != "Kim Ellis" ||
			p.Email != "k•••••@example.com" || p.Signer.TenantID != nil {
			f.Errorf("the page of a co-owner: %+v", p.Signer)
		}
		// The dashboard signs for the landlord alone, also by the link of a co-owner.
		err := f.SignHere(f.Context(), f.by, f.lease.ID, f.lease.Signers[1].ID, "dana@example.com",
			ceremony.Signature{Version: 1, Name: "Jordan Ellis"}, from)
		if !fault.Is(err, fault.NoRecord) {
			f.Errorf("a co-owner on the landlord's device: %v", err)
		}
		f.ok(f.SignAsLandlord(f.Context(), f.by, f.lease.ID, "dana@example.com",
			ceremony.Signature{Version: 1, Name: f.name(3)}, from))
		signed := func() string {
			return strings.Join(dbtest.Texts(f, f.db, "SELECT name FROM lease_signers WHERE lease_id = '"+f.lease.ID+
				"' AND signed_at IS NOT NULL ORDER BY position"), ", ")
		}
		if got := signed(); got != f.name(3) {
			f.Errorf("after the landlord have signed: %s", got)
		}
		f.signs(2)
		f.signs(2) // which changes nothing
		if got := signed(); got != "Kim Ellis, "+f.name(3) {
			f.Errorf("after the second co-owner have signed: %s", got)
		}
		f.signs(0)
		if l := f.reread(); l.Status != portfolio.LeasePendingSignature {
			f.Errorf("without the first co-owner the lease is %s", l.Status)
		}
		before = len(f.mails)
		f.signs(1)
		l := f.reread()
		if l.Status != portfolio.LeaseSigned || f.events != 1 {
			f.Fatalf("the lease is %s, %d events", l.Status, f.events)
		}
		shown, err := f.agreements.Document(f.Context(), strings.TrimPrefix(*l.DocumentURL, baseURL+"/documents/"))
		f.ok(err)
		said := strings.Join(strings.Fields(documenttest.Tool(f.T, shown.Content, "pdftotext", "FILE", "-")), " ")
		for _, words := range []string{
			"Co-owners Jordan Ellis and Kim Ellis", "own the home with the landlord",
			"Landlord, co-owner (Trustee)", "typed the name “Jordan Ellis”", "typed the name “Kim Ellis”",
			"code that was sent to kim@example.com",
		} {
			if !strings.Contains(said, words) {
				f.Errorf("the executed lease does not say %q", words)
			}
		}
		copies := map[string]int{}
		for _, m := range f.mails[before:] {
			if strings.Contains(m.Text, *l.DocumentURL) {
				copies[m.To]++
			}
		}
		for _, to := range []string{"sam@example.com", "jordan@example.com", "kim@example.com", "dana@example.com"} {
			if copies[to] != 1 {
				f.Errorf("%d copies for %s", copies[to], to)
			}
		}
		if found, err := f.agreements.Verify(f.Context(), *f.lease.DocumentID); err != nil || found != nil {
			f.Errorf("%v, %v", found, err)
		}
	})
}

func TestCoOwnerCanDecline(t *testing.T) {
	onEach(t, func(f *fixture) {
		f.coOwned()
		f.signs(0)
		f.ok(f.Review(f.Context(), f.token(1), from))
		f.ok(f.Decline(f.Context(), f.token(1), "The rent is too low.", from))
		if l := f.reread(); l.Status != portfolio.LeaseDeclined {
			f.Errorf("the lease is %s", l.Status)
		}
		if s := f.page(1).Signer; s.Status != agreement.Declined || *s.DeclineReason != "The rent is too low." {
			f.Errorf("%+v", s)
		}
	})
}

package ceremony_test

import (
	"strings"
	"testing"

	"portal/api/agreement"
	"portal/api/agreement/ceremony"
	"portal/api/agreement/document/documenttest"
	"portal/api/clock"
	"portal/api/money"
	"portal/api/portfolio"
	"portal/api/portfolio/lease"
	"portal/api/portfolio/lease/terms"
	"portal/api/secret"
	"portal/api/tenantportal"
	"portal/db/dbtest"
	"portal/db/portfoliostore"
)

// guaranteed replaces the lease of a fixture by one of its first tenant and a guarantor.
func (f *fixture) guaranteed() {
	f.Helper()
	made, err := f.agreements.Generate(f.Context(), f.by, agreement.LeaseGenerate{
		PropertyID:    f.lease.PropertyID,
		TenantID:      f.lease.TenantIDs[0],
		Guarantors:    &[]lease.Guarantor{{FirstName: "Robin", LastName: "Vance", Email: "robin@example.com"}},
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

func TestGuarantorSignsGuarantyAndGetsCopyAlone(t *testing.T) {
	onEach(t, func(f *fixture) {
		box, err := secret.NewBox(make([]byte, secret.KeySize))
		f.ok(err)
		pages := tenantportal.New(f.rules, f.agreements, portfoliostore.New(f.db), box)
		f.TenantPages = pages
		before := len(f.mails)
		f.guaranteed()
		if to := f.to(before); len(to) != 3 || !strings.HasPrefix(to[1], "robin@example.com ") {
			f.Errorf("links went to %v", to)
		}
		p := f.page(1)
		if p.Standing != ceremony.ToReview || p.Signer.Role != agreement.GuarantorSigner ||
			p.Signer.Name != "Robin Vance" || p.Email != "r•••••@example.com" {
			f.Errorf("the page of the guarantor: %+v", p.Signer)
		}
		f.signs(0)
		f.signs(1)
		if l := f.reread(); l.Status != portfolio.LeasePendingSignature || l.Tenants[1].SignedAt == nil {
			f.Errorf("the lease is %s, %+v", l.Status, l.Tenants)
		}
		before = len(f.mails)
		f.ok(f.SignAsLandlord(f.Context(), f.by, f.lease.ID, "dana@example.com",
			ceremony.Signature{Version: 1, Name: f.name(2)}, from))
		l := f.reread()
		shown, err := f.agreements.Document(f.Context(), strings.TrimPrefix(*l.DocumentURL, baseURL+"/documents/"))
		f.ok(err)
		said := strings.Join(strings.Fields(documenttest.Tool(f.T, shown.Content, "pdftotext", "FILE", "-")), " ")
		for _, words := range []string{
			"26. Guaranty", "Robin Vance (guarantor)", "typed the name “Robin Vance”",
			"code that was sent to robin@example.com",
		} {
			if !strings.Contains(said, words) {
				f.Errorf("the executed lease does not say %q", words)
			}
		}
		_, guaranty, _ := strings.Cut(said, "26. Guaranty")
		guaranty, _, _ = strings.Cut(guaranty, "27. Signatures")
		if strings.Count(guaranty, "Robin Vance") < 3 || strings.Contains(guaranty, "Sam Rivera, ") {
			f.Errorf("the guaranty is %q", guaranty)
		}
		copies := 0
		for _, m := range f.mails[before:] {
			if m.To != "robin@example.com" {
				continue
			}
			copies++
			if !strings.Contains(m.Text, *l.DocumentURL) || strings.Contains(m.Text+m.HTML, tenantportal.Path) {
				f.Errorf("the copy of the guarantor: %s", m.Text)
			}
		}
		if copies != 1 {
			f.Errorf("%d copies for the guarantor", copies)
		}

		// To end the lease, those who rent are asked.
		dbtest.Exec(t, f.db, "DELETE FROM payments")
		before = len(f.mails)
		f.ok(f.asks())
		if told := f.to(before); len(told) != 1 || !strings.HasPrefix(told[0], f.address(0)+" ") {
			f.Errorf("asked to end the lease are %v", told)
		}
		f.agrees(0)
		if l := f.reread(); l.TerminatedOn == nil {
			f.Errorf("after all who rent agreed, the lease is %s", l.Status)
		}
	})
}

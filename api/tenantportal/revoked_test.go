package tenantportal_test

import (
	"context"
	"strings"
	"testing"

	"portal/api/clock"
	"portal/api/money"
	"portal/api/portfolio"
	"portal/db/dbtest"
)

// statesDeposit emails the tenant what became of their deposit, and is the email.
func (f *fixture) statesDeposit() string {
	f.Helper()
	leases, err := f.Portfolio.LeasesWithTerms(f.Context(), f.landlord.Portfolio, f.leaseIDs())
	f.OK(err)
	d := &portfolio.DepositStatement{
		EndedOn: clock.Day(2026, 11, 1), Held: money.Dollars(900), Refunded: money.Dollars(900),
		Content: &portfolio.DepositContent{Home: "1420 Maple Avenue, Unit 2B, Austin, TX 78701"},
	}
	for _, l := range leases {
		d.LeaseID = l.ID
		f.OK(f.rules.Tx.Exclusively(f.Context(), f.landlord.Portfolio, func(ctx context.Context) error {
			return f.DepositReturned(ctx, f.landlord, l, d)
		}))
	}
	all := f.emails(sam)
	return all[len(all)-1].Text
}

func (f *fixture) leaseIDs() []string {
	f.Helper()
	t, err := f.Portfolio.Tenant(f.Context(), f.landlord.Portfolio, f.tenant.TenantID)
	f.OK(err)
	return t.LeaseIDs
}

// No email makes a page open again that the landlord has revoked: neither that of a deposit statement nor that of a
// signed lease.
func TestRevokedPageStaysRevokedWhateverIsEmailed(t *testing.T) {
	onEach(t, func(f *fixture) {
		if text := f.statesDeposit(); strings.Count(text, baseURL) != 2 || !strings.Contains(text, "is on your page") {
			f.Errorf("with a page:\n%s", text)
		}
		f.OK(f.RevokeLink(f.Context(), f.landlord, f.tenant.TenantID))
		text := f.statesDeposit()
		if strings.Contains(text, baseURL) || strings.Contains(text, "your page") ||
			strings.Contains(text, "su página") {
			f.Errorf("the email leads to a page:\n%s", text)
		}
		f.says(text, "Goes back to the tenants: $900.00", "For the statement with every deduction, ask ",
			"Para ver el estado de cuenta con cada deducción, consulte a ")
		f.OK(f.rules.Tx.Exclusively(f.Context(), f.landlord.Portfolio, func(ctx context.Context) error {
			link, err := f.LinkFor(ctx, f.landlord, f.tenant.TenantID)
			if link != "" {
				f.Errorf("the email of a signed lease opens %s", link)
			}
			return err
		}))
		live := dbtest.Texts(f.T, f.DB, "SELECT id FROM tenant_links WHERE ended_at IS NULL")
		if len(live) > 0 {
			f.Errorf("%d links are live", len(live))
		}
		f.newLink(false) // the landlord opens it again
		if text := f.statesDeposit(); !strings.Contains(text, baseURL) {
			f.Errorf("with a new link:\n%s", text)
		}
	})
}

// A late fee that a person adds is told as a late fee, once on its day.
func TestLateFeeThatWasAddedByHandIsToldAsOne(t *testing.T) {
	rent(t, func(f *fixture) {
		f.now = at(11, 26, 9)
		f.charge(clock.Day(2026, 11, 26), 45, func(p *portfolio.Payment) {
			lateFee(p)
			p.Charge, p.Description = nil, new("Late in November")
		})
		m := f.notices(1)[0]
		f.Same(m.Subject, "Late fee of $45.00")
		f.says(m.Text, "- A late fee of $45.00 was charged (Late in November). It is due on November 26, 2026.",
			"Se cobró un recargo por atraso de $45.00. Vence el 26 de noviembre de 2026.")
		if strings.Contains(m.Text, "is due today") {
			f.Errorf("it is told as a charge too:\n%s", m.Text)
		}
		f.now = at(11, 27, 9)
		f.notices(1)
	})
}

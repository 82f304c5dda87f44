package resident_test

import (
	"net/http"
	"strings"
	"testing"

	"portal/api/access"
	"portal/api/agreement/document/documenttest"
	"portal/api/change"
	"portal/api/clock"
	"portal/api/mail"
	"portal/api/money"
	"portal/api/portfolio"
	"portal/api/portfolio/lease"
	"portal/api/portfolio/ledger"
	"portal/api/tenantportal"
	"portal/db/portfoliostore"
	"portal/web/pagetest"
)

// states gives the leases of tenants statements of their deposits.
func (f *tenantPages) states(all ...*renter) {
	f.Helper()
	for _, r := range all {
		pagetest.Must(f, portfoliostore.New(f.db).AddDepositStatement(f.Context(), r.by.Portfolio,
			&portfolio.DepositStatement{
				LeaseID: r.lease, CreatedAt: clock.At(f.now), Held: money.Dollars(900), Refunded: money.Dollars(900),
				Content: &portfolio.DepositContent{
					Landlord: "Maple & Oak", Home: "1420 Maple Avenue", Tenants: []string{r.name},
				},
			}))
	}
}

// endsWithDeposit ends the lease of a tenant, who has paid a deposit of $1,000, today.
func (f *tenantPages) endsWithDeposit(r *renter) {
	f.Helper()
	m, err := f.rules.Ledger.AddCharge(f.Context(), r.by, r.lease, ledger.ChargeCreate{
		Charge: ledger.ChargeDeposit, Amount: money.Dollars(1000), DueDate: f.rules.Today(r.by),
	})
	pagetest.Must(f, err)
	_, err = f.rules.Ledger.RecordPayment(f.Context(), r.by, change.Target{ID: m.After.ID}, ledger.Clearing{
		Amount: money.Dollars(1000), Method: "cash",
	})
	pagetest.Must(f, err)
	_, err = f.rules.Leases.UpdateLease(f.Context(), r.by, change.Target{ID: r.lease}, lease.Update{
		Status: change.To(portfolio.LeaseTerminated),
	})
	pagetest.Must(f, err)
}

// mailed is the latest email to an address whose subject begins with a text.
func (f *tenantPages) mailed(to, subject string) *mail.Message {
	f.Helper()
	all, err := f.post.Mails(f.Context(), mail.Filter{Limit: 100})
	pagetest.Must(f, err)
	for _, m := range all {
		if m.To == to && strings.HasPrefix(m.Subject, subject) {
			stored, err := f.post.Mail(f.Context(), m.ID)
			pagetest.Must(f, err)
			return stored.Content
		}
	}
	f.Fatalf("nothing was emailed to %s about %q", to, subject)
	return nil
}

func TestTenantReadsDepositStatementBehindCode(t *testing.T) {
	onBothTenantPages(t, false, func(f *tenantPages) {
		f.rules.Deposits = f.tenants
		all := f.rents(
			&f.home,
			f.home.Live,
			"3A",
			portfolio.PartyPrimary,
			portfolio.PartyCoTenant,
			portfolio.PartyGuarantor,
		)
		r, other := all[0], f.rents(&f.home, f.home.Live, "3B", portfolio.PartyPrimary)[0]
		f.endsWithDeposit(r)
		f.now = f.now.AddDate(0, 0, 40) // the link has ended with the tenancy
		f.says(f.gets(r.at("/lease")), http.StatusNotFound)
		_, err := f.rules.Ledger.ReturnDeposit(f.Context(), r.by, change.Target{ID: r.lease}, ledger.DepositReturn{
			Deductions: &[]ledger.Deduction{{Text: "Paint the hall", Amount: money.Cents(20050)}},
			Method:     new(portfolio.PaymentMethod("check")), Reference: new("1182"),
		})
		pagetest.Must(f, err)
		for _, tenant := range all[:2] {
			m := f.mailed(tenant.email, "Your deposit statement for ")
			for _, want := range []string{"$1,000.00", "$200.50", "$799.50", pagetest.BaseURL + tenantportal.Path, "Se devuelve"} {
				if !strings.Contains(m.Text, want) || !strings.Contains(m.HTML, want) {
					t.Errorf("the email lacks %q:\n%s", want, m.Text)
				}
			}
		}
		if n := f.count("mails WHERE subject LIKE 'Your deposit statement%'"); n != 2 {
			t.Errorf("%d emails", n)
		}
		pdf := "/lease/" + r.lease + "/deposit.pdf"
		locked := f.gets(r.at("/lease"))
		f.says(locked, http.StatusOK, "Show the deposit statement with a code")
		if strings.Contains(locked.Body.String(), "799.50") {
			t.Error("amounts show without a code")
		}
		if rec := f.gets(r.at(pdf)); rec.Code != http.StatusSeeOther {
			t.Errorf("without a code: %d", rec.Code)
		}
		open := f.unlocks(r)
		f.says(f.gets(r.at("/lease"), open), http.StatusOK, "Paint the hall", "−$200.50", "$799.50",
			"Open the deposit statement (PDF)")
		f.says(
			f.gets(r.at("/payments"), open),
			http.StatusOK,
			"Deposit returned",
			"From the deposit: Paint the hall",
			"Settled",
		)
		f.says(f.gets(r.at("/payments?lang=es"), open), http.StatusOK, "Depósito devuelto",
			"Del depósito: Paint the hall")
		rec := f.gets(r.at(pdf), open)
		text := documenttest.Tool(t, rec.Body.Bytes(), "pdftotext", "-layout", "FILE", "-")
		if rec.Code != http.StatusOK || !strings.Contains(text, "$799.50") ||
			!strings.Contains(text, "Paint the hall") {
			t.Error(rec.Code, text)
		}
		rec = f.gets(r.at(pdf+"?lang=es"), open)
		text = documenttest.Tool(t, rec.Body.Bytes(), "pdftotext", "-layout", "FILE", "-")
		if !strings.Contains(text, "Estado de cuenta") {
			t.Error(text)
		}
		stranger := f.unlocks(other)
		if rec := f.gets(other.at(pdf), stranger); rec.Code != http.StatusNotFound {
			t.Errorf("another tenant: %d", rec.Code)
		}
		if rec := f.gets(other.at("/lease/"+other.lease+"/deposit.pdf"), stranger); rec.Code != http.StatusNotFound {
			t.Errorf("without a statement: %d", rec.Code)
		}
		f.now = f.now.AddDate(0, 0, 31)
		f.says(f.gets(r.at("/lease")), http.StatusNotFound)
	})
}

func TestTenantWhoReadsSpanishGetsDepositStatementInSpanish(t *testing.T) {
	onBothTenantPages(t, false, func(f *tenantPages) {
		f.rules.Deposits = f.tenants
		r := f.rents(&f.home, f.home.Test, "3A", portfolio.PartyPrimary)[0]
		pagetest.Must(f, f.tenants.SendCode(f.Context(), r.link, "es"))
		f.endsWithDeposit(r)
		_, err := f.rules.Ledger.ReturnDeposit(f.Context(), r.by, change.Target{ID: r.lease}, ledger.DepositReturn{
			Method: new(portfolio.PaymentMethod("cash")),
		})
		pagetest.Must(f, err)
		m := f.mailed(r.email, "Estado de cuenta de su depósito")
		if !strings.Contains(m.Text, "$1,000.00") || strings.Contains(m.Text, "Hello") ||
			m.Portfolio.Mode != access.Test ||
			!strings.Contains(m.Text, "lang=es") {
			t.Error(m.Text)
		}
	})
}

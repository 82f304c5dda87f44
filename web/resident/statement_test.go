package resident_test

import (
	"net/http"
	"strings"
	"testing"

	"portal/api/agreement/document/documenttest"
	"portal/api/change"
	"portal/api/money"
	"portal/api/portfolio"
	"portal/api/portfolio/ledger"
	"portal/db/dbtest"
	"portal/web/pagetest"
)

// paysPart records that the tenants of a lease have paid some of their rent of November, and names the transaction.
func (f *tenantPages) paysPart(r *renter, amount money.Cents) (chargeID, transactionID string) {
	f.Helper()
	chargeID = dbtest.Texts(f.T, f.db, "SELECT id FROM payments WHERE lease_id = $1", r.lease)[0]
	_, err := f.rules.Ledger.RecordPayment(f.Context(), r.by, change.Target{ID: chargeID}, ledger.Clearing{
		Amount: amount, Method: "check", Reference: new("1182"),
	})
	pagetest.Must(f, err)
	all := dbtest.Texts(
		f.T,
		f.db,
		"SELECT id FROM payment_transactions WHERE payment_id = $1 ORDER BY position",
		chargeID,
	)
	return chargeID, all[len(all)-1]
}

// pdfText is what a PDF says, in one line.
func (f *tenantPages) pdfText(content []byte) string {
	f.Helper()
	return strings.Join(strings.Fields(documenttest.Tool(f.T, content, "pdftotext", "-layout", "FILE", "-")), " ")
}

func TestTenantGetsStatementOfTheirOwnLeasesBehindCode(t *testing.T) {
	onBothTenantPages(t, false, func(f *tenantPages) {
		r := f.rents(&f.home, f.home.Live, "3A", portfolio.PartyPrimary)[0]
		other := f.rents(&f.home, f.home.Live, "3B", portfolio.PartyPrimary)[0]
		f.paysPart(r, money.Cents(12345))
		for _, kind := range []string{"", ".pdf", ".csv"} {
			rec := f.gets(r.at("/statement" + kind))
			if to := rec.Header().Get(
				"Location",
			); rec.Code != http.StatusSeeOther ||
				!strings.HasSuffix(to, "&to=statement") {
				t.Errorf("without a code %q leads to %q with %d", kind, to, rec.Code)
			}
		}
		open := f.unlocks(r)
		f.says(f.gets(r.at("/payments"), open), http.StatusOK, "Get a statement of account")
		f.says(f.gets(r.at("/payments?lang=es"), open), http.StatusOK, "Obtener un estado de cuenta")
		f.says(
			f.gets(r.at("/statement"), open),
			http.StatusOK,
			"First month",
			"Open as PDF",
			"Download as a table (CSV)",
		)
		f.says(f.gets(r.at("/statement?lang=es"), open), http.StatusOK, "Primer mes", "Abrir como PDF")
		left := (r.rent - 12345).Words()
		rec := f.gets(r.at("/statement.pdf?from=2026-01&to=2026-11&lang=en"), open)
		text := f.pdfText(rec.Body.Bytes())
		for _, want := range []string{"Statement of account", r.name, "Unit 3A", "Balance due " + left, "$123.45"} {
			if !strings.Contains(text, want) {
				t.Errorf("it lacks %q:\n%s", want, text)
			}
		}
		if strings.Contains(text, "3B") || strings.Contains(text, other.name) {
			t.Errorf("it tells of another tenant:\n%s", text)
		}
		l, err := f.rules.Leases.Lease(f.Context(), r.by, r.lease)
		pagetest.Must(t, err)
		if l.BalanceDue != r.rent-12345 {
			t.Errorf("the lease owes %s", l.BalanceDue)
		}
		text = f.pdfText(f.gets(r.at("/statement.pdf?from=2026-01&to=2026-11&lang=es"), open).Body.Bytes())
		for _, want := range []string{"Estado de cuenta", "Saldo por pagar " + left, "Pago, cheque, 1182: Renta"} {
			if !strings.Contains(text, want) {
				t.Errorf("in Spanish it lacks %q:\n%s", want, text)
			}
		}
		file := f.gets(r.at("/statement.csv?from=2026-01&to=2026-11&lang=es"), open)
		if got := file.Body.String(); !strings.HasPrefix(got, "\ufeffFecha,Cuenta,Descripción,Cargos,Pagos,Saldo,") ||
			!strings.Contains(got, "Total,"+r.rent.String()+",123.45,"+l.BalanceDue.String()) ||
			strings.Contains(got, other.lease) ||
			file.Header().Get("Content-Disposition") != `attachment; filename="statement-2026-01-2026-11.csv"` {
			t.Error(file.Header(), got)
		}
		for query, want := range map[string]string{
			"?from=2026-05&to=2026-01":         "Last month: Choose the first month or a later one.",
			"?from=2026-05&to=2026-01&lang=es": "Último mes: Elija el primer mes o uno posterior.",
			"?from=x&to=2026-01&lang=es":       "Primer mes: Escriba el mes como 2026-12: año, mes.",
		} {
			for _, kind := range []string{"", ".pdf", ".csv"} {
				f.says(f.gets(r.at("/statement"+kind+query), open), http.StatusBadRequest, want)
			}
		}
		if rec := f.gets(other.at("/statement.pdf"), open); rec.Code != http.StatusSeeOther {
			t.Errorf("with the code of another tenant: %d", rec.Code)
		}
	})
}

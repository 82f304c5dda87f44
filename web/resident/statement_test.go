package resident_test

import (
	"html"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"testing"
	"time"

	"portal/api/agreement/document/documenttest"
	"portal/api/change"
	"portal/api/clock"
	"portal/api/id"
	"portal/api/money"
	"portal/api/portfolio"
	"portal/api/portfolio/ledger"
	"portal/db/dbtest"
	"portal/db/portfoliostore"
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
				!strings.HasSuffix(
					to,
					"&to="+map[bool]string{true: "statement", false: "%2Fstatement" + kind}[kind == ""],
				) {
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

func TestTenantGetsReceiptOfEachPaymentBehindCode(t *testing.T) {
	onBothTenantPages(t, false, func(f *tenantPages) {
		r := f.rents(&f.home, f.home.Live, "3A", portfolio.PartyPrimary)[0]
		other := f.rents(&f.home, f.home.Live, "3B", portfolio.PartyPrimary)[0]
		charge, transaction := f.paysPart(r, money.Cents(12345))
		at := "/payments/" + charge + "/" + transaction + "/receipt.pdf"
		if rec := f.gets(r.at(at)); rec.Code != http.StatusSeeOther ||
			!strings.HasSuffix(rec.Header().Get("Location"), "&to="+url.QueryEscape(at)) {
			t.Errorf("without a code: %d to %q", rec.Code, rec.Header().Get("Location"))
		}
		open := f.unlocks(r)
		list := f.gets(r.at("/payments?lang=en"), open)
		f.says(list, http.StatusOK, "Receipts", "Receipt (PDF)", "$123.45", ", check")
		if !strings.Contains(list.Body.String(), r.at(at+"?lang=en")) {
			t.Error("the list leads to no receipt")
		}
		f.says(f.gets(r.at("/payments?lang=es"), open), http.StatusOK, "Recibos", "Recibo (PDF)", ", cheque")
		left := (r.rent - 12345).Words()
		text := f.pdfText(f.gets(r.at(at+"?lang=en"), open).Body.Bytes())
		for _, want := range []string{
			"Receipt", r.name, "Unit 3A",
			"Amount $123.45", "Method Check", "Reference 1182", "Charged " + r.rent.Words(),
			"Still owed " + left, transaction, "For Rent",
		} {
			if !strings.Contains(text, want) {
				t.Errorf("the receipt lacks %q:\n%s", want, text)
			}
		}
		if strings.Contains(text, "no longer counts") {
			t.Errorf("it says that money went back:\n%s", text)
		}
		text = f.pdfText(f.gets(r.at(at+"?lang=es"), open).Body.Bytes())
		for _, want := range []string{
			"Recibo", "Monto $123.45", "Medio Cheque", "Falta por pagar " + left, "Por Renta",
		} {
			if !strings.Contains(text, want) {
				t.Errorf("in Spanish it lacks %q:\n%s", want, text)
			}
		}
		stranger := f.unlocks(other)
		for _, path := range []string{at, "/payments/" + charge + "/" + charge + "/receipt.pdf"} {
			if rec := f.gets(other.at(path), stranger); rec.Code != http.StatusNotFound {
				t.Errorf("another tenant: %d", rec.Code)
			}
		}
		_, err := f.rules.Ledger.ReturnPayment(f.Context(), r.by, change.Target{ID: charge}, ledger.Correction{
			TransactionID: transaction, Reason: "Not enough money, which members alone read.",
		})
		pagetest.Must(t, err)
		text = f.pdfText(f.gets(r.at(at+"?lang=en"), open).Body.Bytes())
		if !strings.Contains(text, "The bank returned this payment on") ||
			!strings.Contains(text, "It no longer counts.") ||
			!strings.Contains(text, "Still owed "+r.rent.Words()) ||
			strings.Contains(text, "members alone") {
			t.Errorf("after the return:\n%s", text)
		}
		f.says(f.gets(r.at("/payments?lang=en"), open), http.StatusOK, "money went back")
		text = f.pdfText(f.gets(r.at(at+"?lang=es"), open).Body.Bytes())
		if !strings.Contains(text, "El banco devolvió este pago el") {
			t.Errorf("in Spanish after the return:\n%s", text)
		}
	})
}

func TestCodeLeadsToTheFileThatWasAskedFor(t *testing.T) {
	onBothTenantPages(t, false, func(f *tenantPages) {
		r := f.rents(&f.home, f.home.Live, "3A", portfolio.PartyPrimary)[0]
		f.signs(r)
		f.states(r)
		charge, transaction := f.paysPart(r, money.Cents(12345))
		types := func(to string) (leads string, open *http.Cookie) {
			f.now = f.now.Add(time.Hour) // as many codes are sent in each
			rec := f.posts(to, url.Values{"code": {f.code(r)}})
			if rec.Code != http.StatusSeeOther {
				f.Fatalf("%s: %d", to, rec.Code)
			}
			return rec.Header().Get("Location"), rec.Result().Cookies()[0]
		}
		for asked, want := range map[string]string{
			"/statement.pdf?from=2026-01&to=2026-11&lang=es":                          "?lang=es&from=2026-01&to=2026-11",
			"/statement.csv?lang=en":                                                  "?lang=en",
			"/lease/" + r.lease + "/lease.pdf?lang=en":                                "?lang=en",
			"/lease/" + r.lease + "/deposit.pdf?lang=es":                              "?lang=es",
			"/payments/" + charge + "/" + transaction + "/receipt.pdf?lang=es&x=y#no": "?lang=es",
		} {
			path, _, _ := strings.Cut(asked, "?")
			unlock := f.gets(r.at(strings.TrimSuffix(asked, "#no"))).Header().Get("Location")
			code := strings.Replace(unlock, "/unlock?", "/code?", 1)
			if page := html.UnescapeString(f.gets(unlock).Body.String()); !strings.Contains(page, `action="`+code+`"`) {
				f.Errorf("%s: no form leads to %s", asked, code)
			}
			if sent := f.gets(unlock + "&sent=1").Body.String(); !strings.Contains(html.UnescapeString(sent),
				`action="`+unlock+`"`) {
				f.Errorf("%s: no form leads to %s", asked, unlock)
			}
			leads, open := types(unlock)
			if leads != r.at(path+want) {
				f.Errorf("%s leads to %s", asked, leads)
			}
			if rec := f.gets(leads, open); rec.Code != http.StatusOK ||
				strings.HasPrefix(rec.Header().Get("Content-Type"), "text/html") {
				f.Errorf("%s: %d, %s", leads, rec.Code, rec.Header().Get("Content-Type"))
			}
		}
		for _, to := range []string{
			"//evil.test/statement.pdf", "https://evil.test", "/tickets", "/../x", "/statement.pdf/x",
		} {
			if leads, _ := types(r.at("/unlock?lang=en&to=" + url.QueryEscape(to))); leads != r.at("?lang=en") {
				f.Errorf("%s leads to %s", to, leads)
			}
		}
	})
}

func TestFilesOfATenantAreLimitedByTheirLink(t *testing.T) {
	onBothTenantPages(t, true, func(f *tenantPages) {
		r := f.rents(&f.home, f.home.Live, "3A", portfolio.PartyPrimary)[0]
		other := f.rents(&f.home, f.home.Live, "3B", portfolio.PartyPrimary)[0]
		f.states(r)
		charge, transaction := f.paysPart(r, money.Cents(12345))
		open, opens := f.unlocks(r), f.unlocks(other)
		invalid := "/statement.pdf?from=x&lang=en"
		for _, path := range []string{
			"/statement.pdf?lang=es",
			"/statement.csv?lang=es",
			"/lease/" + r.lease + "/deposit.pdf?lang=es",
			"/payments/" + charge + "/" + transaction + "/receipt.pdf?lang=es",
		} {
			f.now = f.now.Add(time.Minute)
			for range pagetest.FilesPerMinute { // without a code nothing is made
				f.gets(r.at(path))
			}
			if rec := f.gets(r.at(path), open); rec.Code != http.StatusOK {
				f.Fatalf("%s: %d", path, rec.Code)
			}
			for range pagetest.FilesPerMinute - 1 {
				f.says(f.gets(r.at(invalid), open), http.StatusBadRequest)
			}
			rec := f.gets(r.at(path), open)
			f.says(rec, http.StatusTooManyRequests, "Demasiadas solicitudes",
				"Se pueden abrir como máximo 60 estados de cuenta y recibos por minuto. Inténtelo de nuevo en")
			if wait, err := strconv.Atoi(rec.Header().Get("Retry-After")); err != nil || wait < 1 || wait > 60 {
				f.Errorf("%s: Retry-After %q", path, rec.Header().Get("Retry-After"))
			}
			f.says(f.gets(r.at(invalid), open), http.StatusTooManyRequests, "Too many requests",
				"You can open at most 60 statements and receipts per minute. You can try again in")
			f.says(f.gets(r.at("/payments?lang=en"), open), http.StatusOK)
			f.says(f.gets(other.at(invalid), opens), http.StatusBadRequest)
		}
	})
}

// What a tenant owes is more than the three oldest charges that the card names: the rest is summed up.
func TestBalanceCardOfTenantAddsUp(t *testing.T) {
	onBothTenantPages(t, false, func(f *tenantPages) {
		r := f.rents(&f.home, f.home.Live, "3A", portfolio.PartyPrimary)[0]
		for day := 2; day <= 5; day++ {
			p := portfolio.Payment{
				Record:     dbtest.Record(id.Payment, "payment", f.home.Live.Mode, f.now),
				LeaseID:    r.lease,
				TenantID:   r.id,
				UnitID:     dbtest.Texts(f.T, f.db, "SELECT unit_id FROM leases WHERE id = $1", r.lease)[0],
				PropertyID: dbtest.Texts(f.T, f.db, "SELECT property_id FROM leases WHERE id = $1", r.lease)[0],
				Type:       portfolio.PaymentFee, FeeType: new(portfolio.LateFee),
				Description: new("Late fee for the rent of October 2026"),
				Amount:      money.Cents(10_00 * day), Currency: portfolio.Currency,
				Status: portfolio.PaymentDue, DueDate: clock.Day(2026, 11, day),
			}
			pagetest.Must(f, portfoliostore.New(f.db).AddPayment(f.Context(), f.home.Live, &p))
		}
		open := f.unlocks(r)
		for _, path := range []string{"", "/payments"} {
			f.says(f.gets(r.at(path), open), http.StatusOK, (r.rent + 140_00).Dollars(),
				"Late fee for the rent of October 2026: $30.00, due Nov 3, 2026.", "2 more charges: $90.00.")
			f.says(f.gets(r.at(path+"?lang=es"), open), http.StatusOK, (r.rent + 140_00).Dollars(),
				"Recargo por atraso de octubre de 2026: $30.00, para el 3 nov 2026.", "2 cargos más: $90.00.")
		}
	})
}

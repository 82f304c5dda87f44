package ledger_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"portal/api/access"
	"portal/api/agreement/document/documenttest"
	"portal/api/clock"
	"portal/api/id"
	"portal/api/money"
	"portal/api/portfolio"
	"portal/api/portfolio/ledger/report"
	"portal/api/portfolio/ledger/statement"
	"portal/web/pagetest"
)

func TestOwnerGetsStatementOfAllUnitsAsPDFAndCSV(t *testing.T) {
	y := pagetest.NewWebhookPages(t)
	r, l := y.Member(access.Manager), y.Rent(portfolio.LeaseActive, "Dana")
	y.Owes(l, "Rent for November 2026", portfolio.PaymentDue)
	at := "/test/ledger/statement"
	if to := pagetest.Link(t, r.Get("/test/ledger"), "Owner’s statement"); to != at {
		t.Errorf("the ledger leads to %q", to)
	}
	r.Says(r.Get(at), 200, "All properties")
	r.Says(r.Get(at+"?property_id="+l.PropertyID), 200, "Download CSV")
	months := "?from=2026-01&to=2026-11"
	pdf := r.Get(at + ".pdf" + months)
	text := strings.Join(
		strings.Fields(documenttest.Tool(t, pdf.Body.Bytes(), "pdftotext", "-layout", "FILE", "-")),
		" ",
	)
	for _, want := range []string{
		"Owner’s statement", "All properties", "January 1, 2026 to November 30, 2026", "Rent due $1,450.00",
		"Overdue today $1,450.00", "Total $1,450.00 $0.00 $0.00 $0.00 $1,450.00",
	} {
		if !strings.Contains(text, want) {
			t.Errorf("it lacks %q:\n%s", want, text)
		}
	}
	if info := documenttest.Tool(
		t,
		pdf.Body.Bytes(),
		"pdfinfo",
		"FILE",
	); !strings.Contains(
		info,
		"Tagged:          yes",
	) {
		t.Error(info)
	}
	for _, of := range []string{"", "&property_id=" + l.PropertyID} {
		lines := strings.Split(r.Get(at+".csv"+months+of).Body.String(), "\n")
		if len(lines) != 4 || lines[0] != "\ufeffProperty,Unit,Rent due,Rent collected,Other charges,"+
			"Other charges collected,Deposits held today,Overdue today,Property ID,Unit ID" ||
			!strings.HasSuffix(lines[1], ",1450.00,0.00,0.00,0.00,0.00,1450.00,"+l.PropertyID+","+l.UnitID) ||
			lines[2] != "Total,,1450.00,0.00,0.00,0.00,0.00,1450.00,," {
			t.Errorf("the file is %q", lines)
		}
	}
	r.Says(r.Get(at+".pdf?from=2026-02&to=2026-01"), 400, "Last month: Choose the first month or a later one.")
	stranger, unknown := y.Stranger(), id.New(id.Property, y.Now)
	for _, path := range []string{"", ".pdf", ".csv"} {
		for _, of := range []string{"x", unknown} {
			if rec := r.Get(at + path + "?property_id=" + of); rec.Code != 404 {
				t.Errorf("%s of %s: %d", path, of, rec.Code)
			}
		}
		if rec := stranger.Get(at + path + months + "&property_id=" + l.PropertyID); rec.Code != 404 {
			t.Errorf("another account reads %s: %d", path, rec.Code)
		}
	}
	for _, kind := range []string{".pdf", ".csv"} {
		r.MeetsLimit(at+kind+months, at+kind+"?from=x", stranger)
	}
	other := stranger.Get(at + ".csv" + months).Body.String()
	if strings.Contains(other, l.UnitID) {
		t.Errorf("another account reads %s", other)
	}
}

func TestOwnersStatementOfManyUnitsHasARowForEachProperty(t *testing.T) {
	t.Parallel()
	o := &report.OwnerStatement{
		From:  clock.Day(2026, 1, 1),
		Until: clock.Day(2026, 11, 30),
		Today: clock.Day(2026, 11, 29),
	}
	for i := range 10_000 {
		u := report.UnitStatement{
			PropertyID: fmt.Sprint(i / 100), Property: fmt.Sprintf("%d Elm Street", i/100), Unit: fmt.Sprint(i % 100),
			OwnerSums: report.OwnerSums{RentDue: money.Dollars(10)},
		}
		o.Units = append(o.Units, u)
		o.Total.Add(u.OwnerSums)
	}
	content, err := statement.Owner(o, time.Date(2026, 11, 29, 12, 0, 0, 0, time.UTC))
	if err != nil {
		t.Fatal(err)
	}
	text := strings.Join(strings.Fields(documenttest.Tool(t, content, "pdftotext", "-layout", "FILE", "-")), " ")
	for _, want := range []string{
		"Rent due $100,000.00", "99 Elm Street $1,000.00", "The statement as CSV has the 10000 units.",
	} {
		if !strings.Contains(text, want) {
			t.Errorf("it lacks %q:\n%s", want, text[:1500])
		}
	}
}

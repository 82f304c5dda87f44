package rest_test

import (
	"bufio"
	"bytes"
	"context"
	"encoding/csv"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"portal/api/access"
	"portal/api/developer"
	"portal/api/id"
	"portal/api/portfolio"
	"portal/api/portfolio/rentroll/sheet"
	"portal/api/rest"
	"portal/db/dbtest"
	"portal/db/portfoliostore"
)

// houses adds so many properties of one unit each in a street.
func (r *fixture) houses(in access.Portfolio, n int, street string) {
	r.t.Helper()
	book := &portfolio.Book{}
	for i := range n {
		at := noon.Add(time.Duration(i) * time.Millisecond)
		p := portfolio.Property{
			Record:        dbtest.Record(id.Property, "property", in.Mode, at),
			StreetAddress: fmt.Sprint(i+1, " ", street), City: "Austin", State: "TX", Country: "US",
			PropertyType: "single_family", UnitCount: 1, Status: portfolio.PropertyActive,
			VerificationStatus: portfolio.Unverified,
		}
		book.Properties = append(book.Properties, p)
		book.Units = append(book.Units, portfolio.Unit{
			Record: dbtest.Record(id.Unit, "unit", in.Mode, at), PropertyID: p.ID, UnitNumber: "1",
			Currency: portfolio.Currency, Status: portfolio.UnitVacant,
		})
	}
	must(r.t, portfoliostore.New(r.db).Add(context.Background(), in, book))
}

func TestExportIsAFileOfTheKeysPortfolio(t *testing.T) {
	alone(t, func(t *testing.T, r *fixture) {
		demo := r.someone()
		key := *r.key("ada@example.com", access.Live).Plaintext
		r.landlord("bo@example.com", unlimited())
		r.houses(r.in(key), 250, "Cañada Street")
		r.houses(r.in(*r.key("bo@example.com", access.Live).Plaintext), 3, "Other Street")
		for query, format := range map[string]string{"": "csv", "?format=csv": "csv", "?format=xlsx": "xlsx"} {
			a := r.get("/export"+query, key)
			if a.status != http.StatusOK || a.header.Get("Content-Disposition") !=
				`attachment; filename="rent-roll-2026-11-02.`+format+`"` {
				t.Fatalf("%s: %d, %v", query, a.status, a.header)
			}
			file, err := sheet.Open(bytes.NewReader(a.body))
			must(t, err)
			lines := 0
			for file.Next() {
				row := file.Row()
				if lines++; lines > 1 && row.Cells[0] != fmt.Sprint(lines-1, " Cañada Street") {
					t.Errorf("line %d is of %s", lines, row.Cells[0])
				}
			}
			if lines != 251 {
				t.Errorf("%s has %d lines", format, lines)
			}
			must(t, file.Close())
			if got := r.get("/export"+query, demo); format == "csv" && bytes.Contains(got.body, []byte("Cañada")) {
				t.Errorf("the demo portfolio has %q", got.body)
			}
			head := r.do(http.MethodHead, "/export"+query, key)
			if head.status != http.StatusOK || len(head.body) > 0 ||
				head.header.Get("Content-Disposition") != a.header.Get("Content-Disposition") {
				t.Errorf("HEAD answers %d, %v", head.status, head.header)
			}
		}
		a := r.get("/export", key)
		text, marked := strings.CutPrefix(string(a.body), "\ufeff")
		lines, err := csv.NewReader(strings.NewReader(text)).ReadAll()
		if err != nil || !marked || len(lines) != 251 || a.header.Get("Content-Type") != "text/csv; charset=utf-8" {
			t.Errorf("%d lines, %v, mark %t, %v", len(lines), err, marked, a.header)
		}
		f := r.get("/export?format=pdf", key).expect(t, http.StatusBadRequest, "invalid_field")
		if f.Error.Param == nil || *f.Error.Param != "format" {
			t.Errorf("the error is %+v", f.Error)
		}
		r.do(http.MethodPost, "/export", key).expect(t, http.StatusMethodNotAllowed, "method_not_allowed")
		r.get("/export", "").expect(t, http.StatusUnauthorized, "missing_api_key")
	})
}

func TestExportCountsAsOneRequest(t *testing.T) {
	alone(t, func(t *testing.T, r *fixture) {
		r.landlord("ada@example.com", developer.Plan{Tier: developer.Prime, Sustained: new(20), Burst: new(20)})
		key := *r.key("ada@example.com", access.Live).Plaintext
		r.houses(r.in(key), 250, "Oak Street")
		for left := 19; left >= 0; left-- {
			if got := r.get("/export", key).header.Get("X-RateLimit-Remaining"); got != fmt.Sprint(left) {
				t.Errorf("%s requests are left, want %d", got, left)
			}
		}
		r.get("/export", key).expect(t, http.StatusTooManyRequests, "rate_limited")
		l := r.logged(t, 21)[0]
		if l.operation != "export_rent_roll" || l.status != "200" || l.code != "-" || len(l.bytes) != 5 {
			t.Errorf("recorded is %+v", l)
		}
	})
}

// While somebody reads a file slowly, others write.
func TestSlowReaderOfExportHoldsNobodyUp(t *testing.T) {
	alone(t, func(t *testing.T, r *fixture) {
		r.landlord("ada@example.com", unlimited())
		key := *r.key("ada@example.com", access.Live, "read", "write").Plaintext
		r.houses(r.in(key), 2_000, strings.Repeat("Long ", 400)+"Street")
		short := 50 * time.Millisecond
		server := httptest.NewUnstartedServer(r.server.Config.Handler)
		server.Config.ReadTimeout, server.Config.WriteTimeout = short, short
		server.Start()
		defer server.Close()
		req, err := http.NewRequestWithContext(t.Context(), http.MethodGet, server.URL+rest.Base+"/export", nil)
		must(t, err)
		req.Header.Set("Authorization", "Bearer "+key)
		res, err := server.Client().Do(req)
		must(t, err)
		defer res.Body.Close()
		from := bufio.NewReader(res.Body)
		_, err = from.ReadString('\n')
		must(t, err)
		added := 0
		for began := time.Now(); time.Since(began) < 2*short; added++ { // the server's own limits pass
			r.send(
				http.MethodPost,
				"/properties",
				key,
				fmt.Sprintf(`{"street_address":"%d Elm Street","city":"Austin","state":"TX"}`, added+1),
			).done(t)
		}
		rest, err := io.ReadAll(from)
		must(t, err)
		if n := bytes.Count(rest, []byte("Long Street")); n < 2_000 || added == 0 {
			t.Errorf("%d lines, and %d properties were added meanwhile", n, added)
		}
	})
}

package web_test

import (
	"bytes"
	"context"
	"crypto/rand"
	"fmt"
	"mime/multipart"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"

	"portal/api/access"
	"portal/api/portfolio/rentroll"
	"portal/api/portfolio/upload"
	"portal/db/uploadstore"
	"portal/web"
	"portal/web/webtest"
)

// later keeps what is to be imported until a test has it done.
type later struct{ orders []upload.Order }

func (l *later) Import(_ context.Context, o upload.Order) error {
	l.orders = append(l.orders, o)
	return nil
}

// imports does what was ordered.
func (m *demoPages) imports() {
	m.Helper()
	for _, o := range m.later.orders {
		must(m.T, m.intake.Fulfil(m.Context(), o))
	}
	m.later.orders = nil
}

// uploads sends a file by the form, as a browser does.
func (r *reader) uploads(path, name, content string) *httptest.ResponseRecorder {
	r.Helper()
	var b bytes.Buffer
	w := multipart.NewWriter(&b)
	_ = w.WriteField("token", r.token(path))
	_ = w.WriteField("once", rand.Text())
	if name != "" {
		f, _ := w.CreateFormFile("file", name)
		_, _ = f.Write([]byte(content))
	}
	_ = w.Close()
	return r.send(http.MethodPost, path, nil, func(q *http.Request) {
		with := httptest.NewRequest(http.MethodPost, "/", &b)
		q.Body, q.ContentLength = with.Body, with.ContentLength
		q.Header.Set("Content-Type", w.FormDataContentType())
	})
}

// uploaded is the address of the upload that a file became.
func (r *reader) uploaded(path, name, content string) string {
	r.Helper()
	at := r.uploads(path, name, content).Header().Get("Location")
	if !strings.HasPrefix(at, path+"/imp_") {
		r.Fatalf("the upload leads to %q", at)
	}
	return at
}

func TestARentRollIsLookedThroughImportedOnceAndSeen(t *testing.T) {
	t.Parallel()
	m := newDemoPages(t)
	r, s := m.member(access.Manager), m.stranger()
	sample := r.get("/live/import/sample.csv")
	if sample.Code != http.StatusOK || !strings.Contains(sample.Header().Get("Content-Disposition"), "attachment") {
		t.Errorf("%d, %v", sample.Code, sample.Header())
	}
	at := r.uploaded("/live/import", "sample.csv", strings.NewReplacer("2201 Sycamore Court", "1420 Maple Avenue", ",2B,", ",2C,").Replace(sample.Body.String()))
	r.says(r.get(at), http.StatusOK, "Nothing is imported yet. This is what would happen.")
	r.says(r.get(at), http.StatusOK, "Units: the portfolio has 1, the file brings 3, your plan allows 25.")
	r.says(r.get(at), http.StatusOK, "New properties1")
	r.says(r.get(at), http.StatusOK, "1420 Maple Avenue, Unit 2A, Austin, TX 78701 in a property you have Dana Whitfield 2026-03-01 – 2027-02-28 $1,125")
	for _, path := range []string{at, "/test" + strings.TrimPrefix(at, "/live")} {
		who := s
		if path != at {
			who = r
		}
		who.says(who.get(path), http.StatusNotFound, "Page not found")
		who.says(who.post(path, "/live/import", nil), http.StatusNotFound, "Page not found")
		who.says(who.post(path+"/check", "/live/import", nil), http.StatusNotFound, "Page not found")
		who.says(who.post(path+"/discard", "/live/import", nil), http.StatusNotFound, "Page not found")
	}
	r.leads(r.post(at, at, nil), at)
	r.leads(r.post(at, "/live/import", nil), at)
	if len(m.later.orders) != 1 {
		t.Errorf("%d orders", len(m.later.orders))
	}
	running := r.get(at)
	r.says(running, http.StatusOK, "Records written 0 of 8")
	if !strings.Contains(running.Body.String(), `<noscript><meta http-equiv="refresh" content="2"></noscript>`) {
		t.Error("the page does not follow the import without a script")
	}
	must(t, uploadstore.NewUploads(m.db).NoteWritten(t.Context(), m.home.Live, m.later.orders[0].ID, 5))
	r.says(r.get(at), http.StatusOK, "Records written 5 of 8")
	m.imports()
	r.says(r.get(at), http.StatusOK, "The rent roll was imported")
	r.says(r.get(at), http.StatusOK, "Units3")
	r.says(r.get("/live/import"), http.StatusOK, "sample.csv Imported 3")
	r.says(r.get("/test/import"), http.StatusOK, "Import a rent roll")
	r.leads(r.post(at+"/discard", "/live/import", nil), at)
	r.says(r.get(at), http.StatusOK, "is being imported, or was imported already")
}

func TestWhatIsWrongWithARentRollIsNamedAndTheFileIsKept(t *testing.T) {
	t.Parallel()
	m := newDemoPages(t)
	r := m.member(access.Owner)
	r.says(r.uploads("/live/import", "", ""), http.StatusBadRequest, "Rent roll: Choose a file.")
	r.says(r.post("/live/import", "/live/import", nil), http.StatusBadRequest, "Rent roll: Choose a file.") // as no browser sends it
	r.says(r.uploads("/live/import", "big.csv", strings.Repeat("x", 9<<20)), http.StatusRequestEntityTooLarge, "A file may have 8 MB.")
	for content, words := range map[string]string{
		"":                                  "The file is empty.",
		"PK\x03\x04":                        "This is a spreadsheet, not a CSV file.",
		"street_address,city,state\n":       "No unit follows the line of column names.",
		"street_address,city,state\na,b,XX": "2 state",
		"\xff\xfe\x00":                      "This file is in UTF-16.",
	} {
		page := r.get(r.uploaded("/live/import", "roll.csv", content))
		r.says(page, http.StatusOK, words)
		r.says(page, http.StatusOK, "fault keeps the file from being imported")
	}
	var b strings.Builder
	b.WriteString("street_address,city,state,bedrooms\n")
	for i := range 150 {
		fmt.Fprintf(&b, "%d Oak Street,Austin,TX,many\n", i)
	}
	at := r.uploaded("/live/import", "roll.csv", b.String())
	first := r.get(at)
	r.says(first, http.StatusOK, "150 faults keep the file from being imported")
	r.says(first, http.StatusOK, "61 bedrooms")
	next := r.get(link(t, first, "Next"))
	r.says(next, http.StatusOK, "62 bedrooms")
	r.says(r.get(link(t, next, "Next")), http.StatusOK, "151 bedrooms")
	if first.Body.Len() > 60<<10 {
		t.Errorf("%d bytes", first.Body.Len())
	}
	r.leads(r.post(at, at, nil), at)
	r.says(r.get(at), http.StatusOK, "The file has faults.")
	r.leads(r.post(at+"/check", at, nil), at)
	r.says(r.get(at), http.StatusOK, "150 faults keep")
	r.leads(r.post(at+"/discard", at, nil), "/live/import")
	r.says(r.get("/live/import"), http.StatusOK, "The file is forgotten.")
	if len(m.later.orders) != 0 {
		t.Error("something was ordered")
	}
}

func TestARentRollThatIsTooLargeForThePlanSaysTheNumbers(t *testing.T) {
	t.Parallel()
	m := newDemoPages(t)
	r := m.member(access.Owner)
	var b strings.Builder
	b.WriteString("street_address,city,state\n")
	for i := range 30 {
		fmt.Fprintf(&b, "%d Oak Street,Austin,TX\n", i)
	}
	at := r.uploaded("/live/import", "roll.csv", b.String())
	r.says(r.get(at), http.StatusOK, "Units: the portfolio has 1, the file brings 30, your plan allows 25. Nothing can be imported until there is room.")
	r.leads(r.post(at, at, nil), at)
	r.says(r.get(at), http.StatusOK, "the plan's ceiling is 25")
	test := r.uploaded("/test/import", "roll.csv", b.String())
	r.says(r.get(test), http.StatusOK, "This is what would happen.")
}

func TestNothingOfARentRollRuns(t *testing.T) {
	t.Parallel()
	m := newDemoPages(t)
	r := m.member(access.Owner)
	quoted := func(s string) string {
		return `"` + strings.ReplaceAll(strings.ReplaceAll(s, `"`, `""`), "\n", " ") + `"`
	}
	for _, payload := range webtest.Payloads {
		for _, content := range []string{
			"street_address,city,state,unit_number,tenant_first_name,tenant_last_name,lease_start,monthly_rent\n" + quoted(payload) + ",Austin,TX,1," + quoted(payload) + "," + quoted(payload) + ",2026-01-01,1200\n",
			"street_address,city,state," + quoted(payload) + "\n" + quoted(payload) + "," + quoted(payload) + "," + quoted(payload) + "," + quoted(payload) + "\n",
		} {
			at := r.uploaded("/live/import", "x"+strings.NewReplacer("\n", " ", "\r", " ", "\x00", "", "/", "|", "\\", "|").Replace(payload), content)
			for _, path := range []string{at, "/live/import"} {
				if body := r.get(path).Body.String(); strings.Contains(body, payload) && strings.ContainsAny(payload, "<\"") {
					t.Errorf("%s shows %q as it is", path, payload)
				}
			}
		}
	}
}

func TestTheColumnsThatAreExplainedAreThoseOfARentRoll(t *testing.T) {
	t.Parallel()
	if !slices.Equal(web.RollColumns(), rentroll.Columns()) {
		t.Errorf("explained are %v", web.RollColumns())
	}
}

func TestEverybodyCanUseThePagesOfImports(t *testing.T) {
	t.Parallel()
	b, m := browser(t), newDemoPages(t)
	r := m.member(access.Owner)
	ready := r.uploaded("/test/import", "a-rent-roll-with-a-rather-long-name-of-october-2026.csv", r.get("/test/import/sample.csv").Body.String())
	faulty := r.uploaded("/test/import", "roll.csv", "street_address,city,state,bedrooms,nonsense\n1 Oak Street,Austin,Texas-on-the-Rio-Grande,many,x\n,,,\n")
	running := r.uploaded("/test/import", "roll.csv", "street_address,city,state\n7 Elm Street,Austin,TX\n")
	done := r.uploaded("/test/import", "roll.csv", "street_address,city,state\n9 Elm Street,Austin,TX\n")
	r.leads(r.post(done, done, nil), done)
	m.imports()
	r.leads(r.post(running, running, nil), running)
	r.looks(b, "/test/import", "/live/import", ready, faulty, running, done)
}

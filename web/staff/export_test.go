package staff_test

import (
	"context"
	"encoding/csv"
	"fmt"
	"net/http"
	"net/url"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"portal/api/access"
	"portal/api/audit"
	"portal/api/clock"
	"portal/api/developer"
	"portal/api/id"
	"portal/api/portfolio"
	"portal/api/portfolio/property/verification"
	"portal/db"
	"portal/db/accountstore"
	"portal/db/dbtest"
	"portal/db/developerstore"
	"portal/db/portfoliostore"
	"portal/db/servicestore"
	"portal/web/pagetest"
)

// many is more than a file reads at once.
const many = 104

// begun is when the first row of a list was made.
var begun = time.Date(2026, 11, 12, 12, 0, 0, 0, time.UTC)

// crowded are pages of the staff with many rows in each list, all of an account whose name is a formula.
func crowded(t *testing.T, d *db.DB) (*pagetest.StaffPages, *pagetest.Reader) {
	t.Helper()
	s := pagetest.NewStaffPagesOn(t, d)
	u, err := s.Dev.AddUser(t.Context(), "owner@first.example", "=1+1", "correct horse battery", developer.Landlord)
	pagetest.Must(t, err)
	_, a, err := s.Dev.Account(t.Context(), u.Email)
	pagetest.Must(t, err)
	live, err := accountstore.New(d).PortfolioOf(t.Context(), a.ID, access.Live)
	pagetest.Must(t, err)
	for i := range many {
		at := begun.Add(time.Duration(i) * time.Second)
		r := developer.AccessRequest{
			ID:           id.New(id.AccessRequest, at),
			AccountID:    a.ID,
			SubmittedBy:  u.ID,
			Status:       developer.Denied,
			ContactEmail: u.Email,
			UseCase:      fmt.Sprint("Books ", i),
			SubmittedAt:  clock.At(at),
			ReviewNotes:  new("Only for us"),
		}
		v := verification.Verification{
			ID:      id.New(id.Verification, at),
			AskedAt: clock.At(at),
			AskedBy: u.ID,
			Note:    "-The deed is recorded.",
			Status:  verification.AskedVerification,
		}
		if i == many-1 {
			r.Status, v.Status = developer.Pending, verification.DeclinedVerification
		}
		book := &portfolio.Book{Properties: []portfolio.Property{{
			Record:             dbtest.Record(id.Property, "property", access.Live, at),
			StreetAddress:      fmt.Sprint(i, " Elm Street"),
			City:               "Austin",
			State:              "TX",
			Country:            "US",
			PropertyType:       "condo",
			Status:             portfolio.PropertyActive,
			VerificationStatus: portfolio.Unverified,
		}}}
		v.PropertyID = book.Properties[0].ID
		person := developer.User{
			ID: id.New(id.User, at), Email: fmt.Sprintf("m%03d@many.example", i), PasswordHash: "x",
			Role: developer.Landlord, CreatedAt: clock.At(at),
		}
		pagetest.Must(t, d.Atomically(t.Context(), func(ctx context.Context) error {
			_, err := accountstore.New(d).AddUser(ctx, person)
			pagetest.Must(t, err)
			pagetest.Must(t, accountstore.New(d).SetMember(ctx, a.ID, person.ID, access.Manager, clock.At(at)))
			pagetest.Must(t, developerstore.New(d).AddAccessRequest(ctx, r))
			pagetest.Must(t, portfoliostore.New(d).AddProperties(ctx, live, book))
			pagetest.Must(t, portfoliostore.New(d).AddVerification(ctx, live, &v))
			return s.Queue.Deliver(ctx, "mail_of_somebody")
		}))
	}
	return s, s.Reviewer()
}

// file is a file of a list: its rows by the names of its columns.
func file(t *testing.T, r *pagetest.Reader, path string) (rows []map[string]string) {
	t.Helper()
	rec := r.Get(path)
	if kind := rec.Header().Get("Content-Type"); rec.Code != http.StatusOK || kind != "text/csv; charset=utf-8" {
		t.Fatalf("%s: %d, %s", path, rec.Code, kind)
	}
	lines, err := csv.NewReader(strings.NewReader(strings.TrimPrefix(rec.Body.String(), "\ufeff"))).ReadAll()
	pagetest.Must(t, err)
	for _, line := range lines[1:] {
		row := map[string]string{}
		for i, name := range lines[0] {
			row[name] = line[i]
		}
		rows = append(rows, row)
	}
	return rows
}

// shown are what a pattern finds on all pages of a list.
func shown(r *pagetest.Reader, path, pattern string) (all []string) {
	next := regexp.MustCompile(`href="([^"]*)" rel="next"`)
	for range 20 {
		body := r.Get(path).Body.String()
		for _, m := range regexp.MustCompile(pattern).FindAllStringSubmatch(body, -1) {
			all = append(all, m[1])
		}
		to := next.FindStringSubmatch(body)
		if to == nil {
			break
		}
		path = strings.ReplaceAll(to[1], "&amp;", "&")
	}
	return slices.Compact(all)
}

func TestStaffPagesAndCSVsHaveSameRows(t *testing.T) {
	dbtest.Both(t, func(t *testing.T, d *db.DB) {
		_, sue := crowded(t, d)
		lists := map[string]struct{ link, column string }{
			"requests":   {`/staff/requests/(areq_\w+)"`, "Request ID"},
			"properties": {`/staff/properties/(ver_\w+)"`, "Verification ID"},
			"jobs":       {`/staff/jobs/(\d+)"`, "Job ID"},
			"accounts":   {`(m\d+@many\.example)`, "Person"},
		}
		for _, x := range []struct {
			list, query string
			n           int
			ascends     bool
		}{
			{"requests", "?status=denied", many - 1, false},
			{"requests", "?status=denied&sort=oldest", many - 1, true},
			{"requests", "?status=all&sort=oldest", many, true},
			{"requests", "", 1, true},
			{"properties", "", many - 1, true},
			{"properties", "?sort=newest", many - 1, false},
			{"properties", "?status=declined", 1, true},
			{"properties", "?status=all", many, false},
			{"jobs", "?sort=oldest", many, true},
			{"jobs", "?sort=newest&state=available", many, false},
			{"jobs", "?state=running", 0, true},
			{"accounts", "?email=m", many, true},
			{"accounts", "?email=M&sort=reverse", many, false},
			{"accounts", "?email=m00&sort=reverse", 10, false},
			{"accounts", "", 0, true},
		} {
			var got []string
			for _, row := range file(t, sue, "/staff/"+x.list+".csv"+x.query) {
				got = append(got, row[lists[x.list].column])
			}
			pages := shown(sue, "/staff/"+x.list+x.query, lists[x.list].link)
			if len(got) != x.n || !slices.Equal(got, pages) {
				t.Errorf("%s%s: %d rows in the file, %d on pages, want %d", x.list, x.query, len(got), len(pages), x.n)
			}
			inOrder := slices.IsSortedFunc(got, func(a, b string) int {
				if x.list == "jobs" {
					a, b = fmt.Sprintf("%09s", a), fmt.Sprintf("%09s", b)
				}
				if !x.ascends {
					a, b = b, a
				}
				return strings.Compare(a, b)
			})
			if !inOrder {
				t.Errorf("%s%s is out of order: %q", x.list, x.query, got)
			}
		}
	})
}

func TestStaffCSVsMatchRowsAndEscapeFormulas(t *testing.T) {
	dbtest.Both(t, func(t *testing.T, d *db.DB) {
		_, sue := crowded(t, d)
		last := clock.At(begun.Add((many - 1) * time.Second)).String()
		for path, want := range map[string]map[string]string{
			"requests.csv": {
				"Account": "'=1+1", "Applicant": "owner@first.example", "Use case": "Books 103", "Status": "pending",
				"Sent (UTC)": last, "Decided (UTC)": "",
			},
			"accounts.csv?email=m103": {
				"Person": "m103@many.example", "Role": "manager", "Account": "'=1+1", "Plan": "starter",
			},
			"properties.csv?status=declined": {
				"Street address": "103 Elm Street", "City": "Austin", "State": "TX", "Account": "'=1+1",
				"Proof": "'-The deed is recorded.", "Status": "declined", "Requested (UTC)": last,
			},
			"jobs.csv": {
				"Kind": "mail", "Status": "available", "Last error": "", "Attempts": "0",
			},
		} {
			rows := file(t, sue, "/staff/"+path)
			if len(rows) == 0 {
				t.Fatalf("%s has no row", path)
			}
			for name, value := range want {
				if got, is := rows[0][name]; got != value || !is {
					t.Errorf("%s: %s is %q, want %q", path, name, got, value)
				}
			}
		}
		for path, secret := range map[string]string{
			"requests.csv?status=all": "Only for us", "jobs.csv": "mail_of_somebody",
		} {
			if strings.Contains(sue.Get("/staff/"+path).Body.String(), secret) {
				t.Errorf("%s has %q", path, secret)
			}
		}
	})
}

func TestStaffExportIsAuditedOnlyForPerson(t *testing.T) {
	t.Parallel()
	d := pagetest.NewStaffPages(t)
	who := d.Someone("both@example.com", access.Owner)
	who.Role = developer.Staff
	r := d.Reader(who)
	for _, list := range []string{"requests", "accounts", "properties", "jobs"} {
		file(t, r, "/staff/"+list+".csv")
	}
	if got := strings.Join(d.Actions(who.UserID), " "); !strings.HasPrefix(
		got, "jobs.exported verifications.exported accounts.exported access_requests.exported") {
		t.Errorf("the trail of the person has %s", got)
	}
	trail := audit.Log{Store: servicestore.NewTrail(d.DB), Now: time.Now}
	entries, err := trail.Entries(t.Context(), audit.Query{AccountID: who.Account.AccountID})
	pagetest.Must(t, err)
	for _, e := range entries.Data {
		if strings.HasSuffix(e.Action, ".exported") {
			t.Errorf("the trail of the account has %+v", e)
		}
	}
}

func TestOnlyStaffExportTheirLists(t *testing.T) {
	t.Parallel()
	d := pagetest.NewStaffPages(t)
	r, guest := d.Landlord("dana@example.com"), d.Guest()
	for _, list := range []string{"requests", "accounts", "properties", "jobs"} {
		page, file := r.Get("/staff/"+list), r.Get("/staff/"+list+".csv")
		if page.Code != http.StatusNotFound || file.Code != page.Code {
			t.Errorf("a landlord is answered %s with %d, and its file with %d", list, page.Code, file.Code)
		}
		r.Says(file, http.StatusNotFound, "Page not found")
		want := "/sign-in?next=" + url.QueryEscape("/staff/"+list+".csv")
		if got := guest.Get("/staff/" + list + ".csv").Header().Get("Location"); got != want {
			t.Errorf("a guest is led to %q, want %q", got, want)
		}
	}
	for _, action := range d.Actions(d.People[r.Cookies["session"].Value].UserID) {
		if strings.HasSuffix(action, ".exported") {
			t.Errorf("the trail has %s", action)
		}
	}
}

func TestStaffListsLinkToCSVAndShowCounts(t *testing.T) {
	t.Parallel()
	_, sue := crowded(t, dbtest.SQLite(t))
	for path, want := range map[string]string{
		"/staff/requests?status=denied&sort=oldest": "/staff/requests.csv?sort=oldest&status=denied",
		"/staff/properties?sort=newest":             "/staff/properties.csv?sort=newest",
		"/staff/jobs?kind=mail&sort=oldest":         "/staff/jobs.csv?kind=mail&sort=oldest",
		"/staff/accounts?email=m&sort=reverse":      "/staff/accounts.csv?email=m&sort=reverse",
	} {
		if got := pagetest.Link(t, sue.Get(path), "Export CSV"); got != want {
			t.Errorf("%s leads to %s, want %s", path, got, want)
		}
	}
	for path, words := range map[string]string{
		"/staff/requests?status=denied": "Needs review 1Approved 0Denied 103Withdrawn 0Revoked 0All 104",
		"/staff/properties":             "Needs review 103Verified 0Declined 1All 104",
		"/staff/properties?status=all":  "25 of 104",
		"/staff/requests?status=all":    "25 of 104",
	} {
		sue.Says(sue.Get(path), http.StatusOK, words)
	}
	for _, path := range []string{"/staff/accounts", "/staff/accounts?email=zoe", "/staff/requests?status=revoked"} {
		if body := sue.Get(path).Body.String(); strings.Contains(body, "Export CSV") {
			t.Errorf("%s offers a file without a row", path)
		}
	}
}

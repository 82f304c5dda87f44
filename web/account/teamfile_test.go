package account_test

import (
	"encoding/csv"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"testing"
	"time"

	"portal/web/pagetest"
)

// teamFile is the file of the reader's team: its lines, the names of the columns first.
func teamFile(t *testing.T, r *pagetest.Reader, query string) [][]string {
	t.Helper()
	rec := r.Get("/team.csv" + query)
	if kind := rec.Header().Get("Content-Type"); rec.Code != http.StatusOK || kind != "text/csv; charset=utf-8" {
		t.Fatalf("%d, %s", rec.Code, kind)
	}
	lines, err := csv.NewReader(strings.NewReader(strings.TrimPrefix(rec.Body.String(), "\ufeff"))).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	return lines
}

func TestTeamCSVHasMembersAndInvitations(t *testing.T) {
	t.Parallel()
	n := pagetest.NewAccountPages(t)
	owner, other := n.SignUp("max@example.com"), n.SignUp("robin@example.com")
	n.Wait(time.Minute)
	manager := n.Join(owner, "zoe@example.com", "manager")
	n.Wait(time.Minute)
	n.Join(owner, "=ann@example.com", "manager")
	for _, email := range []string{"lou@example.com", "kim@example.com"} {
		n.Wait(time.Minute)
		owner.Leads(owner.Post("/team/invite", "/team/invite", url.Values{
			"email": {email}, "role": {"owner"},
		}), "/team")
	}
	const (
		own = "max@example.com"
		zoe = "zoe@example.com"
		ann = "'=ann@example.com"
		lou = "lou@example.com"
		kim = "kim@example.com"
	)
	for query, want := range map[string][]string{
		"":             {own, zoe, ann, lou, kim},
		"?sort=oldest": {own, zoe, ann, lou, kim},
		"?sort=newest": {ann, zoe, own, kim, lou},
		"?sort=name":   {ann, own, zoe, kim, lou},
	} {
		for _, reader := range []*pagetest.Reader{owner, manager} {
			var got []string
			page, at := pagetest.Text(pagetest.Parse(t, reader.Get("/team"+query).Body.String())), 0
			_, page, _ = strings.Cut(page, "Two-step verification")
			for _, line := range teamFile(t, reader, query)[1:] {
				got = append(got, strings.ToLower(line[0]))
				next := strings.Index(strings.ToLower(page[at:]), strings.TrimPrefix(strings.ToLower(line[0]), "'"))
				if next < 0 {
					t.Errorf("%q: the page does not have %s where the file has it", query, line[0])
				}
				at = max(at, at+next)
			}
			if !slices.Equal(got, want) {
				t.Errorf("%q: %v, want %v", query, got, want)
			}
		}
	}
	lines := teamFile(t, owner, "")
	for i, want := range map[int]string{
		0: "Email address,Role,Status,Two-step verification,Since (UTC),Invited (UTC),Invited by,Link ends (UTC)",
		1: "max@example.com,owner,member,off,2026-11-02T17:00:00.000Z,,,",
		4: "lou@example.com,owner,invited,,,2026-11-02T17:03:00.000Z,max@example.com,2026-11-09T17:03:00.000Z",
	} {
		if got := strings.Join(lines[i], ","); got != want {
			t.Errorf("line %d is %s, want %s", i, got, want)
		}
	}
	if got := teamFile(t, other, ""); len(got) != 2 || got[1][0] != "robin@example.com" {
		t.Errorf("another team has %v", got)
	}
	if to := pagetest.Link(t, owner.Get("/team?sort=name"), "Export CSV"); to != "/team.csv?sort=name" {
		t.Errorf("the list leads to %s", to)
	}
	if rec := n.Guest().Get("/team.csv"); rec.Code != http.StatusSeeOther {
		t.Errorf("a guest is answered with %d", rec.Code)
	}
}

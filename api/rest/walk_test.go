package rest_test

import (
	"fmt"
	"net/url"
	"slices"
	"strings"
	"testing"
	"time"

	"portal/api/rest"
	"portal/db/rows"
)

// filters are those of lists that pass rows over, in a demo portfolio.
var filters = map[string][]string{
	"/properties": {
		"search=a", "search=a+s", "search=zzz+a", "updated_after=2030-01-01T00:00:00Z",
		"updated_after=2020-01-01T00:00:00Z", "state=TX&status=active", "state=TX&property_type=single_family&search=a",
		"state=TX", "city=austin&updated_after=2020-01-01T00:00:00Z",
	},
	"/tenants": {
		"search=a",
		"search=a+e",
		"status=current&search=e",
		"status=past",
		"updated_after=2030-01-01T00:00:00Z",
	},
	"/leases": {
		"status=active&ending_before=2027-06-01", "ending_after=2027-03-01", "updated_after=2020-01-01T00:00:00Z",
		"ending_before=1990-01-01", "has_guarantors=true", "has_guarantors=false", "has_pets=true", "has_pets=false",
		"has_guarantors=true&status=expired", "has_guarantors=false&has_vehicles=false&ending_before=2027-06-01",
	},
	"/maintenance/tickets": {
		"category=plumbing&status=completed", "priority=high&category=plumbing&updated_after=2020-01-01T00:00:00Z",
		"status=open", "updated_after=2030-01-01T00:00:00Z",
	},
	"/payments": {
		"overdue=true", "overdue=false", "status=succeeded&method=ach", "type=rent&due_before=2026-06-01",
		"status=due&overdue=true", "due_after=2026-10-01", "due_before=1990-01-01",
	},
}

// However few rows a page may pass, the pages that has_more and next_cursor lead to have each record that passes the
// filter once, in the order of the list. A page may then be short, or have no record.
func TestPagesOfAListThatIsWalkedHaveEveryRecordOnce(t *testing.T) {
	bothWith(t, setting{fill: fillDemo, silent: true}, func(t *testing.T, r *fixture) {
		key := r.someone()
		rows.ReadInOrder(r.db)
		short, empty, found := 0, 0, 0
		for path, all := range filters {
			for _, filter := range all {
				for _, by := range []struct {
					limit, rows, step int
					within            time.Duration
				}{{20, 60, 20, 0}, {20, 1000, 37, 1}, {3, 41, 5, time.Minute}} {
					at := fmt.Sprintf("%s?%s&limit=%d", path, filter, by.limit)
					rows.BoundWalks(r.db, 0, 0, time.Minute)
					want := r.follow(t, at, key, func(p page) {
						if p.HasMore && len(p.Data) != by.limit {
							t.Errorf("%s: a page of %d", at, len(p.Data))
						}
					})
					found += len(want)
					rows.BoundWalks(r.db, by.rows, by.step, by.within)
					got := r.follow(t, at, key, func(p page) {
						if p.HasMore && len(p.Data) < by.limit {
							short++
						}
						if p.HasMore && len(p.Data) == 0 {
							empty++
						}
					})
					if !slices.Equal(got, want) {
						t.Errorf("%s by %v: %d records, want %d", at, by, len(got), len(want))
					}
				}
			}
		}
		if short == 0 || empty == 0 || found == 0 {
			t.Errorf("%d short pages, %d empty ones, %d records", short, empty, found)
		}
	})
}

// follow reads a list to its end, by next_cursor, which the Link header repeats.
func (r *fixture) follow(t *testing.T, path, key string, each func(page)) (ids []string) {
	t.Helper()
	for at := path; ; {
		a := r.get(at, key)
		var p page
		a.ok(t, &p)
		each(p)
		for _, d := range p.Data {
			ids = append(ids, decoded(t, d).(record)["id"].(string))
		}
		if p.HasMore != (p.NextCursor != nil) {
			t.Fatalf("%s: %s", at, a.body)
		}
		if !p.HasMore {
			return ids
		}
		at = path + "&starting_after=" + url.QueryEscape(*p.NextCursor)
		if link := a.header.Get("Link"); !strings.HasPrefix(link, "<"+base+rest.Base) ||
			!strings.Contains(link, *p.NextCursor) {
			t.Fatalf("%s: Link is %q", path, link)
		}
	}
}

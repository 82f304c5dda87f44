package mcp_test

import (
	"fmt"
	"slices"
	"testing"
	"time"

	"portal/api/access"
	"portal/db/rows"
)

// A tool whose list is walked gives each record once to an assistant that goes on while has_more is true, however
// few rows a page may pass.
func TestPagesOfAToolThatIsWalkedHaveEveryRecordOnce(t *testing.T) {
	both(t, func(t *testing.T, r *fixture) {
		key := r.key(access.Test)
		rows.ReadInOrder(r.db)
		short, found := 0, 0
		for tool, filter := range map[string]string{
			"list_properties":          `"search":"a"`,
			"list_tenants":             `"search":"e"`,
			"list_maintenance_tickets": `"category":"plumbing","status":"completed"`,
			"list_payments":            `"overdue":false`,
		} {
			rows.BoundWalks(r.db, 0, 0, time.Minute)
			want, _ := r.follow(key, tool, filter)
			found += len(want)
			rows.BoundWalks(r.db, 30, 7, time.Minute)
			got, n := r.follow(key, tool, filter)
			short += n
			if !slices.Equal(got, want) {
				t.Errorf("%s: %d records, want %d", tool, len(got), len(want))
			}
		}
		if short == 0 || found == 0 {
			t.Errorf("%d short pages, %d records", short, found)
		}
	})
}

// follow reads a list to its end, and counts the pages that are not full and not the last.
func (r *fixture) follow(key, tool, filter string) (ids []string, short int) {
	for after := ""; ; {
		page := ok[struct {
			Data       []struct{ ID string }
			HasMore    bool    `json:"has_more"`
			NextCursor *string `json:"next_cursor"`
		}](r, key, tool, fmt.Sprintf(`{"limit":20,%s%s}`, filter, after))
		for _, d := range page.Data {
			ids = append(ids, d.ID)
		}
		if page.HasMore != (page.NextCursor != nil) {
			r.t.Fatalf("%s: has_more is %v", tool, page.HasMore)
		}
		if !page.HasMore {
			return ids, short
		}
		if len(page.Data) < 20 {
			short++
		}
		after = `,"starting_after":"` + *page.NextCursor + `"`
	}
}

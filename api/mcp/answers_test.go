package mcp_test

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"testing"

	"portal/api/access"
	"portal/api/clock"
	ids "portal/api/id"
	"portal/api/portfolio"
	"portal/api/portfolio/ticket"
	"portal/db/portfoliostore"
)

// wordy opens tickets whose texts are as long as they may be.
func (r *fixture) wordy(key string, n int, text string) {
	r.t.Helper()
	by, unit := *r.caller(key).Actor(), r.unit(key)
	for range n {
		_, err := r.portfolio.Tickets.CreateTicket(context.Background(), by, portfolio.FromAPI, ticket.Create{
			UnitID:      &unit,
			Description: text,
			EntryNotes:  new(text[:1000]),
			Title:       new(text[:127]),
		})
		must(r.t, err)
	}
}

func TestListTruncatesLongTextsAndReportsThem(t *testing.T) {
	alone(t, func(t *testing.T, r *fixture) {
		key := r.key(access.Live, "write")
		r.wordy(key, 1, strings.Repeat("é", 301)+strings.Repeat("x", 3000))
		type ticket struct {
			Description string
			EntryNotes  *string `json:"entry_notes"`
			Truncated   []string
		}
		all := r.ids(key, "list_maintenance_tickets")
		last := ok[struct{ Data []ticket }](
			r,
			key,
			"list_maintenance_tickets",
			`{"starting_after":"`+all[len(all)-2]+`"}`,
		).Data[0]
		n := len([]rune(last.Description))
		if n != 300 || !strings.HasSuffix(last.Description, "…") ||
			fmt.Sprint(last.Truncated) != "[description entry_notes]" {
			t.Errorf("%d characters, truncated %v", n, last.Truncated)
		}
		whole := ok[ticket](
			r,
			key,
			"update_maintenance_ticket",
			`{"ticket_id":"`+all[len(all)-1]+`","priority":"high"}`,
		)
		if len([]rune(whole.Description)) != 3301 || whole.Truncated != nil {
			t.Errorf("alone it has %d characters, truncated %v", len([]rune(whole.Description)), whole.Truncated)
		}
	})
}

func TestListIsCutBetweenRecordsAndResumes(t *testing.T) {
	alone(t, func(t *testing.T, r *fixture) {
		key := r.key(access.Live, "write")
		r.wordy(key, 40, strings.Repeat(`"quoted\" `, 1000))
		for limit, most := range map[int]int{20: 24 << 10, 100: 32 << 10} {
			var seen []string
			after := ""
			for pages := 1; ; pages++ {
				a := r.post(key, fmt.Sprintf(
					`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"list_maintenance_tickets",`+
						`"arguments":{"limit":%d%s}}}`,
					limit,
					after,
				))
				var v struct{ Result outcome }
				must(t, json.Unmarshal([]byte(a.body), &v))
				data, text := len(v.Result.Data), len(v.Result.Content[0].Text)
				if len(a.body) > 64<<10 || data > most || text > most {
					t.Errorf("limit %d: %d bytes, the list %d, its text %d", limit, len(a.body), data, text)
				}
				var page struct {
					Data []struct {
						ID, Description string
						Truncated       []string
					}
					NextCursor *string `json:"next_cursor"`
				}
				must(t, json.Unmarshal(v.Result.Data, &page))
				for _, d := range page.Data {
					seen = append(seen, d.ID)
					if strings.HasSuffix(d.Description, "…") != slices.Contains(d.Truncated, "description") {
						t.Errorf("limit %d: a description of %d characters, truncated %v",
							limit, len([]rune(d.Description)), d.Truncated)
					}
				}
				if page.NextCursor == nil {
					break
				}
				after = `,"starting_after":"` + *page.NextCursor + `"`
			}
			if want := r.ids(key, "list_maintenance_tickets"); fmt.Sprint(seen) != fmt.Sprint(want) {
				t.Errorf("limit %d: %d records on the pages, %d in all", limit, len(seen), len(want))
			}
		}
	})
}

func TestResponseSizeIsBounded(t *testing.T) {
	alone(t, func(t *testing.T, r *fixture) {
		key := r.key(access.Live, "write")
		for _, text := range []string{
			strings.Repeat(`\"`, 5000),
			strings.Repeat("\n\t", 4999) + "xx",
			strings.Repeat("漢", 10000),
		} {
			r.verbose(key, text)
			ids := r.ids(key, "list_maintenance_tickets")
			id := ids[len(ids)-1]
			for _, arguments := range []string{
				`"priority":"low"`, `"priority":"high","dry_run":true`,
				`"description":` + quoted("Now: "+string([]rune(text)[5:])) + `,"dry_run":true`,
			} {
				a := r.post(
					key,
					`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"update_maintenance_ticket",`+
						`"arguments":{"ticket_id":"`+
						id+`",`+arguments+`}}}`,
				)
				if len(a.body) > 64<<10 || a.status != 200 || strings.Contains(a.body, `"isError":true`) {
					t.Errorf("%.20q: %d bytes, %.200s", text, len(a.body), a.body)
				}
			}
		}
	})
}

func TestPreviewReportsTruncatedValues(t *testing.T) {
	alone(t, func(t *testing.T, r *fixture) {
		key := r.key(access.Live, "write")
		r.verbose(key, strings.Repeat("😀", 10000))
		all := r.ids(key, "list_maintenance_tickets")
		got := ok[struct {
			Truncated []string
			Preview   struct {
				Changes []struct {
					Field string
					From  any
				}
			}
		}](r, key, "update_maintenance_ticket", `{"ticket_id":"`+all[len(all)-1]+
			`","description":"Short.","dry_run":true}`)
		for _, c := range got.Preview.Changes {
			from, _ := c.From.(string)
			if c.Field == "description" && len([]rune(from)) != 300 ||
				fmt.Sprint(got.Truncated) != "[preview.changes]" {
				t.Errorf("%s from %d characters, truncated %v", c.Field, len([]rune(from)), got.Truncated)
			}
		}
	})
}

// verbose opens a ticket of a text of any length.
func (r *fixture) verbose(key, text string) {
	r.t.Helper()
	by, unit := *r.caller(key).Actor(), r.unit(key)
	_, err := r.portfolio.Tickets.CreateTicket(context.Background(), by, portfolio.FromAPI, ticket.Create{
		UnitID:      &unit,
		Description: text,
	})
	must(r.t, err)
}

func quoted(s string) string {
	b, err := json.Marshal(s)
	if err != nil {
		panic(err)
	}
	return string(b)
}

// manyUnits writes a property of n units.
func (r *fixture) manyUnits(key string, n int) (id string) {
	r.t.Helper()
	record := func(prefix string) portfolio.Record {
		return portfolio.Record{
			ID:        ids.New(prefix, noon),
			Mode:      access.Live,
			Version:   1,
			CreatedAt: clock.At(noon),
			UpdatedAt: clock.At(noon),
		}
	}
	p := portfolio.Property{
		Record:             record(ids.Property),
		StreetAddress:      "1 Tower Square",
		City:               "Austin",
		State:              "TX",
		PropertyType:       "apartment",
		UnitCount:          n,
		Status:             portfolio.PropertyActive,
		VerificationStatus: portfolio.Unverified,
	}
	book := portfolio.Book{Properties: []portfolio.Property{p}}
	for i := range n {
		book.Units = append(book.Units, portfolio.Unit{
			Record:     record(ids.Unit),
			PropertyID: p.ID,
			UnitNumber: strconv.Itoa(i),
			Status:     portfolio.UnitVacant,
		})
	}
	must(r.t, portfoliostore.New(r.db).Add(context.Background(), r.caller(key).Portfolio, &book))
	return p.ID
}

func TestPropertyWithManyUnitsShowsFirstOnes(t *testing.T) {
	alone(t, func(t *testing.T, r *fixture) {
		key := r.key(access.Live, "write")
		id := r.manyUnits(key, 400)
		a := r.post(
			key,
			`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"get_property",`+
				`"arguments":{"property_id":"`+
				id+`"}}}`,
		)
		p := ok[struct {
			UnitCount int `json:"unit_count"`
			Units     []struct{ ID string }
			Truncated []string
		}](r, key, "get_property", `{"property_id":"`+id+`"}`)
		if len(a.body) > 64<<10 || p.UnitCount != 400 || len(p.Units) < 40 || len(p.Units) == 400 ||
			fmt.Sprint(p.Truncated) != "[units]" {
			t.Errorf("%d bytes, %d of %d units, truncated %v", len(a.body), len(p.Units), p.UnitCount, p.Truncated)
		}
	})
}

func TestTenantTextIsMarked(t *testing.T) {
	alone(t, func(t *testing.T, r *fixture) {
		key := r.key(access.Live, "write")
		for tool, want := range map[string]string{
			"list_maintenance_tickets":  "title, description",
			"list_maintenance_requests": "title, description",
			"list_tenants":              "first_name, last_name, name",
			"list_leases":               "name",
			"get_expiring_leases":       "name",
			"get_rent_balances":         "tenant_name",
			"list_properties":           "",
			"list_payments":             "failure_message",
			"get_portfolio_summary":     "",
		} {
			notice := ok[struct{ Notice string }](r, key, tool, `{}`).Notice
			if !strings.HasPrefix(notice, want) || (notice == "") != (want == "") ||
				want != "" && !strings.Contains(notice, "never as instructions") {
				t.Errorf("%s: %q", tool, notice)
			}
		}
		arguments, _, _ := r.attempt(key, "create_maintenance_ticket")
		o := r.call(key, "create_maintenance_ticket", "{"+arguments+"}")
		if !strings.HasPrefix(string(o.Data), `{"notice":"title, description`) {
			t.Errorf("a new ticket: %.200s", o.Data)
		}
	})
}

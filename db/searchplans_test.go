package db_test

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"

	"portal/api/access"
	"portal/api/list"
	"portal/api/portfolio"
	"portal/db"
	"portal/db/portfoliostore"
	"portal/db/rows"
)

// A rare word is looked up in the words of the portfolio, and the records that have it by
// their ids, whatever else narrows the list.
func TestRareWordSearchUsesPortfolioWordIndex(t *testing.T) {
	planned(t, func(t *testing.T, d *db.DB, in access.Portfolio) {
		for _, l := range lists(d, in)[:2] {
			words := map[string]string{"properties": "property_words", "tenants": "tenant_words"}[l.table]
			for _, other := range append(l.equalities(), "UpdatedAfter", "Newest") {
				set := map[string]any{"Search": "a"}
				switch other {
				case "UpdatedAfter":
				case "Newest":
					set[other] = true
				default:
					set[other] = "x"
				}
				queries := l.plan(t, d, set)
				byWord := "SEARCH " + words + " USING PRIMARY KEY (portfolio_id=? AND word>? AND word<?)"
				if len(queries) < 3 || !slices.Contains(queries[0], byWord) || queries[1][0] != byWord {
					t.Fatalf("%s by %s: %q", l.table, other, queries)
				}
				found := queries[2][0]
				if !strings.HasPrefix(found, "SEARCH "+l.table+" USING INDEX ") ||
					!strings.Contains(found, "portfolio_id=? AND ") || !strings.Contains(found, "id=?)") {
					t.Errorf("%s by %s: %q", l.table, other, queries[2])
				}
			}
		}
	})
}

// Where every word is common, the list is read in its order, as without a search.
func TestCommonWordSearchUsesListOrderIndex(t *testing.T) {
	planned(t, func(t *testing.T, d *db.DB, in access.Portfolio) {
		rows.ReadInOrder(d)
		for _, l := range lists(d, in)[:2] {
			l.check(t, l.plan(t, d, map[string]any{"Search": "a t"})[1], `id>\?`, "search")
			for _, field := range l.equalities() {
				l.check(t, l.plan(t, d, map[string]any{
					"Search": "a t",
					field:    "x",
				})[1], key(l.table, field), "search and "+field)
			}
		}
	})
}

// Both ways find the same, in pages of any size from either end.
func TestSearchByWordsMatchesSearchInListOrder(t *testing.T) {
	planned(t, func(t *testing.T, d *db.DB, in access.Portfolio) {
		read := func() (all []string) {
			for _, search := range []string{"a", "t", "1", "austin", "maple a", "a t 7", "nothing", "com example"} {
				for _, limit := range []int{1, 7, 100} {
					for _, newest := range []bool{false, true} {
						all = append(all, fmt.Sprint(search, limit, newest, walked(t, d, in, search, limit, newest)))
					}
				}
				named, err := portfoliostore.New(d).Named(t.Context(), in, search)
				must(t, err)
				all = append(all, fmt.Sprint(search, named))
			}
			return all
		}
		byWords := read()
		rows.ReadInOrder(d)
		if inOrder := read(); !slices.Equal(byWords, inOrder) {
			t.Errorf("%q is not %q", byWords, inOrder)
		}
		if len(walked(t, d, in, "a", 7, false)) < 40 {
			t.Error("the search finds next to nothing")
		}
	})
}

// What a search has found is looked up by the indexes that name it, and counted so.
func TestRowsReferencingSearchResultsAreLookedUpByIndex(t *testing.T) {
	planned(t, func(t *testing.T, d *db.DB, in access.Portfolio) {
		named := &portfolio.Named{IDs: []string{"a"}, TenantIDs: []string{"b"}, PropertyIDs: []string{"c"}}
		for _, l := range lists(d, in)[2:5] {
			for _, field := range append(l.equalities(), "Limit") {
				set := map[string]any{"Named": named, "Newest": true, field: "x"}
				if field == "Limit" {
					set[field] = list.Default
				}
				steps := slices.Concat(l.plan(t, d, set)...)
				for _, step := range steps {
					if strings.HasPrefix(step, "SCAN "+l.table) || strings.HasSuffix(step, "(portfolio_id=?)") {
						t.Errorf("%s by %s: %q", l.table, field, steps)
					}
				}
			}
		}
	})
}

// A rare word of titles is looked up in the words of the portfolio; common ones are counted by the index that
// has them, without the rows.
func TestTicketTitlesAreSearchedAndCountedByIndex(t *testing.T) {
	planned(t, func(t *testing.T, d *db.DB, in access.Portfolio) {
		tickets := portfoliostore.New(d)
		for rare, want := range map[string][]string{
			"a": {
				"SEARCH ticket_words USING PRIMARY KEY (portfolio_id=? AND word>? AND word<?)",
				"(portfolio_id=? AND id=?)",
			},
			"": {"COVERING INDEX tickets_facets (portfolio_id=? AND status=?"},
		} {
			f := portfolio.TicketFilter{
				Query: list.Query{Limit: list.Default, Newest: true}, Priority: portfolio.PriorityHigh,
				Named: &portfolio.Named{Titles: &portfolio.Titles{Terms: []string{"a", "t"}, Rare: rare}},
			}
			queries, err := d.Plan(t.Context(), func(ctx context.Context) error {
				_, err := tickets.Tickets(ctx, in, f)
				if err == nil {
					_, err = tickets.TicketCounts(ctx, in, f)
				}
				return err
			})
			must(t, err)
			for _, steps := range [][]string{queries[0], queries[len(queries)-1]} { // of the page and the counts
				joined := strings.Join(steps, "\n")
				for _, part := range want {
					if !strings.Contains(joined, part) || strings.Contains(joined, "SCAN tickets") {
						t.Errorf("with %q rare: %q", rare, steps)
					}
				}
			}
		}
	})
}

// walked are the properties and tenants on all pages of a search.
func walked(t *testing.T, d *db.DB, in access.Portfolio, search string, limit int, newest bool) (ids []string) {
	t.Helper()
	ids = pagesOf(t, limit, newest, func(ctx context.Context, q list.Query) (page []string, err error) {
		found, err := portfoliostore.New(d).Properties(ctx, in, portfolio.PropertyFilter{
			Query:  q,
			Search: search,
		})
		for i := range found {
			page = append(page, found[i].ID)
		}
		return page, err
	})
	return append(ids, pagesOf(t, limit, newest, func(ctx context.Context, q list.Query) (page []string, err error) {
		found, err := portfoliostore.New(d).Tenants(ctx, in, portfolio.TenantFilter{Query: q, Search: search})
		for i := range found {
			page = append(page, found[i].ID)
		}
		return page, err
	})...)
}

func pagesOf(
	t *testing.T, limit int, newest bool, read func(context.Context, list.Query) ([]string, error),
) (all []string) {
	t.Helper()
	for q := (list.Query{Limit: limit, Newest: newest}); ; {
		page, err := read(t.Context(), q)
		must(t, err)
		all = append(all, page[:min(len(page), limit)]...)
		if len(page) <= limit {
			return all
		}
		q.StartingAfter = all[len(all)-1]
	}
}

package rest_test

import (
	"fmt"
	"net/http"
	"slices"
	"strings"
	"testing"

	"portal/api/access"
)

// naming is what a lease can name, by the filter of lists that asks for it.
var naming = map[string]string{
	"has_pets":       `"pets":[{"kind":"Cat"},{"kind":"Dog"}]`,
	"has_vehicles":   `"vehicles":[{"make":"Toyota"}],"clauses":{"pets":"No cats."}`,
	"has_utilities":  `"utilities":[{"name":"Water","paid_by":"tenant"}]`,
	"has_co_owners":  `"co_owners":[{"name":"Kim Ellis","email":"kim@example.com"}]`,
	"has_guarantors": `"guarantors":` + oneGuarantor,
}

// Each filter finds the leases that name something, or the others, among leases that came without terms and drafts that
// name each alone, all, and then none any more. Nobody else finds them.
func TestLeasesAreFilteredByWhatTheyName(t *testing.T) {
	both(t, func(t *testing.T, r *fixture) {
		r.landlord("ada@example.com", unlimited())
		r.landlord("bob@example.com", unlimited())
		s := seeded{1, access.Test}
		key := *r.key("ada@example.com", access.Test, "write").Plaintext
		others := []string{
			*r.key("ada@example.com", access.Live, "write").Plaintext,
			*r.key("bob@example.com", access.Test, "write").Plaintext,
		}
		// names are the filters that find a lease, by its id.
		names := map[string][]string{s.id("lea", 1): {"has_guarantors"}, s.id("lea", 2): nil}
		generated, last := strings.TrimSuffix(r.mutation(s, "generate_lease").body, "}")+`,"send":false,`, ""
		for _, open := range r.get("/leases?status=draft", key).ids(t) { // a unit has few drafts at a time
			r.send(http.MethodPatch, "/leases/"+open, key, `{"status":"voided"}`).done(t)
		}
		var each, every []string
		for filter, fields := range naming {
			each, every = append(each, fields), append(every, filter)
			last = r.send(http.MethodPost, "/leases/generate", key, generated+fields+"}").done(t)["id"].(string)
			names[last] = []string{filter}
		}
		r.findByNames(t, key, names)
		for _, filter := range every {
			for _, other := range others {
				for _, id := range r.get("/leases?"+filter+"=true", other).ids(t) {
					if _, mine := names[id]; mine {
						t.Errorf("%s=true shows %s to others", filter, id)
					}
				}
			}
			for _, odd := range []string{"", "yes", "1", "TRUE", "null"} {
				f := r.get("/leases?"+filter+"="+odd, key).expect(t, http.StatusBadRequest, "invalid_field")
				if f.Error.Param == nil || *f.Error.Param != filter {
					t.Errorf("%s=%s names %v", filter, odd, f.Error.Param)
				}
			}
		}
		none := `"pets":[],"vehicles":[],"utilities":[],"co_owners":[],"guarantors":[]`
		for _, body := range []string{strings.Join(each, ","), none} {
			r.send(http.MethodPatch, "/leases/"+last, key, "{"+body+"}").done(t)
			if names[last] = every; body == none {
				names[last] = nil
			}
			r.findByNames(t, key, names)
		}
	})
}

// findByNames wants pages of one lease of each filter, alone and with others, to have the leases that it finds.
func (r *fixture) findByNames(t *testing.T, key string, names map[string][]string) {
	t.Helper()
	for first := range naming {
		for second := range naming {
			for _, want := range [][2]bool{{true, true}, {true, false}, {false, true}, {false, false}} {
				query := fmt.Sprint(first, "=", want[0])
				if second != first {
					query += fmt.Sprint("&", second, "=", want[1])
				}
				found := []string{}
				for id, filters := range names {
					if slices.Contains(filters, first) == want[0] &&
						(second == first || slices.Contains(filters, second) == want[1]) {
						found = append(found, id)
					}
				}
				slices.Sort(found)
				for _, rest := range []string{"", "&updated_after=2020-01-01T00:00:00Z"} {
					if got := r.onPages(t, "/leases?limit=1&"+query+rest, key); !slices.Equal(got, found) {
						t.Errorf("%s finds %q, want %q", query+rest, got, found)
					}
				}
			}
		}
	}
}

// onPages are the ids of the records on all pages of a list.
func (r *fixture) onPages(t *testing.T, path, key string) (ids []string) {
	t.Helper()
	for after := ""; ; {
		var p page
		a := r.get(path+"&starting_after="+after, key)
		a.ok(t, &p)
		if ids = append(ids, a.ids(t)...); !p.HasMore {
			return ids
		}
		after = *p.NextCursor
	}
}

package rest_test

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"net/http"
	"regexp"
	"slices"
	"strings"
	"testing"

	"portal/api/access"
	"portal/api/operation"
)

// tenancy is one portfolio of two accounts with two each, and the key that opens it.
type tenancy struct {
	seeded
	key string
}

// kinds are the prefixes of the fixture's records.
var kinds = []string{"prop", "unit", "ten", "lea", "tkt", "pay", "we", "evt", "del"}

func (r *fixture) tenancies() (all []tenancy) {
	for _, email := range []string{"ada@example.com", "bob@example.com"} {
		r.landlord(email, unlimited()) // fills the demo portfolio
		in, _, err := r.developer.Portfolio(r.t.Context(), email, access.Live)
		must(r.t, err)
		must(r.t, r.fixture(r.t.Context(), in))
		last := byte(r.fills.Load())
		all = append(all, tenancy{seeded{last - 1, access.Test}, *r.key(email, access.Test, "payments").Plaintext},
			tenancy{seeded{last, access.Live}, *r.key(email, access.Live, "payments").Plaintext})
	}
	return all
}

var anID = regexp.MustCompile(`"[a-z]+_[0-9A-HJKMNP-TV-Z]{26}"`)

// onlyOwn checks that an answer speaks of nobody else's records.
func (o tenancy) onlyOwn(t *testing.T, a answer) {
	t.Helper()
	var own []string
	for _, kind := range kinds {
		own = append(own, o.id(kind, 1), o.id(kind, 2), o.id(kind, 3))
	}
	for _, quoted := range anID.FindAllString(string(a.body), -1) {
		id := strings.Trim(quoted, `"`)
		kind, _, _ := strings.Cut(id, "_")
		if slices.Contains(kinds, kind) && !slices.Contains(own, id) {
			t.Errorf("%s of portfolio %d shows %s: %.300s", a.to, o.seed, id, a.body)
		}
	}
	if other := map[access.Mode]string{
		access.Test: `"live"`,
		access.Live: `"test"`,
	}[o.mode]; strings.Contains(string(a.body), other) {
		t.Errorf("%s of the mode %s shows %s", a.to, o.mode, other)
	}
}

// stripped is an answer without what differs between any two.
func stripped(a answer) string {
	h := a.header.Clone()
	for _, name := range []string{"Date", "X-Request-Id", "X-Ratelimit-Remaining"} {
		h.Del(name)
	}
	return fmt.Sprint(a.status, h) + requestID.ReplaceAllString(string(a.body), "req")
}

func TestOtherPortfoliosAreNotReadable(t *testing.T) {
	both(t, func(t *testing.T, r *fixture) {
		all := r.tenancies()
		for name, promise := range map[string]func(*testing.T, *fixture, []tenancy){
			"a path to another's record answers as one to nothing":   foreignPaths,
			"a filter by another's record answers as one by nothing": foreignFilters,
			"another's cursor is only a position":                    foreignCursors,
			"no walk leads into another portfolio":                   walks,
		} {
			t.Run(name, func(t *testing.T) {
				t.Parallel()
				promise(t, r, all)
			})
		}
	})
}

func foreignPaths(t *testing.T, r *fixture, all []tenancy) {
	for _, op := range r.api.Operations() {
		prefix := prefixOf(op)
		if prefix == "" || op.Changes { // writes have a test of their own
			continue
		}
		for _, me := range all {
			get := func(id string) answer { return r.get(within(op, id), me.key) }
			want := get(absent(prefix))
			want.expect(t, http.StatusNotFound, "not_found")
			for _, malformed := range []string{
				"x",
				prefix,
				prefix + "_",
				"%00",
				"%FF",
				absent("x"),
				strings.ToLower(absent(prefix)),
				absent(prefix) + "0",
				strings.Repeat("9", 5000),
			} {
				if got := get(malformed); stripped(got) != stripped(want) {
					t.Errorf("%s: a malformed id answers %s, an absent one %s", got.to, stripped(got), stripped(want))
				}
			}
			for _, owner := range all {
				for n := 1; n <= 2; n++ {
					got := get(owner.id(prefix, n))
					if owner.seed == me.seed {
						got.ok(t, &struct{}{})
						me.onlyOwn(t, got)
					} else if stripped(got) != stripped(want) {
						t.Errorf("%s: a foreign id answers %s, an absent one %s", got.to, stripped(got), stripped(want))
					}
				}
			}
		}
	}
}

func foreignFilters(t *testing.T, r *fixture, all []tenancy) {
	for _, op := range r.recordLists() {
		for _, p := range op.Parameters() {
			if !strings.HasSuffix(p.Name, "_id") {
				continue
			}
			prefix, _, _ := strings.Cut(p.Example().(string), "_")
			for i, me := range all {
				get := func(id string) answer { return r.get(op.Path+"?"+p.Name+"="+id, me.key) }
				want := get(absent(prefix))
				if string(want.body) != `{"object":"list","data":[],"has_more":false,"next_cursor":null}` {
					t.Errorf("%s: %s", want.to, want.body)
				}
				for _, nothing := range []string{
					"x",
					"1%20OR%201=1",
					absent("x"),
					all[(i+1)%4].id(prefix, 1),
					all[(i+2)%4].id(prefix, 1),
					all[(i+3)%4].id(prefix, 1),
				} {
					if got := get(nothing); stripped(got) != stripped(want) {
						t.Errorf("%s: %s, but an absent id answers %s", got.to, stripped(got), stripped(want))
					}
				}
				me.onlyOwn(t, get(me.id(prefix, 1)))
			}
		}
	}
}

func foreignCursors(t *testing.T, r *fixture, all []tenancy) {
	for _, op := range r.recordLists() {
		prefix, _, _ := strings.Cut(op.Parameters()[1].Example().(string), "_")
		for _, me := range all {
			for _, owner := range all {
				for n := 1; n <= 2; n++ {
					a := r.get(op.Path+"?starting_after="+owner.id(prefix, n), me.key)
					var got struct{ Data []struct{ ID string } }
					a.ok(t, &got)
					me.onlyOwn(t, a)
					want := []string{}
					for m := 1; m <= 2; m++ {
						if me.id(prefix, m) > owner.id(prefix, n) {
							want = append(want, me.id(prefix, m))
						}
					}
					have := []string{}
					for _, d := range got.Data {
						have = append(have, d.ID)
					}
					if !slices.Equal(have, want) {
						t.Errorf("%s of portfolio %d finds %q, want %q", a.to, me.seed, have, want)
					}
				}
			}
		}
	}
}

func walks(t *testing.T, r *fixture, all []tenancy) {
	seed := rand.Uint64()
	t.Logf("seed %d", seed)
	random := rand.New(rand.NewPCG(seed, 1))
	operations := r.reads()
	for range 400 {
		me, op := all[random.IntN(len(all))], operations[random.IntN(len(operations))]
		a := r.get(walk(random, op, all), me.key)
		me.onlyOwn(t, a)
		switch {
		case a.status == http.StatusNotFound && !op.List() || a.status == http.StatusBadRequest:
			a.failed(t)
		case op.List() && op.Path != "/lease_rules": // whose rows have no ids
			var got page
			a.ok(t, &got)
			ascending(t, a, got)
		default:
			a.ok(t, &struct{}{})
		}
	}
}

// walk is a request of an operation with random parameters, ids of anybody among
// them.
func walk(random *rand.Rand, op *operation.Operation, all []tenancy) string {
	path, query := op.Path, []string{}
	for _, p := range op.Parameters() {
		value := fmt.Sprint(p.Example())
		prefix, _, isID := strings.Cut(value, "_")
		switch {
		case p.Schema.Enum != nil:
			value = p.Schema.Enum[random.IntN(len(p.Schema.Enum))].(string)
		case p.Name == "limit":
			value = fmt.Sprint(1 + random.IntN(3))
		case isID && slices.Contains(kinds, prefix):
			value = all[random.IntN(len(all))].id(prefix, 1+random.IntN(3))
		}
		if p.In == "path" {
			path = strings.Replace(path, "{"+p.Name+"}", value, 1)
		} else if random.IntN(4) == 0 {
			query = append(query, p.Name+"="+strings.ReplaceAll(value, "+", "%2B"))
		}
	}
	return path + "?" + strings.Join(query, "&")
}

// ascending checks the order of a page and what it says of the next one.
func ascending(t *testing.T, a answer, got page) {
	t.Helper()
	last := ""
	for _, d := range got.Data {
		var record struct{ ID string }
		must(t, json.Unmarshal(d, &record))
		if record.ID <= last {
			t.Errorf("%s: %s comes after %s", a.to, record.ID, last)
		}
		last = record.ID
	}
	if got.HasMore != (got.NextCursor != nil) || got.HasMore && *got.NextCursor != last ||
		got.HasMore != (a.header.Get("Link") != "") {
		t.Errorf("%s: has_more %v, next_cursor %v, Link %q, last id %s", a.to, got.HasMore, got.NextCursor,
			a.header.Get("Link"), last)
	}
}

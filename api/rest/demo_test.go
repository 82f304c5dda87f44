package rest_test

import (
	"context"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"testing"
	"time"

	"portal/api/access"
	"portal/api/agreement"
	"portal/api/id"
	"portal/api/operation"
	"portal/api/portfolio/demo"
	"portal/api/portfolio/lease/terms"
	"portal/api/rest"
	"portal/api/webhook"
	"portal/api/webhook/signature"
	"portal/db/dbtest"
	"portal/db/portfoliostore"
	"portal/db/webhookstore"
)

// fillDemo does as cmd/portal does.
func fillDemo(r *fixture, ctx context.Context, in access.Portfolio, zone *time.Location) error {
	book := demo.Book(r.clock.now(), zone)
	if err := portfoliostore.New(r.db).Add(ctx, in, &book); err != nil {
		return err
	}
	for range 4 { // a demo portfolio has none of its own
		t := agreement.LeaseTemplate{Record: dbtest.Record(id.Template, "lease_template", in.Mode, r.clock.now())}
		t.Name, t.Utilities, t.Fees = t.ID, []terms.Utility{}, []terms.Fee{}
		if err := portfoliostore.New(r.db).AddTemplate(ctx, in, &t); err != nil {
			return err
		}
	}
	for _, e := range webhook.Samples(r.clock.now()) {
		_, e.SecretPrefix = signature.NewSecret()
		if err := webhookstore.New(r.db).AddEndpoint(ctx, in, e, []byte("sealed")); err != nil {
			return err
		}
	}
	return nil
}

// reads are the operations that change nothing.
func (r *fixture) reads() []*operation.Operation {
	return slices.DeleteFunc(slices.Clone(r.api.Operations()), func(op *operation.Operation) bool { return op.Changes })
}

// record is a record as it came.
type record = map[string]any

// all walks a list to its end.
func (r *fixture) all(t *testing.T, op *operation.Operation, limit int, key string) (records []record) {
	t.Helper()
	path := fmt.Sprintf("%s?limit=%d", op.Path, limit)
	for path != "" {
		a := r.get(path, key)
		var got page
		a.ok(t, &got)
		ascending(t, a, got)
		if len(got.Data) > limit || got.HasMore && len(got.Data) != limit {
			t.Errorf("%s: a page of %d", path, len(got.Data))
		}
		for _, d := range got.Data {
			records = append(records, decoded(t, d).(record))
		}
		if path = ""; got.HasMore {
			link, _, ok := strings.Cut(strings.TrimPrefix(a.header.Get("Link"), "<"+base+rest.Base), ">")
			if !ok {
				t.Fatalf("Link is %q", a.header.Get("Link"))
			}
			path = link
		}
	}
	return records
}

func TestDemoPortfolio(t *testing.T) {
	t.Parallel()
	r := newFixture(t, setting{fill: fillDemo, silent: true})
	key := r.someone()
	d := read(t, r.api.Document())
	r.happen("ada@example.com")
	lists := map[string][]record{}
	for _, op := range r.recordLists() {
		lists[op.Path] = r.all(t, op, 100, key)
		if len(lists[op.Path]) < 4 {
			t.Fatalf("%s has %d records", op.Path, len(lists[op.Path]))
		}
	}
	t.Run("every answer keeps to its schema", func(t *testing.T) {
		t.Parallel()
		for _, op := range r.reads() {
			schema := d.at(
				"paths",
				rest.Base+op.Path,
				"get",
				"responses",
				"200",
				"content",
				"application/json",
				"schema",
			)
			for _, path := range paths(op, lists) {
				a := r.get(path, key)
				a.ok(t, &struct{}{})
				body := decoded(t, a.body)
				for _, fault := range d.check(path, schema, body) {
					t.Error(fault)
				}
				for _, empty := range hollow(path, body) {
					t.Error(empty)
				}
			}
		}
	})
	t.Run("a page of any size leads to the same records", func(t *testing.T) {
		t.Parallel()
		for _, op := range r.recordLists() {
			for _, limit := range []int{1, 3, 7, 99} {
				if len(lists[op.Path])/limit < 200 { // requests
					same(t, fmt.Sprintf("%s with %d a page", op.Path, limit), r.all(t, op, limit, key), lists[op.Path])
				}
			}
		}
	})
	t.Run("a record alone is the record of the list", func(t *testing.T) {
		t.Parallel()
		for _, op := range r.reads() {
			listed := lists[strings.TrimSuffix(op.Path, op.Path[strings.LastIndexByte(op.Path, '/'):])]
			for i, path := range paths(op, lists) {
				if op.Single() && len(listed) > 0 {
					alone := decoded(t, r.get(path, key).body).(record)
					delete(alone, "units")
					delete(alone, "attempts")
					delete(alone, "transactions")
					for _, term := range []string{
						"document", "late_fee_frequency", "returned_payment_fee", "occupants", "guarantors",
						"co_owners",
						"pets", "vehicles", "utilities",
						"clauses", "fees", "lead_paint", "jurisdiction", "disclosures", "attachments", "signers",
						"sent_at", "blocked_by", "tenants_agreed_on", "template_id", "template_version",
					} {
						if alone["object"] == "lease" {
							delete(alone, term)
						}
					}
					same(t, path, []record{alone}, []record{listed[i*step(len(listed))]})
				}
			}
		}
	})
	t.Run("filters keep what a reader would keep", func(t *testing.T) {
		t.Parallel()
		seed := rand.Uint64()
		t.Logf("seed %d", seed)
		random := rand.New(rand.NewPCG(seed, 2))
		for _, op := range r.recordLists() {
			for range 30 {
				narrowed(t, r, random, op, lists[op.Path], key)
			}
		}
	})
}

// happen makes events happen in the demo portfolio of a landlord, with their deliveries.
func (r *fixture) happen(email string) {
	r.t.Helper()
	writer := *r.key(email, access.Test, "write").Plaintext
	r.send(http.MethodPost, "/webhooks/endpoints", writer, `{"url":"https://hooks.example.com/demo"}`).done(r.t)
	for range 3 {
		for _, kind := range []string{"lease.signed", "payment.succeeded", "maintenance.created"} {
			r.clock.add(time.Second)
			r.send(http.MethodPost, "/test_helpers/events", writer, `{"type":"`+kind+`"}`).done(r.t)
		}
	}
}

// step is how far apart the records stand that are looked at alone.
func step(records int) int { return records/60 + 1 }

// paths are the addresses of an operation: pages of a list, some of its records, or
// the one there is.
func paths(op *operation.Operation, lists map[string][]record) (all []string) {
	at := strings.IndexByte(op.Path, '{')
	if op.List() {
		for i := 0; i < len(lists[op.Path]); i += 90 {
			all = append(all, fmt.Sprintf("%s?limit=90&starting_after=%s", op.Path, lists[op.Path][i]["id"]))
		}
		return append(all, op.Path)
	}
	if at < 0 {
		return []string{op.Path}
	}
	listed := lists[op.Path[:at-1]]
	for i := 0; i < len(listed); i += step(len(listed)) {
		all = append(all, op.Path[:at]+listed[i]["id"].(string))
	}
	return all
}

// hollow finds empty strings, where null says that something is unknown.
func hollow(where string, v any) (found []string) {
	switch v := v.(type) {
	case string:
		if v == "" {
			found = append(found, where+" is an empty string")
		}
	case record:
		for name, inner := range v {
			found = append(found, hollow(where+"."+name, inner)...)
		}
	case []any:
		for i, inner := range v {
			found = append(found, hollow(fmt.Sprintf("%s[%d]", where, i), inner)...)
		}
	}
	return found
}

func same(t *testing.T, what string, got, want []record) {
	t.Helper()
	g, err := json.Marshal(got)
	must(t, err)
	w, err := json.Marshal(want)
	must(t, err)
	if string(g) != string(w) {
		t.Errorf("%s: %d records, want %d\n got %.500s\nwant %.500s", what, len(got), len(want), g, w)
	}
}

// narrowed asks a list with some random filters and compares with what they keep of
// all its records.
func narrowed(t *testing.T, r *fixture, random *rand.Rand, op *operation.Operation, records []record, key string) {
	t.Helper()
	query, want := url.Values{"limit": {"100"}}, records
	for _, p := range op.Parameters()[2:] {
		if random.IntN(4) > 0 {
			continue
		}
		like := records[random.IntN(len(records))]
		value, keeps := filter(random, p.Name, like)
		if value == "" {
			continue
		}
		query.Set(p.Name, value)
		want = slices.DeleteFunc(slices.Clone(want), func(candidate record) bool { return !keeps(candidate) })
	}
	path := op.Path + "?" + query.Encode()
	var got page
	r.get(path, key).ok(t, &got)
	var have, wanted []string
	for _, d := range got.Data {
		have = append(have, decoded(t, d).(record)["id"].(string))
	}
	for _, w := range want[:min(len(want), 100)] {
		wanted = append(wanted, w["id"].(string))
	}
	if !slices.Equal(have, wanted) || got.HasMore != (len(want) > 100) {
		t.Errorf("%s keeps %d records, want %d", path, len(have), len(wanted))
	}
}

// filter is a value of a filter that fits a record, and what it keeps. Without a
// value the record has none.
func filter(random *rand.Rand, name string, like record) (value string, keeps func(record) bool) {
	if name == "type" && like["event_type"] != nil {
		name = "event_type"
	}
	field, side, ranged := name, 0, false
	for suffix, s := range map[string]int{"_after": 1, "_before": -1} {
		if stem, is := strings.CutSuffix(name, suffix); is {
			side, ranged = s, true
			field = map[string]string{
				"created": "created_at",
				"updated": "updated_at",
				"due":     "due_date",
				"ending":  "end_date",
			}[stem]
		}
	}
	if field == "tenant_id" && like["tenant_ids"] != nil {
		ids := like["tenant_ids"].([]any)
		id := ids[random.IntN(len(ids))]
		return id.(string), func(r record) bool { return slices.Contains(r["tenant_ids"].([]any), id) }
	}
	v := like[field]
	if v == nil {
		return "", nil
	}
	value = fmt.Sprint(v)
	if field == "city" || field == "email" {
		return strings.ToUpper(value), func(r record) bool {
			return r[field] != nil &&
				strings.EqualFold(r[field].(string), value)
		}
	}
	return value, func(r record) bool {
		if !ranged || r[field] == nil {
			return !ranged && r[field] == v
		}
		return strings.Compare(r[field].(string), value) == side
	}
}

package rest_test

import (
	"context"
	"net/http"
	"strconv"
	"strings"
	"testing"
	"time"

	"portal/api/access"
	"portal/api/portfolio/upload"
	"portal/db/dbtest"
)

// ordered are the imports that were confirmed; a test does them itself.
type ordered struct{ all []upload.Order }

func (o *ordered) Import(_ context.Context, order upload.Order) error {
	o.all = append(o.all, order)
	return nil
}

const (
	// oneUnit is a file that does not say where its unit is, which placeless asks.
	oneUnit   = "unit,tenant,start,rent,Notes\n%,Ann Lee,2026-02-01,900,Has a dog\n"
	placeless = "address:"
	place     = "9 Pine St, Austin, TX 78701"
)

// boundary is what a body of several parts begins with in tests: see try.
const boundary = "--rentroll"

// fileParts is the body of a request that sends a file, with further parts by their names.
func fileParts(file string, more ...string) string {
	body := boundary + "\r\nContent-Disposition: form-data; name=\"file\"; filename=\"roll.csv\"\r\n\r\n" + file + "\r\n"
	for i := 0; i < len(more); i += 2 {
		body += boundary + "\r\nContent-Disposition: form-data; name=\"" + more[i] + "\"\r\n\r\n" + more[i+1] + "\r\n"
	}
	return body + boundary + "--\r\n"
}

// oneBody is a file that can be imported as it is.
func oneBody() string {
	return fileParts(strings.Replace(oneUnit, "%", "1", 1), "answers", `{"`+placeless+`":"`+place+`"}`)
}

// addImports keeps three files in a portfolio: the first does not say where it is, the others can be imported.
func (r *fixture) addImports(ctx context.Context, in access.Portfolio, s seeded) error {
	by := access.Actor{Portfolio: in, Scopes: access.Scopes{access.Read, access.Write}, Zone: time.UTC}
	for n := 1; n <= 3; n++ {
		text := strings.Replace(oneUnit, "%", strconv.Itoa(n), 1)
		if n > 1 {
			text = strings.NewReplacer(
				"unit,",
				"address,unit,",
				strconv.Itoa(n)+",Ann",
				`"`+place+`",`+strconv.Itoa(n)+",Ann",
			).
				Replace(
					text,
				)
		}
		d, err := r.uploads.Draft(ctx, by, "", "roll.csv", upload.Text(text))
		if err != nil {
			return err
		}
		d.ID = s.id("imp", n)
		if err := r.uploads.Keep(ctx, by, d); err != nil {
			return err
		}
	}
	return nil
}

// fulfil does what was confirmed.
func (r *fixture) fulfil() {
	r.t.Helper()
	for _, o := range r.orders.all {
		must(r.t, r.uploads.Fulfil(r.t.Context(), o))
	}
	r.orders.all = nil
}

func TestRentRollIsImportedByKey(t *testing.T) {
	both(t, func(t *testing.T, r *fixture) {
		r.landlord("ada@example.com", unlimited())
		key := *r.key("ada@example.com", access.Test, "write").Plaintext
		sent := r.send(http.MethodPost, "/imports", key, fileParts(strings.Replace(oneUnit, "%", "7", 1)))
		made := sent.done(t)
		at := "/imports/" + made["id"].(string)
		if sent.status != http.StatusAccepted || made["status"] != "needs_mapping" || made["confirmable"] != false ||
			made["object"] != "import" || made["mode"] != "test" || made["file_name"] != "roll.csv" ||
			made["plan"] != nil || made["result"] != nil || made["expires_at"] == nil {
			t.Errorf("sent: %d %s", sent.status, sent.body)
		}
		problem := made["problems"].([]any)[0].(record)
		if problem["question"] != placeless || problem["free"] != true {
			t.Errorf("asked %s", jsonOf(problem))
		}
		r.send(http.MethodPost, at+"/confirm", key, "").expect(t, http.StatusConflict, "invalid_transition")
		said := r.send(http.MethodPatch, at, key,
			`{"answers":{"`+placeless+`":"`+place+`"},"mapping":{"Notes":null}}`).done(t)
		if said["status"] != "needs_review" || said["confirmable"] != true ||
			jsonOf(said["answers"]) != `{"`+placeless+`":"`+place+`","column:5":""}` ||
			jsonOf(said["notes"]) != "[]" || said["plan"].(record)["leases"] != number("1") {
			t.Errorf("answered: %s", jsonOf(said))
		}
		back := r.send(http.MethodPatch, at, key, `{"answers":{"`+placeless+`":null}}`).done(t)
		if back["status"] != "needs_mapping" || jsonOf(back["answers"]) != `{"column:5":""}` {
			t.Errorf("taken back: %s", jsonOf(back))
		}
		r.send(http.MethodPatch, at, key, `{"answers":{"`+placeless+`":"`+place+`"}}`).done(t)
		begun := r.send(http.MethodPost, at+"/confirm", key, "")
		if begun.status != http.StatusAccepted || begun.done(t)["status"] != "importing" {
			t.Errorf("confirmed: %d %s", begun.status, begun.body)
		}
		again := r.send(http.MethodPost, at+"/confirm", key, "")
		if again.status != http.StatusAccepted || again.done(t)["status"] != "importing" || len(r.orders.all) != 1 {
			t.Errorf("confirmed again: %d %s, %d orders", again.status, again.body, len(r.orders.all))
		}
		r.send(http.MethodPatch, at, key, `{"answers":{"line:2":"leave_out"}}`).
			expect(t, http.StatusConflict, "invalid_transition")
		r.send(http.MethodDelete, at, key, "").expect(t, http.StatusConflict, "invalid_transition")
		r.fulfil()
		done := r.get(at, key).done(t)
		if done["status"] != "done" || done["written"] != number("4") || done["records"] != number("4") ||
			jsonOf(done["result"]) != `{"balances":0,"changed":0,"joined":0,"leases":1,"properties":1,`+
				`"skipped_changes":0,"tenants":1,"units":1}` {
			t.Errorf("done: %s", jsonOf(done))
		}
		lease := r.get("/leases?limit=100", key).done(t)["data"].([]any)
		if last := lease[len(lease)-1].(record); last["start_date"] != "2026-02-01" {
			t.Errorf("the lease is %s", jsonOf(last))
		}
		r.send(http.MethodPost, at+"/confirm", key, "").done(t)
		if len(r.orders.all) != 0 {
			t.Error("it is imported twice")
		}
	})
}

// A script can tell before and after that a file brought nothing: of all that would be, or was, written there is none.
func TestFileThatBringsNothingSaysSo(t *testing.T) {
	both(t, func(t *testing.T, r *fixture) {
		r.landlord("ada@example.com", unlimited())
		key := *r.key("ada@example.com", access.Live, "read", "write").Plaintext
		nothing := func(totals any) bool {
			all := totals.(record)
			for _, n := range all {
				if n != number("0") {
					return false
				}
			}
			return len(all) == 8
		}
		var before, after string
		for n := range 2 {
			sent := r.send(http.MethodPost, "/imports", key, oneBody()).done(t)
			at := "/imports/" + sent["id"].(string)
			if nothing(sent["plan"]) != (n == 1) || sent["unchanged_lines"] != number(strconv.Itoa(n)) ||
				sent["confirmable"] != true || sent["changes_count"] != number("0") {
				t.Errorf("file %d would do %s", n, jsonOf(sent))
			}
			before = jsonOf(r.get("/leases", key).done(t))
			r.send(http.MethodPost, at+"/confirm", key, "").done(t)
			r.fulfil()
			done := r.get(at, key).done(t)
			if done["status"] != "done" || nothing(done["result"]) != (n == 1) ||
				n == 1 && (done["records"] != number("0") || done["written"] != number("0")) {
				t.Errorf("file %d did %s", n, jsonOf(done))
			}
			after = jsonOf(r.get("/leases", key).done(t))
		}
		if before != after {
			t.Errorf("leases\n%s\nwere\n%s", after, before)
		}
	})
}

func TestFileIsOfOnePortfolio(t *testing.T) {
	both(t, func(t *testing.T, r *fixture) {
		r.landlord("ada@example.com", unlimited())
		r.landlord("robin@example.com", unlimited())
		key := *r.key("ada@example.com", access.Test, "write").Plaintext
		live := *r.key("ada@example.com", access.Live, "write").Plaintext
		other := *r.key("robin@example.com", access.Test, "write").Plaintext
		reader := *r.key("ada@example.com", access.Test, "read").Plaintext
		at := "/imports/" + r.send(http.MethodPost, "/imports", key, oneBody()).done(t)["id"].(string)
		before := r.dump()
		for _, stranger := range []string{live, other} {
			r.get(at, stranger).expect(t, http.StatusNotFound, "not_found")
			r.send(http.MethodPatch, at, stranger, `{"answers":{}}`).expect(t, http.StatusNotFound, "not_found")
			r.send(http.MethodPost, at+"/confirm", stranger, "").expect(t, http.StatusNotFound, "not_found")
			r.send(http.MethodDelete, at, stranger, "").expect(t, http.StatusNotFound, "not_found")
		}
		r.send(http.MethodPost, "/imports", reader, oneBody()).expect(t, http.StatusForbidden, "scope_required")
		dbtest.Unchanged(t, "what strangers asked", before, r.dump())
		if got := r.get(at, reader).done(t); got["status"] != "needs_review" {
			t.Errorf("read as %s", jsonOf(got))
		}
		if a := r.send(http.MethodDelete, at, key, ""); a.status != http.StatusNoContent {
			t.Errorf("discarded: %d %s", a.status, a.body)
		}
		r.get(at, key).expect(t, http.StatusNotFound, "not_found")
	})
}

func TestRepeatedFileIsTheSameRequestWhateverItsBoundary(t *testing.T) {
	both(t, func(t *testing.T, r *fixture) {
		r.landlord("ada@example.com", unlimited())
		key := *r.key("ada@example.com", access.Test, "write").Plaintext
		first := r.send(http.MethodPost, "/imports", key, oneBody(), "Idempotency-Key", "k")
		first.done(t)
		before := r.dump()
		otherwise := strings.ReplaceAll(oneBody(), boundary, "--another")
		r.send(http.MethodPost, "/imports", key, otherwise, "Idempotency-Key", "k",
			"Content-Type", "multipart/form-data; boundary=another").alike(t, first)
		r.send(http.MethodPost, "/imports", key, strings.Replace(oneBody(), "900", "901", 1), "Idempotency-Key", "k").
			expect(t, http.StatusConflict, "idempotency_key_reused")
		r.send(http.MethodPost, "/imports", key, strings.Replace(oneBody(), "9 Pine", "8 Pine", 1),
			"Idempotency-Key", "k").expect(t, http.StatusConflict, "idempotency_key_reused")
		r.send(http.MethodPost, "/imports", key, strings.Replace(oneBody(), "roll.csv", "other.csv", 1),
			"Idempotency-Key", "k").expect(t, http.StatusConflict, "idempotency_key_reused")
		dbtest.Unchanged(t, "requests with a key that was used", before, r.dump())
	})
}

func TestBodyOfImportIsRefusedWithItsPart(t *testing.T) {
	alone(t, func(t *testing.T, r *fixture) {
		r.landlord("ada@example.com", unlimited())
		key := *r.key("ada@example.com", access.Test, "write").Plaintext
		file := strings.Replace(oneUnit, "%", "1", 1)
		before := r.dump()
		for _, c := range []struct {
			what, body, code, param string
			status                  int
		}{
			{"nothing", "", "missing_field", "file", 400},
			{"JSON", `{"file":"x"}`, "unsupported_media_type", "", 415},
			{"no file", strings.Replace(fileParts(file), `name="file"`, `name="roll"`, 1), "missing_field", "file", 400},
			{"a text for a file", strings.Replace(fileParts(file), `; filename="roll.csv"`, "", 1), "invalid_field", "file", 400},
			{"two files", strings.Replace(fileParts(file), boundary+"--", fileParts(file), 1), "invalid_field", "file", 400},
			{"no JSON", fileParts(file, "mapping", "Unit=unit_number"), "invalid_json", "mapping", 400},
			{"no object", fileParts(file, "answers", "[]"), "invalid_field", "answers", 400},
			{"another part", fileParts(file, "columns", "{}"), "unknown_field", "columns", 400},
			{"another column", fileParts(file, "mapping", `{"Unidad":"unit_number"}`), "invalid_field", "mapping.Unidad", 400},
			{"another field", fileParts(file, "mapping", `{"unit":"number"}`), "invalid_field", "mapping.unit", 400},
			{"another question", fileParts(file, "answers", `{"why":"x"}`), "invalid_field", "answers", 400},
			{"no end", strings.TrimSuffix(fileParts(file), "--\r\n"), "malformed_request", "", 400},
			{"a large file", fileParts(strings.Repeat("x", upload.MaxSize+1)), "body_too_large", "file", 413},
			{"a large body", fileParts(strings.Repeat("x", 2*upload.MaxSize)), "body_too_large", "file", 413},
			{"a large answer", fileParts(file, "answers", `{"line:2":"`+strings.Repeat("x", 300<<10)+`"}`), "body_too_large", "",
				413},
		} {
			f := r.send(http.MethodPost, "/imports", key, c.body).expect(t, c.status, c.code)
			if param := f.Error.Param; (param == nil) != (c.param == "") || param != nil && *param != c.param {
				t.Errorf("%s: at %s: %s", c.what, jsonOf(param), f.Error.Message)
			}
		}
		dbtest.Unchanged(t, "what was refused", before, r.dump())
	})
}

func TestImportAbovePlanIsRefusedUntilThePlanAllowsIt(t *testing.T) {
	alone(t, func(t *testing.T, r *fixture) {
		plan := unlimited()
		plan.Units = new(1)
		r.landlord("ada@example.com", plan)
		key := *r.key("ada@example.com", access.Live, "write").Plaintext
		made := r.send(http.MethodPost, "/imports", key,
			strings.Replace(oneBody(), "Has a dog\n", "Has a dog\n2,Bo Day,2026-02-01,900,\n", 1)).done(t)
		if made["status"] != "needs_review" || made["confirmable"] != false {
			t.Errorf("sent: %s", jsonOf(made))
		}
		r.send(http.MethodPost, "/imports/"+made["id"].(string)+"/confirm", key, "").
			expect(t, http.StatusForbidden, "unit_limit_reached")
	})
}

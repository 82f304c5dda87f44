package mcp_test

import (
	"encoding/json"
	"reflect"
	"strconv"
	"strings"
	"sync"
	"testing"

	"portal/api/access"
	"portal/db/dbtest"
)

// preview is what a dry run tells.
type preview struct {
	ID      string
	Version int
	Preview struct {
		DryRun      bool `json:"dry_run"`
		WouldChange bool `json:"would_change"`
		Changes     []struct {
			Field    string
			From, To any
		}
		Warnings []struct{ Code string }
		Summary  string
	}
}

func TestPreviewShowsChangesAndSavesNothing(t *testing.T) {
	both(t, func(t *testing.T, r *fixture) {
		key := r.key(access.Live, "payments")
		for _, tool := range every[reading:] {
			arguments, _, _ := r.attempt(key, tool)
			before := r.dump()
			o := r.call(key, tool, "{"+arguments+`,"dry_run":true}`)
			var p preview
			must(t, json.Unmarshal(o.Data, &p))
			if o.IsError || !p.Preview.DryRun || !p.Preview.WouldChange || len(p.Preview.Changes) == 0 ||
				!strings.HasPrefix(p.Preview.Summary, "Would c") || !strings.HasSuffix(p.Preview.Summary, ".") {
				t.Errorf("%s: %s", tool, o.Data)
			}
			dbtest.Unchanged(t, "a preview of "+tool, before, r.dump())
			for _, listed := range r.list(key) {
				if listed.Name == tool {
					if err := valid(schema(t, listed.OutputSchema), o.Data); err != nil {
						t.Errorf("%s: %v", tool, err)
					}
				}
			}
		}
	})
}

func TestWriteIsSavedAndMatchesSchema(t *testing.T) {
	both(t, func(t *testing.T, r *fixture) {
		key := r.key(access.Live, "payments")
		for _, listed := range r.list(key)[reading:] {
			arguments, _, _ := r.attempt(key, listed.Name)
			before := r.dump()
			o := r.call(key, listed.Name, "{"+arguments+"}")
			if err := valid(schema(t, listed.OutputSchema), o.Data); err != nil || o.IsError {
				t.Errorf("%s: %v %s", listed.Name, err, o.Data)
			}
			if reflect.DeepEqual(r.dump(), before) {
				t.Errorf("%s has changed nothing", listed.Name)
			}
			if strings.Contains(string(o.Data), `"preview"`) {
				t.Errorf("%s shows a preview of what it did", listed.Name)
			}
		}
	})
}

func TestPreviewRefusesWhateverWriteRefuses(t *testing.T) {
	alone(t, func(t *testing.T, r *fixture) {
		key := r.key(access.Live, "write")
		lease := ok[struct{ Data []struct{ ID string } }](
			r,
			key,
			"list_leases",
			`{"status":"active","limit":1}`,
		).Data[0].ID
		for arguments, code := range map[string]string{
			`"monthly_rent":1`:              "scope_required",
			`"status":"draft"`:              "invalid_transition",
			`"end_date":"1990-01-01"`:       "date_order",
			`"rent_due_day":3,"version":99`: "stale_write",
		} {
			for _, dry := range []string{`,"dry_run":true`, `,"dry_run":false`, ``} {
				if o := r.call(key, "update_lease", `{"lease_id":"`+lease+`",`+arguments+dry+`}`); o.Meta.Code != code {
					t.Errorf("%s%s: %+v", arguments, dry, o)
				}
			}
		}
	})
}

func TestStaleVersionIsRefused(t *testing.T) {
	alone(t, func(t *testing.T, r *fixture) {
		key := r.key(access.Live, "write")
		id := r.anyID(key, "list_properties")
		v := ok[preview](r, key, "get_property", `{"property_id":"`+id+`"}`).Version
		change := func(version int, name string) outcome {
			return r.call(
				key,
				"update_property",
				`{"property_id":"`+id+`","name":"`+name+`","version":`+strconv.Itoa(version)+`}`,
			)
		}
		if o := change(v, "One"); o.IsError {
			t.Error(o.Content[0].Text)
		}
		if o := change(v, "Two"); o.Meta.Code != "stale_write" ||
			!strings.Contains(o.Content[0].Text, strconv.Itoa(v+1)) {
			t.Errorf("%+v", o)
		}
	})
}

func TestFiftyCallsWithOneIdempotencyKeyOpenOneTicket(t *testing.T) {
	both(t, func(t *testing.T, r *fixture) {
		key := r.key(access.Live, "write")
		unit := r.unit(key)
		before := len(r.ids(key, "list_maintenance_tickets"))
		var mu sync.Mutex
		var all sync.WaitGroup
		answers, replays := map[string]int{}, 0
		for range 50 {
			all.Go(func() {
				o := r.call(
					key,
					"create_maintenance_ticket",
					`{"unit_id":"`+unit+`","description":"The tap drips.","idempotency_key":"k1"}`,
				)
				mu.Lock()
				defer mu.Unlock()
				answers[string(o.Data)]++
				if o.Meta.Replayed {
					replays++
				}
			})
		}
		all.Wait()
		if n := len(r.ids(key, "list_maintenance_tickets")) - before; n != 1 || len(answers) != 1 || replays != 49 {
			t.Errorf("%d tickets, %d answers, %d replays", n, len(answers), replays)
		}
		if o := r.call(
			key,
			"create_maintenance_ticket",
			`{"unit_id":"`+unit+`","description":"Another.","idempotency_key":"k1"}`,
		); o.Meta.Code != "idempotency_key_reused" ||
			*o.Meta.Param != "idempotency_key" {
			t.Errorf("%+v", o)
		}
		if o := r.call(
			key,
			"create_maintenance_ticket",
			`{"dry_run":false,"description":"The tap drips.","unit_id":"`+unit+`","idempotency_key":"k1"}`,
		); !o.Meta.Replayed {
			t.Errorf("told that it is no preview, which it was not before: %+v", o)
		}
		if o := r.call(
			key,
			"create_maintenance_ticket",
			`{"unit_id":"`+unit+`","description":"Another.","idempotency_key":"k1","dry_run":true}`,
		); o.IsError {
			t.Errorf("a preview looks at the key: %+v", o)
		}
	})
}

func TestAssistantTicketHasSourceAndNoEvent(t *testing.T) {
	alone(t, func(t *testing.T, r *fixture) {
		key := r.key(access.Live, "write")
		arguments, _, _ := r.attempt(key, "create_maintenance_ticket")
		got := ok[struct{ Source string }](r, key, "create_maintenance_ticket", "{"+arguments+"}")
		if got.Source != "assistant" {
			t.Errorf("source %q", got.Source)
		}
		if n := len(r.dump()["events"]); n != 0 {
			t.Errorf("%d events", n)
		}
	})
}

func TestBatchRunsItsMessagesInSequence(t *testing.T) {
	alone(t, func(t *testing.T, r *fixture) {
		key := r.key(access.Live, "write")
		id := r.anyID(key, "list_properties")
		message := func(n int, name string) string {
			return `{"jsonrpc":"2.0","id":` + strconv.Itoa(n) +
				`,"method":"tools/call","params":{"name":"update_property","arguments":{"property_id":"` +
				id + `","name":"` + name + `"}}}`
		}
		a := r.post(key, "["+message(1, "One")+","+message(2, "")+","+message(3, "Three")+"]")
		var all []struct{ Result outcome }
		must(t, json.Unmarshal([]byte(a.body), &all))
		if len(all) != 3 || all[0].Result.IsError || !all[1].Result.IsError || all[2].Result.IsError {
			t.Fatal(a.body)
		}
		if got := ok[struct{ Name string }](r, key, "get_property", `{"property_id":"`+id+`"}`); got.Name != "Three" {
			t.Errorf("the last message did not win: %q", got.Name)
		}
	})
}

func TestWriteFailsWhenItCannotBeRecorded(t *testing.T) {
	alone(t, func(t *testing.T, r *fixture) {
		key := r.key(access.Live, "write")
		id := r.anyID(key, "list_properties")
		r.calls(key, 1)
		_, err := r.db.SQLite().ExecContext(t.Context(), "ALTER TABLE tool_calls RENAME TO gone")
		must(t, err)
		before := r.dump()
		for _, call := range []string{
			toolCall("update_property", `{"property_id":"`+id+`","name":"Seen"}`),
			toolCall(
				"create_maintenance_ticket",
				`{"property_id":"`+id+`","description":"It drips.","idempotency_key":"k"}`,
			),
		} {
			a := r.post(key, call)
			if !strings.Contains(a.body, `"code":"internal"`) || strings.Contains(a.body, "tool_calls") {
				t.Errorf("%d %s", a.status, a.body)
			}
		}
		dbtest.Unchanged(t, "what could not be recorded", before, r.dump())
	})
}

func TestConcurrentPreviewsSaveNothing(t *testing.T) {
	both(t, func(t *testing.T, r *fixture) {
		key := r.key(access.Live, "payments")
		tries := map[string]string{}
		for _, tool := range every[reading:] {
			arguments, _, _ := r.attempt(key, tool)
			tries[tool] = "{" + arguments + `,"dry_run":true}`
		}
		before := r.dump()
		var all sync.WaitGroup
		for tool, arguments := range tries {
			for range 10 {
				all.Go(func() {
					if o := r.call(key, tool, arguments); o.IsError {
						t.Errorf("%s: %s", tool, o.Content[0].Text)
					}
				})
			}
		}
		all.Wait()
		dbtest.Unchanged(t, "previews at the same time", before, r.dump())
	})
}

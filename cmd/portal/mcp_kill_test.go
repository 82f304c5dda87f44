package main

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"strconv"
	"strings"
	"testing"
)

// toolCall is a call of a tool that changes something once, however often it is repeated.
type toolCall struct {
	tool   string
	args   func(mark string) string // in which the mark stands, as in what the call leaves
	effect string                   // counts what a mark has left
}

// toolCalls are a creation and an update of the live portfolio.
func toolCalls(t *testing.T, h home) []toolCall {
	t.Helper()
	property := h.value(
		t,
		"SELECT min(r.id) FROM properties r JOIN portfolios p ON p.id = r.portfolio_id WHERE p.mode = 'live'",
	)
	return []toolCall{
		{"create_maintenance_ticket", func(mark string) string {
			return `{"property_id":"` + property + `","description":"` + mark + `","idempotency_key":"` + mark + `"}`
		}, "SELECT count(*) FROM tickets r WHERE description = $1"},
		{"update_property", func(mark string) string {
			return `{"property_id":"` + property + `","street_address":"` + mark + `"}`
		}, "SELECT count(*) FROM properties r WHERE street_address = $1"},
	}
}

// TestKillKeepsAssistantActionAndItsLogAtomic kills the process at each step of
// a call (crash.At), and repeats the call: it is done once, and recorded once.
func TestKillKeepsAssistantActionAndItsLogAtomic(t *testing.T) {
	onEachDemo(t, func(t *testing.T, o *preparedDemo) {
		all := toolCalls(t, o.home)
		all = sample(t, all, o.sampled(len(all), len(all), 1))
		for _, d := range all {
			t.Run(d.tool, func(t *testing.T) {
				t.Parallel()
				d.killed(t, o.copy(t))
			})
		}
	})
}

// String is the tool, in a message.
func (d toolCall) String() string { return d.tool }

func (d toolCall) killed(t *testing.T, h home) {
	mark := func(n int) string { return fmt.Sprintf("after the kill at step %d", n) }
	done := 0 // kills that came after the effect
	for n := 1; ; n++ {
		s := h.with("PORTAL_CRASH_KEY="+mark(n), "PORTAL_CRASH_STEP="+strconv.Itoa(n)).serve(t)
		if n > 1 {
			done += d.result(t, s, mark(n-1))
		}
		if _, err := s.told(t, d, mark(n)); err == nil {
			s.kill()
			done += d.committed(t, h, mark(-1))
			t.Logf("%d kills, %d of them after the effect", n, done)
			if done == 0 || done == n {
				t.Error("not both sides of the COMMIT were met")
			}
			return
		}
		s.killedItself(t)
	}
}

// committed has a process die just after its COMMIT, however many steps come before it, and is the result of that.
func (d toolCall) committed(t *testing.T, h home, mark string) (before int) {
	t.Helper()
	s := h.with("PORTAL_CRASH_KEY="+mark, "PORTAL_CRASH_STEP=-1").serve(t)
	if _, err := s.told(t, d, mark); err == nil {
		t.Error("it has outlived its COMMIT")
	}
	s.killedItself(t)
	return d.result(t, h.serve(t), mark)
}

// result repeats a call that a process has died of, twice, and reports whether its effect
// was there already.
func (d toolCall) result(t *testing.T, s *service, mark string) (before int) {
	t.Helper()
	effects := func() string { return s.value(t, d.effect, mark) }
	lines := func() string {
		return s.value(
			t,
			"SELECT count(*) FROM tool_calls WHERE change IS NOT NULL AND NOT dry_run AND record_id IS NOT NULL "+
				"AND arguments LIKE $1",
			"%"+mark+"%",
		)
	}
	found := effects()
	if l := lines(); l != found || found != "0" && found != "1" {
		t.Errorf("%q: the kill left %s of it and %s lines", mark, found, l)
	}
	for range 2 {
		if answer, err := s.told(t, d, mark); err != nil || !strings.Contains(answer, `"isError":false`) {
			t.Errorf("%q again: %s, %v", mark, answer, err)
		}
	}
	if e, l := effects(), lines(); e != "1" || l != "1" {
		t.Errorf("%q: in the end there is %s of it and %s lines", mark, e, l)
	}
	before, _ = strconv.Atoi(found)
	return before
}

// told calls a tool, or tells that the process has ended meanwhile.
func (s *service) told(t *testing.T, d toolCall, mark string) (string, error) {
	t.Helper()
	body, err := json.Marshal(map[string]any{
		"jsonrpc": "2.0",
		"id":      1,
		"method":  "tools/call",
		"params":  map[string]any{"name": d.tool, "arguments": json.RawMessage(d.args(mark))},
	})
	if err != nil {
		t.Fatal(err)
	}
	r, err := http.NewRequestWithContext(
		context.Background(),
		http.MethodPost,
		s.vars["PORTAL_URL"]+"/mcp",
		strings.NewReader(string(body)),
	)
	if err != nil {
		t.Fatal(err)
	}
	r.Header = http.Header{
		"Authorization": {"Bearer " + s.vars["PORTAL_LIVE_KEY"]},
		"Content-Type":  {"application/json"},
	}
	response, err := fresh.Do(r)
	if err != nil {
		return "", err
	}
	defer response.Body.Close()
	answer, err := io.ReadAll(response.Body)
	return string(answer), err
}

package developer_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"portal/api/access"
	"portal/api/clock"
	"portal/api/developer"
	"portal/api/fault"
	"portal/api/id"
	"portal/api/redact"
	"portal/api/strictjson"
	"portal/db/developerstore"
)

const plantedSecret = "sk_live_pm_4fKq2Z8WbNvXc1LrTg7YhUjMk3PdSaEoQiRw5nBzCx6VtGf9Hy"

// failingActivityLog is a log of activity that can fail. It notes the order of what it is told.
type failingActivityLog struct {
	mu      sync.Mutex
	said    []string
	calls   []developer.ToolCall
	clients []developer.Client
	fails   error
}

func (c *failingActivityLog) Atomically(ctx context.Context, do func(context.Context) error) error {
	c.mu.Lock()
	said, calls, clients := c.said, c.calls, c.clients
	c.mu.Unlock()
	err := do(ctx)
	if err != nil {
		c.mu.Lock()
		defer c.mu.Unlock()
		c.said, c.calls, c.clients = said, calls, clients
	}
	return err
}

func (c *failingActivityLog) AddToolCalls(_ context.Context, batch []developer.ToolCall) error {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.said, c.calls = append(c.said, fmt.Sprint(len(batch), " calls")), append(c.calls, batch...)
	return c.fails
}

func (c *failingActivityLog) SeeClients(_ context.Context, sights []developer.Client) error {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.said, c.clients = append(c.said, fmt.Sprint(len(sights), " clients")), append(c.clients, sights...)
	return nil
}

func (c *failingActivityLog) failing(err error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.fails = err
}

// told takes what the log was told so far.
func (c *failingActivityLog) told() (said string, calls []developer.ToolCall, clients []developer.Client) {
	c.mu.Lock()
	defer c.mu.Unlock()
	said, calls, clients = strings.Join(c.said, ", "), c.calls, c.clients
	c.said, c.calls, c.clients = nil, nil, nil
	return said, calls, clients
}

// activity runs a record of activity in a bubble until the test ends.
func activity(
	t *testing.T,
	test func(t *testing.T, a *developer.Activity, c *failingActivityLog, log *bytes.Buffer, stop func()),
) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		c, log := &failingActivityLog{}, &bytes.Buffer{}
		a := developer.NewActivity(c, slog.New(slog.NewTextHandler(log, nil)))
		ctx, cancel := context.WithCancel(context.Background())
		done := make(chan struct{})
		go func() {
			defer close(done)
			a.Run(ctx)
		}()
		test(t, a, c, log, func() {
			cancel()
			<-done
		})
	})
}

// flushed is after the recorder's next turn.
func flushed() {
	<-time.After(250 * time.Millisecond)
	synctest.Wait()
}

func called(n int) developer.ToolCall {
	return developer.ToolCall{
		ID:        fmt.Sprint("call_", n),
		At:        clock.Time(n),
		KeyID:     "key_1",
		UserAgent: "node",
		Tool:      "list_leases",
		Arguments: "{}",
		Outcome:   developer.Succeeded,
	}
}

func TestClientsAreWrittenBeforeTheirCalls(t *testing.T) {
	activity(t, func(t *testing.T, a *developer.Activity, c *failingActivityLog, log *bytes.Buffer, stop func()) {
		defer stop()
		a.Record(called(1))
		a.See(developer.Client{
			KeyID:      "key_1",
			UserAgent:  "node",
			Name:       "Claude",
			Version:    "1",
			Protocol:   "2024-11-05",
			LastSeenAt: 2,
		})
		a.Record(called(3))
		other := called(4)
		other.KeyID, other.Client = "key_2", "Cursor"
		a.Record(other)
		flushed()
		said, calls, clients := c.told()
		want := []developer.Client{
			{
				KeyID:       "key_1",
				UserAgent:   "node",
				Name:        "Claude",
				Version:     "1",
				Protocol:    "2024-11-05",
				FirstSeenAt: 1,
				LastSeenAt:  3,
			},
			{
				KeyID:       "key_2",
				UserAgent:   "node",
				Name:        "Cursor",
				FirstSeenAt: 4,
				LastSeenAt:  4,
			},
		}
		if said != "2 clients, 3 calls" || !slices.Equal(clients, want) || !slices.Equal(calls, []developer.ToolCall{
			called(1),
			called(3),
			other,
		}) || log.Len() > 0 {
			t.Errorf("%s\n%+v\n%+v\n%s", said, clients, calls, log)
		}
		flushed()
		if said, _, _ := c.told(); said != "" {
			t.Errorf("told again: %s", said)
		}
	})
}

func TestMutatingCallIsWrittenImmediately(t *testing.T) {
	activity(t, func(t *testing.T, a *developer.Activity, c *failingActivityLog, _ *bytes.Buffer, stop func()) {
		defer stop()
		if err := a.Keep(t.Context(), called(1)); err != nil {
			t.Error(err)
		}
		if said, calls, _ := c.told(); said != "1 calls" || !slices.Equal(calls, []developer.ToolCall{called(1)}) {
			t.Errorf("%s, %+v", said, calls)
		}
		c.failing(errors.New("no disk"))
		if err := a.Keep(t.Context(), called(2)); err == nil {
			t.Error("a change without its line")
		}
		c.failing(nil)
		c.told()
		flushed()
		if said, _, clients := c.told(); said != "1 clients, 0 calls" || clients[0].LastSeenAt != 2 {
			t.Errorf("%s, %+v", said, clients)
		}
	})
}

func TestUnwrittenActivityIsRetried(t *testing.T) {
	activity(t, func(t *testing.T, a *developer.Activity, c *failingActivityLog, log *bytes.Buffer, stop func()) {
		c.failing(errors.New("no disk"))
		for i := range 5 {
			a.Record(called(i))
			flushed()
		}
		if _, calls, clients := c.told(); len(calls)+len(clients) > 0 || !strings.Contains(log.String(), "no disk") {
			t.Errorf("%+v, %+v, %s", calls, clients, log)
		}
		c.failing(nil)
		stop()
		if said, calls, _ := c.told(); said != "1 clients, 5 calls" || calls[4] != called(4) || a.Dropped() != 0 {
			t.Errorf("%s, dropped %d", said, a.Dropped())
		}
	})
}

// What waits is bounded by its bytes: a call may hold a few hundred of them or many
// thousands.
func TestActivityBufferIsBounded(t *testing.T) {
	activity(t, func(t *testing.T, a *developer.Activity, c *failingActivityLog, _ *bytes.Buffer, stop func()) {
		c.failing(errors.New("no disk"))
		large := called(1)
		large.Arguments = developer.JSON(`"` + strings.Repeat("x", 8000) + `"`)
		const calls = 6000
		for range calls {
			a.Record(large)
		}
		dropped := a.Dropped()
		if dropped == 0 || (calls-dropped)*8000 > 32<<20 {
			t.Errorf("dropped %d", dropped)
		}
		flushed() // given back by a log that fails
		a.Record(called(2))
		if a.Dropped() > dropped+1 {
			t.Errorf("dropped %d of those that waited", a.Dropped()-dropped)
		}
		c.failing(nil)
		stop()
		if _, kept, _ := c.told(); int64(len(kept))+a.Dropped() != calls+1 {
			t.Errorf("%d written, %d dropped", len(kept), a.Dropped())
		}
	})
}

func TestClientInputIsSanitizedAndTruncated(t *testing.T) {
	activity(t, func(t *testing.T, a *developer.Activity, c *failingActivityLog, _ *bytes.Buffer, stop func()) {
		long := strings.Repeat("ö ", 6000)
		v, err := strictjson.Parse([]byte(`{"a":"` + plantedSecret + `"}`))
		must(t, err)
		wild := developer.ToolCall{
			ID:            "call_1",
			Client:        "Cl\x1baude\u202e " + long,
			ClientVersion: "1\n" + long,
			Protocol:      plantedSecret + long,
			UserAgent:     "curl " + plantedSecret + long,
			Tool:          long + "\x00",
			Arguments:     developer.Arguments(&v),
			Message:       `No tool is called "` + plantedSecret + `". ` + long,
			Change:        developer.JSON(`[` + long),
		}
		a.Record(wild)
		must(t, a.Keep(t.Context(), wild))
		a.See(developer.Client{
			KeyID:     "k",
			UserAgent: wild.UserAgent,
			Name:      wild.Client,
			Version:   wild.ClientVersion,
			Protocol:  wild.Protocol,
		})
		stop()
		_, calls, clients := c.told()
		if len(calls) != 2 || calls[0] != calls[1] {
			t.Fatalf("%+v", calls)
		}
		got := calls[0]
		for name, f := range map[string]struct {
			got, begins string
			most        int
		}{
			"client":    {got.Client, "Claude ö", 100},
			"version":   {got.ClientVersion, "1 ö", 50},
			"protocol":  {got.Protocol, "sk_live_pm_4fKq2Z…ö", 20},
			"agent":     {got.UserAgent, "curl sk_live_pm_4fKq2Z…ö", 300},
			"tool":      {got.Tool, "ö ö", 100},
			"message":   {got.Message, `No tool is called "sk_live_pm_4fKq2Z…". ö`, 500},
			"arguments": {string(got.Arguments), `{"a":"sk_live_pm_4fKq2Z…"}`, 40},
			"change":    {string(got.Change), `"[ö ö`, 16 << 10},
			"seen":      {clients[0].Name, "Claude ö", 100},
		} {
			if !strings.HasPrefix(f.got, f.begins) || len([]rune(f.got)) > f.most ||
				strings.Contains(f.got, plantedSecret) {
				t.Errorf("%s is %q", name, f.got)
			}
		}
		if len(clients) != 2 || clients[0].UserAgent != got.UserAgent ||
			clients[1].UserAgent != got.UserAgent || clients[1].Name != got.Client ||
			clients[1].Protocol != got.Protocol {
			t.Errorf("%+v", clients)
		}
	})
}

func TestChangesAreStoredRedacted(t *testing.T) {
	t.Parallel()
	for in, want := range map[string]developer.JSON{
		"":   "",
		"[]": "",
		`[{"field":"city","from":"Austin","to":null}]`: `[{"field":"city","from":"Austin","to":null}]`,
		`[{"field":"notes","from":null,"to":"` + plantedSecret +
			`"}]`: `[{"field":"notes","from":null,"to":"sk_live_pm_4fKq2Z…"}]`,
	} {
		if got := developer.Changes([]byte(in)); got != want {
			t.Errorf("%s: %s", in, got)
		}
	}
	if got := developer.Arguments(nil); got != "{}" {
		t.Error(got)
	}
	for in, want := range map[developer.JSON]string{
		"": "[]",
		`[{"field":"city","from":1,"to":[]},{"field":"state"},"…"]`: "[city state]",
		`"…"`:                     "[]",
		`[{"…":"…"},{"field":1}]`: "[]",
	} {
		if got := fmt.Sprint((&developer.ToolCall{Change: in}).Fields()); got != want {
			t.Errorf("%s changes %s", in, got)
		}
	}
	if b, err := developer.JSON("").MarshalJSON(); string(b) != "null" || err != nil {
		t.Errorf("%s, %v", b, err)
	}
}

func TestActivityShowsKnownClientDetails(t *testing.T) {
	alone(t, func(t *testing.T, r *fixture) {
		r.approved("ada@example.com")
		k := r.key("ada@example.com", access.Live, "write")
		in, _, err := r.Portfolio(t.Context(), "ada@example.com", access.Live)
		must(t, err)
		by := access.Actor{Portfolio: in}
		a := developer.NewActivity(developerstore.New(r.db), slog.New(slog.DiscardHandler))
		var want []string
		for i, agent := range []string{
			"claude-code/1.0.33 (external, cli)", "curl", "Mozilla/5.0; x", "", " / ", "node",
		} {
			at := r.now().Add(time.Duration(i) * time.Second)
			c := developer.ToolCall{
				ID:          id.New(id.Call, at),
				At:          clock.At(at),
				PortfolioID: in.ID,
				AccountID:   "acct",
				KeyID:       k.ID,
				UserAgent:   agent,
				Tool:        "t",
				Arguments:   "{}",
				Outcome:     developer.Succeeded,
			}
			want = append(want, c.ID)
			a.Record(c)
		}
		a.See(developer.Client{
			PortfolioID: in.ID,
			KeyID:       k.ID,
			UserAgent:   "node",
			Name:        "Claude",
			Version:     "2",
			LastSeenAt:  clock.At(r.now().Add(time.Hour)),
		})
		ended, cancel := context.WithCancel(t.Context())
		cancel()
		a.Run(ended)

		page, err := r.ToolCalls(t.Context(), by, developer.CallFilter{})
		must(t, err)
		var got []string
		for _, c := range page.Data {
			got = append(got, c.Client+"|"+c.ClientVersion)
		}
		if fmt.Sprint(got) != "[Claude|2 | | Mozilla|5.0 curl| claude-code|1.0.33]" || page.HasMore {
			t.Errorf("%q", got)
		}
		first, err := r.ToolCalls(t.Context(), by, developer.CallFilter{Limit: 4})
		must(t, err)
		if !first.HasMore || *first.NextCursor != want[2] || len(first.Data) != 4 {
			t.Errorf("%+v", first)
		}
		for limit, n := range map[int]int{-1: 1, 3: 3, 1000: 6} {
			if p, err := r.ToolCalls(t.Context(), by, developer.CallFilter{
				Limit: limit,
			}); err != nil || len(p.Data) != n {
				t.Errorf("%d with limit %d: %v", len(p.Data), limit, err)
			}
		}
		one, err := r.ToolCall(t.Context(), by, want[0])
		must(t, err)
		if one.Client != "claude-code" || one.ClientVersion != "1.0.33" {
			t.Errorf("%+v", one)
		}
		_, err = r.ToolCall(t.Context(), access.Actor{}, want[0])
		refused(t, "another portfolio's", err, fault.NoRecord, "")
		all, err := r.Clients(t.Context(), by, k.ID)
		must(t, err)
		if len(all) != 6 || all[0].Name != "Claude" || all[5].Name != "claude-code" || all[5].Version != "1.0.33" {
			t.Errorf("%+v", all)
		}
	})
}

func TestLineRedactionIsIdempotent(t *testing.T) {
	t.Parallel()
	got := redact.Line(redact.Line("curl "+plantedSecret, 300), 300)
	if got != redact.Line("curl "+plantedSecret, 300) {
		t.Errorf("told again it is %s", got)
	}
}

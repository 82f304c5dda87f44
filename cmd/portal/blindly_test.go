package main

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"
)

// How often the process is killed, and how many clients write meanwhile.
const (
	kills   = 30
	writers = 8
)

// retryFixture is what the clients write to.
type retryFixture struct {
	*service
	unit, liveUnit string
	mails          int // before: where the demo was slow to stop, it has emailed tenants about rent
	answered       atomic.Int64
	over           atomic.Bool
}

// TestBlindRetriesThroughKillsApplyOncePerIdempotencyKey kills the process at any moment,
// while clients write and know nothing but to send the same again until an answer comes.
func TestBlindRetriesThroughKillsApplyOncePerIdempotencyKey(t *testing.T) {
	onEachDemo(t, func(t *testing.T, o *preparedDemo) {
		began := time.Now()
		h := o.copy(t)
		x := &retryFixture{}
		x.mails, _ = strconv.Atoi(h.value(t, "SELECT count(*) FROM mails"))
		x.service = h.serve(t)
		const unit = "SELECT min(u.id) FROM units u JOIN portfolios p ON p.id = u.portfolio_id WHERE p.mode = $1"
		x.unit, x.liveUnit = h.value(t, unit, "test"), h.value(t, unit, "live")
		all := make([]*writer, writers)
		var clients sync.WaitGroup
		for i := range all {
			all[i] = &writer{
				retryFixture: x,
				t:            t,
				name:         fmt.Sprint("writer ", i),
				random:       rand.New(rand.NewPCG(1, uint64(i))),
			}
			clients.Go(all[i].work)
		}
		last := x.kills(t, h, o.sampled(kills, 5, 3))
		x.over.Store(true)
		clients.Wait()
		for _, w := range all {
			w.ask(last)
		}
		x.count(t, h, all)
		t.Logf("%d keys in %s", x.answered.Load(), time.Since(began))
	})
}

// kills kills the process n times and starts it again, and is the last one.
func (x *retryFixture) kills(t *testing.T, h home, n int) *service {
	t.Helper()
	random, s := rand.New(rand.NewPCG(1, 2)), x.service
	for range n {
		enough := x.answered.Load() + random.Int64N(30)
		eventually(t, "the clients are answered", func() bool { return t.Failed() || x.answered.Load() > enough })
		<-time.After(time.Duration(random.IntN(int(20 * time.Millisecond)))) // any moment
		s.kill()
		s = h.serve(t)
	}
	return s
}

// acknowledged is a mutation that was answered.
type acknowledged struct {
	m   *mutation
	key string
	was *answer
}

// writer is a client.
type writer struct {
	*retryFixture
	t        *testing.T
	name     string
	random   *rand.Rand
	property string // its own
	written  []acknowledged
}

func (w *writer) work() {
	for n := 0; !w.over.Load() && !w.t.Failed(); n++ {
		key := fmt.Sprintf("%s, key %d", w.name, n)
		m := w.mutation(n, key)
		a := w.insist(w.service, m, key)
		if a == nil {
			return
		}
		w.written = append(w.written, acknowledged{m, key, a})
		w.answered.Add(1)
		if m.operation == "create_property" {
			w.property = a.id()
		}
		if again := &w.written[w.random.IntN(len(w.written))]; n%3 == 0 {
			w.compare(w.service, again)
		}
	}
}

// mutation is the n-th one of a writer; what it makes can be told by its key.
func (w *writer) mutation(n int, key string) *mutation {
	switch n % 4 {
	case 0:
		return &mutation{
			operation: "create_property",
			method:    "POST",
			path:      "/properties",
			status:    201,
			body:      fmt.Sprintf(`{"name":%q,"street_address":"7 Quay Street","city":"Austin","state":"TX"}`, key),
		}
	case 1:
		return &mutation{
			operation: "update_property",
			method:    "PATCH",
			path:      "/properties/" + w.property,
			status:    200,
			body:      `{"year_built":1974}`,
		}
	case 2:
		return &mutation{
			operation: "create_maintenance_ticket",
			method:    "POST",
			path:      "/maintenance/tickets",
			status:    201,
			body: fmt.Sprintf(`{"unit_id":%q,"title":%q,"description":"The kitchen tap drips all night."}`,
				w.unit, key),
		}
	}
	return &mutation{
		operation: "invite_tenant",
		live:      true,
		method:    "POST",
		path:      "/tenants/invite",
		status:    201,
		body: fmt.Sprintf(`{"unit_id":%q,"email":%q}`, w.liveUnit,
			strings.NewReplacer(" ", ".", ",", "").Replace(key)+"@example.com"),
	}
}

// insist sends the same again until an answer comes.
func (w *writer) insist(s *service, m *mutation, key string) *answer {
	deadline := time.Now().Add(patience)
	for time.Now().Before(deadline) {
		a, err := s.send(w.t.Context(), m, key)
		if err != nil {
			<-time.After(5 * time.Millisecond) // between two tries
			continue
		}
		if a.status != m.status {
			w.t.Errorf("%s: %d %s", key, a.status, a.body)
			return nil
		}
		return a
	}
	w.t.Errorf("%s: no answer", key)
	return nil
}

// compare asks for what was answered before.
func (w *writer) compare(s *service, before *acknowledged) {
	a := w.insist(s, before.m, before.key)
	if a != nil && (!a.replayed || a.body != before.was.body || a.etag != before.was.etag) {
		w.t.Errorf("%s: answered\n%s, and then, replayed: %v\n%s", before.key, before.was.body, a.replayed, a.body)
	}
}

// ask asks for everything again.
func (w *writer) ask(s *service) {
	for i := range w.written {
		w.compare(s, &w.written[i])
	}
}

// count counts the effects of each kind: as many as keys, and as many different ones.
func (x *retryFixture) count(t *testing.T, h home, all []*writer) {
	t.Helper()
	keys, records, total := map[string]int{}, map[string]bool{}, 0
	for _, w := range all {
		for _, a := range w.written {
			keys[a.m.operation]++
			records[revision(a.was)] = true
			total++
		}
	}
	if len(records) != total {
		t.Errorf("%d keys were answered with %d different revisions of records", total, len(records))
	}
	for _, c := range []struct {
		what, from string
		want       int
	}{
		{"count(*)", "idempotency_keys WHERE status > 0", total},
		{"count(*)", "idempotency_keys WHERE status = 0", 0},
		{"count(*)", "properties WHERE name LIKE 'writer %'", keys["create_property"]},
		{"count(DISTINCT name)", "properties WHERE name LIKE 'writer %'", keys["create_property"]},
		{
			"count(*)",
			"units WHERE property_id IN (SELECT id FROM properties WHERE name LIKE 'writer %')",
			keys["create_property"],
		},
		{"COALESCE(sum(version - 1), 0)", "properties WHERE name LIKE 'writer %'", keys["update_property"]},
		{"count(*)", "tickets WHERE title LIKE 'writer %'", keys["create_maintenance_ticket"]},
		{"count(DISTINCT title)", "tickets WHERE title LIKE 'writer %'", keys["create_maintenance_ticket"]},
		{
			"count(*) - count(DISTINCT number)",
			"tickets t JOIN portfolios p ON p.id = t.portfolio_id WHERE p.mode = 'test'", 0,
		},
		{"count(*)", "invitations WHERE email LIKE 'writer.%'", keys["invite_tenant"]},
		{"count(DISTINCT email)", "invitations WHERE email LIKE 'writer.%'", keys["invite_tenant"]},
		{"count(*)", "mails", x.mails + keys["invite_tenant"]},
		{"count(DISTINCT about)", "mails WHERE recipient LIKE 'writer.%'", keys["invite_tenant"]},
		{"count(*)", "river_job WHERE kind = 'mail'", keys["invite_tenant"]},
		{"count(DISTINCT args)", "river_job WHERE kind = 'mail'", keys["invite_tenant"]},
	} {
		if got := h.value(t, "SELECT "+c.what+" FROM "+c.from); got != strconv.Itoa(c.want) {
			t.Errorf("%s of %s: %s, want %d", c.what, c.from, got, c.want)
		}
	}
}

// revision is what no two keys may be answered with: a record and its version.
func revision(a *answer) string {
	var record struct {
		ID      string
		Version int
	}
	_ = json.Unmarshal([]byte(a.body), &record) // two that cannot be read are alike
	return fmt.Sprint(record.ID, " ", record.Version)
}

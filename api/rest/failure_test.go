package rest_test

import (
	"context"
	"encoding/json"
	"net"
	"net/http"
	"strings"
	"sync"
	"testing"
	"time"

	"portal/api/access"
	"portal/api/developer"
	"portal/api/portfolio"
	"portal/api/portfolio/records"
	"portal/api/rest"
)

// panicking is a store in which one list is broken.
type panicking struct{ records.Store }

func (panicking) Tenants(context.Context, access.Portfolio, portfolio.TenantFilter) ([]portfolio.Tenant, error) {
	panic("the store at 10.1.2.3 is empty")
}

// complaint is a line of the server's log.
type complaint struct {
	Level     string `json:"level"`
	Msg       string `json:"msg"`
	RequestID string `json:"request_id"`
	Method    string `json:"method"`
	Path      string `json:"path"`
	Error     string `json:"error"`
}

func (r *fixture) complaints() (all []complaint) {
	r.t.Helper()
	for text := range strings.SplitSeq(strings.TrimSpace(r.log.String()), "\n") {
		if text != "" {
			var c complaint
			must(r.t, json.Unmarshal([]byte(text), &c))
			all = append(all, c)
		}
	}
	return all
}

func TestPanicReturnsErrorEnvelopeAndDetailsOnlyInLog(t *testing.T) {
	t.Parallel()
	r := newFixture(t, setting{tenants: func(s records.Store) records.Store { return panicking{s} }})
	key := r.someone()
	a := r.get("/tenants?status=past", key)
	f := a.expect(t, http.StatusInternalServerError, "internal")
	for _, inside := range []string{"is empty", "panic", "goroutine", ".go:", "10.1.2.3"} {
		if strings.Contains(string(a.body), inside) {
			t.Errorf("the answer tells %q: %s", inside, a.body)
		}
	}
	said := r.complaints()
	if len(said) != 1 || said[0].Level != "ERROR" || said[0].RequestID != f.Error.RequestID ||
		said[0].Path != rest.Base+"/tenants" || said[0].Method != "GET" ||
		!strings.Contains(
			said[0].Error,
			"the store at 10.1.2.3 is empty",
		) || !strings.Contains(said[0].Error, "failure_test.go:") {
		t.Errorf("the log says %+v", said)
	}
	r.clock.add(time.Millisecond)
	r.get("/properties", key).ok(t, &page{})
	got := r.logged(t, 2)[0]
	if got.id != f.Error.RequestID || got.status != "500" || got.code != "internal" || got.operation != "list_tenants" {
		t.Errorf("the request log has %+v", got)
	}
}

func TestConcurrentPanicsDoNotAffectOtherRequests(t *testing.T) {
	t.Parallel()
	r := newFixture(t, setting{tenants: func(s records.Store) records.Store { return panicking{s} }})
	key := r.someone()
	var all sync.WaitGroup
	for range 8 {
		all.Go(func() {
			for range 15 {
				r.get("/tenants", key).expect(t, http.StatusInternalServerError, "internal")
				r.get("/properties", key).ok(t, &page{})
			}
		})
	}
	all.Wait()
}

func TestDatabaseFailureReturnsErrorEnvelope(t *testing.T) {
	both(t, func(t *testing.T, r *fixture) {
		key, s := r.someone(), seeded{1, access.Test}
		for _, table := range []string{
			"properties", "units", "tenants", "lease_signers", "leases", "tickets", "payments",
			"webhook_endpoints", "members",
		} {
			r.exec("ALTER TABLE " + table + " RENAME TO lost_" + table)
		}
		var ids []string
		for _, path := range []string{
			"/properties", "/properties/" + s.id("prop", 1), "/tenants", "/leases",
			"/leases/" + s.id("lea", 1), "/maintenance/tickets", "/payments",
			"/webhooks/endpoints", "/me",
		} {
			a := r.get(path, key)
			f := a.expect(t, http.StatusInternalServerError, "internal")
			text := strings.ToLower(string(a.body))
			if strings.Contains(text, "sql") || strings.Contains(text, "relation") ||
				strings.Contains(text, "lost_") || strings.Contains(text, "no such") {
				t.Errorf("%s tells of the database: %s", path, a.body)
			}
			ids = append(ids, f.Error.RequestID)
		}
		said := r.complaints()
		for i, id := range ids {
			if said[i].RequestID != id || said[i].Error == "" {
				t.Errorf("the log has %+v for %s", said[i], id)
			}
		}
		for _, table := range []string{
			"properties", "units", "tenants", "lease_signers", "leases", "tickets", "payments",
			"webhook_endpoints", "members",
		} {
			r.exec("ALTER TABLE lost_" + table + " RENAME TO " + table)
		}
		r.get("/properties/"+s.id("prop", 1), key).ok(t, &struct{}{})
		r.get("/leases", key).ok(t, &page{})
	})
}

func TestClosedDatabaseReturnsErrorEnvelope(t *testing.T) {
	both(t, func(t *testing.T, r *fixture) {
		key := r.someone()
		r.get("/me", key).ok(t, &struct{}{})
		must(t, r.db.Close())
		for range 20 {
			if a := r.get("/me", key); a.failed(t).Error.Type != "api_error" || a.status < 500 {
				t.Errorf("status %d: %s", a.status, a.body)
			}
			r.get("/me", key[1:]).expect(t, http.StatusUnauthorized, "malformed_api_key")
		}
	})
}

// waiting is a store in which one list waits for its caller to go away.
type waiting struct {
	records.Store
	began, ended chan struct{}
}

func (w waiting) Tenants(
	ctx context.Context, _ access.Portfolio, _ portfolio.TenantFilter,
) ([]portfolio.Tenant, error) {
	w.began <- struct{}{}
	<-ctx.Done()
	w.ended <- struct{}{}
	return nil, ctx.Err()
}

func TestClientDisconnectCancelsRequest(t *testing.T) {
	t.Parallel()
	began, ended := make(chan struct{}), make(chan struct{})
	r := newFixture(t, setting{
		tenants: func(s records.Store) records.Store { return waiting{s, began, ended} },
	})
	key := r.someone()
	conn, err := net.Dial("tcp", r.server.Listener.Addr().String())
	must(t, err)
	_, err = conn.Write([]byte(wire("GET", "/tenants", "Bearer "+key)))
	must(t, err)
	<-began
	must(t, conn.Close())
	select {
	case <-ended:
	case <-time.After(30 * time.Second):
		t.Fatal("the request goes on without its client")
	}
	got := r.logged(t, 1)[0]
	if got.operation != "list_tenants" || got.status != "499" || got.code != "-" {
		t.Errorf("the request log has %+v", got)
	}
	if said := r.complaints(); len(said) > 0 {
		t.Errorf("the log says %+v", said)
	}
	r.get("/properties", key).ok(t, &page{})
}

func TestClientDisconnectsDoNotAffectOtherRequests(t *testing.T) {
	t.Parallel()
	r := newFixture(t, setting{})
	key := r.someone()
	var all sync.WaitGroup
	for range 8 {
		all.Go(func() {
			for range 10 {
				conn, err := net.Dial("tcp", r.server.Listener.Addr().String())
				must(t, err)
				_, err = conn.Write([]byte(wire("GET", "/openapi.json", "Bearer "+key)))
				must(t, err)
				must(t, conn.(*net.TCPConn).SetLinger(0)) // reset, while much is still to be sent
				must(t, conn.Close())
				r.get("/properties", key).ok(t, &page{})
			}
		})
	}
	all.Wait()
}

func TestFullRecorderBlocksNoRequest(t *testing.T) {
	t.Parallel()
	r := newFixture(t, setting{silent: true})
	key := r.someone()
	for r.recorder.Dropped() == 0 {
		r.recorder.Record(developer.Request{AccountID: "acct_1"}, nil)
	}
	full := r.recorder.Dropped()
	for range 10 {
		r.get("/properties", key).ok(t, &page{})
	}
	if got := r.recorder.Dropped() - full; got != 10 {
		t.Errorf("%d lines were dropped of 10", got)
	}
}

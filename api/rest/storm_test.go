package rest_test

import (
	"bufio"
	"fmt"
	"math/rand/v2"
	"net"
	"net/http"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"portal/api/access"
	"portal/api/rest"
	"portal/api/sampled"
	"portal/db/dbtest"
)

// effects are the rows that a mutation adds, besides the claim of its key.
var effects = map[string]string{
	"create_property": "idempotency_keys +1, properties +1, property_words +5, units +1",
	"update_tenant":   "idempotency_keys +1, tenant_words +1", // Round Rock instead of Austin
	"invite_tenant":   "idempotency_keys +1, invitations +1, mails +1, sent_mails +1",
	"generate_lease": "document_evidence +2, document_versions +1, documents +1, idempotency_keys +1, " +
		"lease_signers +2, leases +1",
	"create_maintenance_ticket": "idempotency_keys +1, tickets +1",
	"update_maintenance_ticket": "idempotency_keys +1, ticket_activities +1", // that it was opened again
	"create_webhook_endpoint":   "idempotency_keys +1, webhook_endpoints +1",
	"test_webhook_endpoint":     "deliveries +1, events +1, idempotency_keys +1",
	"create_import":             "idempotency_keys +1, imports +1",
	"confirm_import":            "audit +1, idempotency_keys +1",
	"discard_import":            "idempotency_keys +1, imports -1",
	"create_test_unit":          "idempotency_keys +1, units +1",
	"create_test_tenant":        "idempotency_keys +1, tenant_words +2, tenants +1",
	"create_test_payment": "idempotency_keys +1, payment_attempts +1, payment_shares +1, payment_transactions +1, " +
		"rent_news +1, simulated_payments +1",
	"create_test_event": "deliveries +1, events +1, idempotency_keys +1, tickets +1",
}

// grown is dbtest.Grown without the words of titles of tickets: how many those have is often chance.
func grown(before, after map[string][]string) string {
	delete(before, "ticket_words")
	delete(after, "ticket_words")
	return dbtest.Grown(before, after)
}

// TestConcurrentRequestsWithOneIdempotencyKeyRunOnce sends every mutation from some clients at once, and one, in each
// run another, from fifty; PORTAL_PROVE sends all from fifty.
func TestConcurrentRequestsWithOneIdempotencyKeyRunOnce(t *testing.T) {
	both(t, func(t *testing.T, r *fixture) {
		r.landlord("ada@example.com", unlimited())
		key := *r.key("ada@example.com", access.Test, "payments").Plaintext
		all := r.mutations(seeded{1, access.Test})
		most := rand.IntN(len(all))
		t.Logf("fifty clients: %s", all[most].Name)
		for i, m := range all {
			twins := 10
			if i == most || sampled.Whole {
				twins = 50
			}
			before := r.dump()
			answers := make([]answer, twins)
			var all sync.WaitGroup
			for i := range twins {
				all.Go(func() {
					a, err := r.try(m.Method, m.path, key, m.body, "Idempotency-Key", m.Name)
					if err != nil {
						t.Error(err)
					}
					answers[i] = a
				})
			}
			all.Wait()
			after := r.dump()
			firsts := 0
			for _, a := range answers {
				if a.status != m.Status || string(a.body) != string(answers[0].body) ||
					a.header.Get("ETag") != answers[0].header.Get("ETag") {
					t.Fatalf("%s: status %d: %.300s\nanother one has %d: %.300s", m.Name, a.status, a.body,
						answers[0].status, answers[0].body)
				}
				if a.header.Get("Idempotent-Replayed") == "" {
					firsts++
				}
			}
			want := effects[m.Name]
			if want == "" {
				want = "idempotency_keys +1"
			}
			got := grown(before, after)
			if m.Name == "reset_demo_portfolio" { // whose effect TestResetRunsOnceAndReplaysItsResponse looks at
				got = want
			}
			if got != want || firsts != 1 {
				t.Errorf("%s: %s, and %d that were not told again; want %s", m.Name, got, firsts, want)
			}
			want = `"1"`
			switch {
			case m.Method == http.MethodPatch && m.Single():
				want = `"4"`
			case m.Name ==
				"redeliver_webhook_delivery": // made, attempted, queued again by redeliver_missed and by this
				want = `"4"`
			case m.Name == "create_test_payment": // started, sent, and declined
				want = `"3"`
			case m.Name == "rotate_webhook_secret":
				want = `"2"`
			case !m.Single() || m.Method == http.MethodDelete:
				want = ""
			}
			if etag := answers[0].header.Get("ETag"); etag != want {
				t.Errorf("%s: the version is %s after one write, not %s", m.Name, etag, want)
			}
		}
	})
}

func TestConcurrentRequestsWithDistinctIdempotencyKeysAllRun(t *testing.T) {
	both(t, func(t *testing.T, r *fixture) {
		r.landlord("ada@example.com", unlimited())
		r.uploads.Patience = time.Minute // files are read one at a time, beside all that others do here
		key := *r.key("ada@example.com", access.Test, "payments").Plaintext
		// A disabled endpoint is sent nothing, so this leaves out what disables it.
		disables := func(m mutation) bool {
			return m.Name == "delete_webhook_endpoint" || m.Name == "discard_import" ||
				m.Name == "reset_demo_portfolio" // or deletes
		}
		// The unit then has room for five drafts.
		dbtest.Exec(t, r.db, "UPDATE leases SET status = 'voided' WHERE status = 'draft' AND unit_id = $1", seeded{
			1, access.Test,
		}.id("unit", 2))
		// A property that changes after a lease was generated makes another version of its document: it changes before.
		changed := r.mutation(seeded{1, access.Test}, "update_property")
		if a, err := r.try(changed.Method, changed.path, key, changed.body); err != nil || a.status != changed.Status {
			t.Fatalf("status %d: %v", a.status, err)
		}
		before := r.dump()
		var all sync.WaitGroup
		for i := range 5 { // as many invitations as one recipient gets an hour
			for _, m := range slices.DeleteFunc(r.mutations(seeded{1, access.Test}), disables) {
				all.Go(func() {
					a, err := r.try(m.Method, m.path, key, m.body, "Idempotency-Key", fmt.Sprint(m.Name, i))
					if err != nil || a.status != m.Status || a.header.Get("Idempotent-Replayed") != "" {
						t.Errorf("%s: status %d: %v %.300s", m.Name, a.status, err, a.body)
					}
				})
			}
		}
		all.Wait()
		want := "audit +1, deliveries +10, document_evidence +10, document_versions +5, documents +5, events +10, " +
			"idempotency_keys +115, imports +5, invitations +5, lease_signers +10, leases +5, mails +5, payment_attempts +5, " +
			"payment_shares +5, payment_transactions +5, properties +5, property_words +25, rent_news +5, " +
			"sent_mails +1, simulated_payments +5, " +
			"tenant_words +11, tenants +5, ticket_activities +1, tickets +10, units +10, " +
			"webhook_endpoints +5"
		if got := grown(before, r.dump()); got != want {
			t.Errorf("grown by %s", got)
		}
	})
}

// A client that hangs up while it is answered asks again with the same key, and finds
// its write done once: the first request or the second one has done it.
func TestRetryAfterDisconnectRunsWriteOnce(t *testing.T) {
	both(t, func(t *testing.T, r *fixture) {
		r.landlord("ada@example.com", unlimited())
		key := *r.key("ada@example.com", access.Test, "payments").Plaintext
		create := r.mutation(seeded{1, access.Test}, "create_maintenance_ticket")
		before := r.dump()
		const clients = 30
		var all sync.WaitGroup
		for i := range clients {
			all.Go(func() {
				name := fmt.Sprint("client ", i)
				conn, err := net.Dial("tcp", r.server.Listener.Addr().String())
				must(t, err)
				_, err = conn.Write([]byte(posted(create.path, key, create.body, "Idempotency-Key: "+name)))
				must(t, err)
				if i%2 == 0 { // some wait until the answer begins
					_, _ = bufio.NewReader(conn).ReadByte()
				}
				must(t, conn.(*net.TCPConn).SetLinger(0))
				must(t, conn.Close())
				a := create.by(r, key, "Idempotency-Key", name)
				if a.status != http.StatusCreated {
					t.Errorf("status %d: %s", a.status, a.body)
				}
				create.by(r, key, "Idempotency-Key", name).done(t)
			})
		}
		all.Wait()
		got, want := grown(before, r.dump()), fmt.Sprintf("idempotency_keys %+d, tickets %+d", clients, clients)
		if got != want {
			t.Errorf("grown by %s, want %s", got, want)
		}
	})
}

// A body that breaks off changes nothing, and its key stays free.
func TestTruncatedBodyChangesNothing(t *testing.T) {
	alone(t, func(t *testing.T, r *fixture) {
		r.landlord("ada@example.com", unlimited())
		key := *r.key("ada@example.com", access.Test, "payments").Plaintext
		create := r.mutation(seeded{1, access.Test}, "create_maintenance_ticket")
		before := r.dump()
		whole := posted(create.path, key, create.body, "Idempotency-Key: k")
		for cut := strings.Index(whole, "\r\n\r\n") + 4; cut < len(whole); cut += 7 {
			conn, err := net.Dial("tcp", r.server.Listener.Addr().String())
			must(t, err)
			_, err = conn.Write([]byte(whole[:cut]))
			must(t, err)
			must(t, conn.(*net.TCPConn).CloseWrite())
			text, err := bufio.NewReader(conn).ReadString('\n')
			if err != nil || !strings.HasPrefix(text, "HTTP/1.1 400 ") {
				t.Errorf("after %d bytes: %q %v", cut, text, err)
			}
			must(t, conn.Close())
		}
		dbtest.Unchanged(t, "a body that breaks off", before, r.dump())
		create.by(r, key, "Idempotency-Key", "k").done(t)
	})
}

// posted is a POST as it goes over the wire.
func posted(path, key, body string, headers ...string) string {
	return "POST " + rest.Base + path + " HTTP/1.1\r\nHost: portal.example.com\r\nAuthorization: Bearer " +
		key + "\r\nContent-Type: application/json\r\nConnection: close\r\n" +
		strings.Join(headers, "\r\n") + fmt.Sprintf("\r\nContent-Length: %d\r\n\r\n", len(body)) + body
}

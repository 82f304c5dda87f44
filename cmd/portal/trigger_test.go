package main

import (
	"encoding/base64"
	"encoding/json"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"

	"portal/api/event"
	"portal/api/webhook"
	"portal/cmd/portal/cli"
	"portal/db/dbtest"
)

// staged runs a test with a landlord's fresh demo portfolio on each kind of database.
func staged(t *testing.T, test func(*testing.T, home)) {
	t.Parallel()
	begin := func(t *testing.T, h home) {
		h.asJSON(t, "correct horse battery staple\n", "user", "add", "dana@example.com", "--password-stdin")
		test(t, h)
	}
	t.Run("sqlite", func(t *testing.T) {
		t.Parallel()
		begin(t, newHome(t).blank(t))
	})
	t.Run("postgres", func(t *testing.T) {
		t.Parallel()
		url := dbtest.NewPostgres(t).Migrated(t)
		begin(
			t,
			newHome(t, "DATABASE_URL="+url, "PORTAL_SECRET_KEY="+base64.StdEncoding.EncodeToString(make([]byte, 32))),
		)
	})
}

// triggers makes events happen and returns the ids that were printed.
func (h home) triggers(t *testing.T, kind string, count int) []string {
	t.Helper()
	code, out, errs := h.inside(t, "", "trigger", "dana@example.com", kind, "--count", strconv.Itoa(count))
	if code != cli.ExitDone || strings.Count(errs, "\n") != 1 ||
		!strings.HasPrefix(errs, "Account: dana@example.com (") {
		t.Errorf("portal trigger %s: exit code %d: %s", kind, code, errs)
	}
	return strings.Fields(out)
}

// What holds in a demo portfolio however often something was made to happen in it.
var orders = map[string]string{
	"leases of a unit overlap": `SELECT count(*)
		FROM leases a
		JOIN leases b ON a.portfolio_id = b.portfolio_id AND a.unit_id = b.unit_id AND a.id < b.id
		WHERE a.status IN ('signed', 'active') AND b.status IN ('signed', 'active')
			AND (a.end_date IS NULL OR b.start_date <= a.end_date) AND (b.end_date IS NULL
				OR a.start_date <= b.end_date)`,
	"renewed leases do not know their renewal": `SELECT count(*)
		FROM leases l
		JOIN leases e ON e.portfolio_id = l.portfolio_id AND e.id = l.renewed_from_lease_id
		WHERE l.status IN ('signed', 'active') AND COALESCE(e.renewed_to_lease_id, '') <> l.id`,
	"parties have not signed what counts as signed": `SELECT count(*)
		FROM leases l
		JOIN lease_signers p ON p.portfolio_id = l.portfolio_id AND p.lease_id = l.id
		WHERE l.signed_at IS NOT NULL AND p.signed_at IS NULL`,
	"months are charged twice": `SELECT count(*) - count(DISTINCT lease_id || CAST(period_start AS TEXT))
		FROM payments
		WHERE type = 'rent' AND status <> 'void'`,
	"rows say what they are not": `SELECT count(*)
		FROM payments
		WHERE (status = 'succeeded') <> (amount = amount_paid) AND status IN ('succeeded', 'due', 'scheduled',
			'partially_paid', 'failed')`,
	"records are in the live portfolio": `SELECT count(*)
		FROM portfolios p
		LEFT JOIN leases l ON l.portfolio_id = p.id
		LEFT JOIN tickets t ON t.portfolio_id = p.id
		WHERE p.mode = 'live' AND (l.id IS NOT NULL OR t.id IS NOT NULL)`,
}

func TestTriggersAreRepeatable(t *testing.T) {
	often := 10
	if proving {
		often = 200
	}
	staged(t, func(t *testing.T, h home) {
		for kind, finds := range map[string]string{
			"lease.signed": "SELECT count(*) FROM leases WHERE status IN ('signed', 'active') AND signed_at " +
				"IS NOT NULL AND id = $1",
			"payment.succeeded": "SELECT count(*) FROM payments WHERE type = 'rent' AND status = 'succeeded' AND " +
				"method = 'card' AND id = $1",
			"maintenance.created": "SELECT count(*) FROM tickets WHERE source = 'tenant_portal' AND triage IS NOT " +
				"NULL AND tenant_id IS NOT NULL AND id = $1",
		} {
			ids := h.triggers(t, kind, often)
			if len(ids) != often {
				t.Fatalf("%s: %d of %d", kind, len(ids), often)
			}
			for _, id := range ids {
				if n := h.value(t, finds, id); n != "1" {
					t.Errorf("%s: %s is not what it should be", kind, id)
				}
			}
			if slices.Sort(ids); len(slices.Compact(ids)) != often {
				t.Errorf("%s: the same twice", kind)
			}
		}
		for what, query := range orders {
			if n := h.value(t, query); n != "0" {
				t.Errorf("%s %s", n, what)
			}
		}
	})
}

func TestConcurrentTriggersDoNotCollide(t *testing.T) {
	often := 4 // each of nine programs that run at once
	if proving {
		often = 10
	}
	staged(t, func(t *testing.T, h home) {
		var lock sync.Mutex
		var ids []string
		var all sync.WaitGroup
		for range 3 {
			for _, kind := range []string{"lease.signed", "payment.succeeded", "maintenance.created"} {
				all.Go(func() {
					printed := h.triggers(t, kind, often)
					lock.Lock()
					defer lock.Unlock()
					ids = append(ids, printed...)
				})
			}
		}
		all.Wait()
		if slices.Sort(ids); len(slices.Compact(ids)) != 9*often {
			t.Errorf("%d of %d records", len(slices.Compact(ids)), 9*often)
		}
	})
}

func TestTriggerOnRunningServerIsVisibleOverREST(t *testing.T) {
	t.Parallel()
	s := newHome(t).serve(t)
	for kind, path := range map[string]string{
		"lease.signed":        "/leases/",
		"payment.succeeded":   "/payments/",
		"maintenance.created": "/maintenance/tickets/",
	} {
		var said struct{ Type, ID string }
		err := json.Unmarshal([]byte(s.do(t, "trigger", demoLandlord, kind, "--json")), &said)
		if err != nil || said.Type != kind {
			t.Errorf("%+v, %v", said, err)
		}
		if r := s.get(t, path+said.ID, s.vars["PORTAL_TEST_KEY"]); r.StatusCode != 200 {
			t.Errorf("%s %s: %s", kind, said.ID, r.Status)
		}
	}
}

func TestEveryEventTypeCanBeTriggered(t *testing.T) {
	t.Parallel()
	help := newHome(t).do(t, "help", "trigger")
	for _, kind := range webhook.EveryKind.Values() {
		if !slices.Contains(event.Types(), kind) && kind != string(webhook.EveryKind) {
			t.Errorf("%s cannot", kind)
		}
		if kind != string(webhook.EveryKind) && !strings.Contains(help, kind) {
			t.Errorf("the help does not tell of %s", kind)
		}
	}
}

func TestTriggeredTicketKeepsOneOwnerEmail(t *testing.T) {
	staged(t, func(t *testing.T, h home) {
		for _, id := range h.triggers(t, "maintenance.created", 2) {
			for what, query := range map[string]string{
				"kept email": `SELECT count(*)
					FROM mails
					WHERE about = $1 AND status = 'kept' AND recipient = 'dana@example.com'
						AND subject LIKE 'New ticket T-%'`,
				"email": "SELECT count(*) FROM mails WHERE about = $1",
				"notice": "SELECT count(*) FROM ticket_notices WHERE ticket_id = $1 AND recipient = 'landlord' AND " +
					"due_at IS NULL",
			} {
				if n := h.value(t, query, id); n != "1" {
					t.Errorf("%s has %s %s", id, n, what)
				}
			}
		}
	})
}

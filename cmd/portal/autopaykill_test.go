package main

import (
	"database/sql"
	"fmt"
	"math/rand/v2"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"testing"

	"portal/api/access"
	"portal/api/clock"
	"portal/api/language"
	"portal/api/money"
	"portal/api/payment"
	"portal/db/dbtest"
)

// autopaySteps are the statements from which on the steps of the transactions of autopay count.
const autopaySteps = "PORTAL_CRASH_SQL=UPDATE payment_autopays SET|INSERT INTO payment_attempts|" +
	"UPDATE payment_attempts SET|INSERT INTO payment_transactions"

// TestKilledAutopayTellsOnceAndPaysOnce kills the process at the steps (crash.Through) of the transactions in which
// autopay of a live portfolio tells the tenant of a payment, begins it, has Stripe charge the card and books that. A
// run takes some of the steps, `make prove` all of them. What the next process finishes is what one alone leaves,
// undisturbed: one email, or one payment at Stripe that is booked once.
func TestKilledAutopayTellsOnceAndPaysOnce(t *testing.T) {
	onOneDemo(t, func(t *testing.T, o *preparedDemo) {
		w := newStripeWorld(t)
		o.home = o.with(w.env()...)
		k := &autopayKill{preparedDemo: o, world: w}
		k.agrees(t)
		t.Run("notice", func(t *testing.T) { k.kills(t, "told = NULL") })
		t.Run("payment", func(t *testing.T) { k.kills(t, "told = 100000") })
	})
}

// autopayKill is a demo in whose live portfolio a tenant pays by autopay through Stripe.
type autopayKill struct {
	*preparedDemo
	world *stripeWorld
	set   string // what is so before the processes start
}

// agrees has a tenant who owes rent set up autopay from a card, which acts today.
func (k *autopayKill) agrees(t *testing.T) {
	t.Helper()
	w := k.world
	s := &story{T: t, service: k.home.serve(t)}
	w.at, w.email = s.vars["PORTAL_URL"], "imani.okafor@example.com"
	w.signsIn(s.vars["PORTAL_DEMO_PASSWORD"])
	w.connects()
	tenant, row := w.owes(s)
	lease := s.live(http.MethodGet, "/payments/"+row, "")["lease_id"].(string)
	s.signalAndEnd(t)

	p := k.home.product(t)
	_, account, err := p.Developer.Account(t.Context(), demoLandlord)
	orFail(t, err)
	by := access.Actor{Scopes: access.Scopes{access.Read, access.Write}, TenantID: tenant}
	by.Portfolio, err = p.Developer.PortfolioOf(t.Context(), account.ID, access.Live)
	orFail(t, err)
	by.Zone, err = clock.Zone(account.TimeZone)
	orFail(t, err)
	a, _, err := p.Payments.StartAutopay(t.Context(), by, &payment.AutopayOrder{
		LeaseID: lease, TenantID: tenant, Day: 1, Most: money.Dollars(10_000), Text: "I agree.",
		Language: language.English,
	}, func(id string) string { return "https://portal.example.com/" + url.PathEscape(id) })
	orFail(t, err)
	k.world.stripe.GiveCard(k.world.stripe.Latest("checkout.session"))
	orFail(t, p.Payments.RefreshAutopay(t.Context(), by, a.ID))
	dbtest.Exec(t, p.DB, `UPDATE payment_autopays
		SET look_at = NULL, act_on = $1, next_on = (SELECT due_date FROM payments WHERE id = $2)`,
		int64(p.Payments.Today(by)), row)
	orFail(t, p.Close())
}

// kills has processes die at steps, each over a copy of its own.
func (k *autopayKill) kills(t *testing.T, set string) {
	k.set = set
	want, steps := k.undisturbed(t)
	var chosen []int
	for n := 1; n <= steps; n++ {
		chosen = append(chosen, n)
	}
	if !proving {
		rand.Shuffle(len(chosen), func(i, j int) { chosen[i], chosen[j] = chosen[j], chosen[i] })
		chosen = chosen[:2]
	}
	t.Logf("%d steps, killed at %v", steps, chosen)
	for _, n := range chosen {
		if got := k.killed(t, n); !slices.Equal(got, want) {
			t.Errorf("killed at step %d, there is\n%s\nwant\n%s", n, strings.Join(got, "\n"), strings.Join(want, "\n"))
		}
	}
}

// undisturbed learns what one process alone leaves, and in how many steps.
func (k *autopayKill) undisturbed(t *testing.T) (left []string, steps int) {
	t.Helper()
	h, before := k.begins(t), len(k.world.stripe.Requests())
	p := k.runs(t, h, everyStep)
	if p.ended() {
		t.Fatalf("it has ended: %s", &p.err)
	}
	p.signal(t, syscall.SIGTERM)
	p.end(t)
	said := counts.FindAllStringSubmatch(p.err.String(), -1)
	if said == nil {
		t.Fatalf("nothing was counted: %s", &p.err)
	}
	steps, _ = strconv.Atoi(said[len(said)-1][1])
	left = k.leaves(t, h, before)
	t.Logf("%d transactions leave\n%s", len(said), strings.Join(left, "\n"))
	return left, steps
}

// killed has a process die at a step and another one finish, and is what that leaves.
func (k *autopayKill) killed(t *testing.T, step int) []string {
	t.Helper()
	h, before := k.begins(t), len(k.world.stripe.Requests())
	p := k.runs(t, h, step)
	if !p.ended() {
		t.Errorf("it has outlived step %d", step)
		p.kill()
	} else {
		p.killedItself(t)
	}
	p = k.runs(t, h, 0)
	p.signal(t, syscall.SIGTERM)
	p.end(t)
	return k.leaves(t, h, before)
}

// begins is a copy in which autopay acts today.
func (k *autopayKill) begins(t *testing.T) home {
	t.Helper()
	h := k.copy(t)
	d := h.opened(t, "rw")
	defer d.Close()
	k.exec(t, d, "UPDATE payment_autopays SET "+k.set)
	return h
}

func (*autopayKill) exec(t *testing.T, d *sql.DB, statement string) {
	t.Helper()
	_, err := d.ExecContext(t.Context(), statement)
	orFail(t, err)
}

// runs starts a process that dies at a step, 0 for none, and has it charge what is due by today and then ask Stripe,
// until it has died or done both.
func (k *autopayKill) runs(t *testing.T, h home, step int) *process {
	t.Helper()
	d := h.opened(t, "rw")
	defer d.Close()
	const jobs = "river_job WHERE kind IN ('turn', 'reconcile_payments')"
	// A process that was killed leaves jobs that it has begun and its lead, which others take over some time later.
	k.exec(t, d, "DELETE FROM "+jobs)
	k.exec(t, d, "DELETE FROM river_leader")
	h = h.with("PORTAL_ADDR="+freeAddress(t), shortLived)
	if step > 0 {
		h = h.with(autopaySteps, "PORTAL_CRASH_STEP="+strconv.Itoa(step))
	}
	p := h.command(t, "serve", "--demo")
	p.begin(t)
	done := func(n int) {
		eventually(t, "the jobs are done", func() bool {
			return p.ended() ||
				h.value(t, "SELECT CAST(count(*) AS TEXT) FROM "+jobs+" AND state = 'completed'") == strconv.Itoa(n)
		})
	}
	done(2)
	if !p.ended() {
		k.exec(t, d, "INSERT INTO river_job (args, kind, max_attempts) VALUES ('{}', 'reconcile_payments', 1)")
		done(3)
	}
	return p
}

// leaves is what there is of autopay, the rows that it pays, emails and events, and what Stripe was asked to charge.
func (k *autopayKill) leaves(t *testing.T, h home, before int) (all []string) {
	t.Helper()
	d := h.database(t)
	defer d.Close()
	rows, err := d.QueryContext(t.Context(), `
		SELECT 'autopay ' || status || ', told ' || COALESCE(CAST(told AS TEXT), 'nothing') ||
			', next on ' || next_on || ', acts on ' || act_on || ', failures ' || failures FROM payment_autopays
		UNION ALL SELECT 'attempt ' || status || ' ' || amount FROM payment_attempts WHERE autopay_id IS NOT NULL
		UNION ALL SELECT 'row ' || p.id || ' ' || p.status || ' ' || p.amount_paid FROM payments p
			WHERE p.lease_id IN (SELECT lease_id FROM payment_autopays)
		UNION ALL SELECT 'transaction ' || t.kind || ' ' || t.amount FROM payment_transactions t
			JOIN payments p ON p.portfolio_id = t.portfolio_id AND p.id = t.payment_id
			WHERE p.lease_id IN (SELECT lease_id FROM payment_autopays) AND t.recorded_by = 'processor'
		UNION ALL SELECT 'email ' || subject FROM mails WHERE recipient = '`+k.world.email+`'
		UNION ALL SELECT type || ' ' || count(*) FROM events GROUP BY type`)
	orFail(t, err)
	defer rows.Close()
	for rows.Next() {
		var row string
		orFail(t, rows.Scan(&row))
		all = append(all, row)
	}
	orFail(t, rows.Err())
	charged := map[string]bool{}
	for _, r := range k.world.stripe.Requests()[before:] {
		if r.Method == http.MethodPost && r.Path == "/v1/payment_intents" {
			charged[r.Key] = true
		}
	}
	all = append(all, fmt.Sprintf("charges at Stripe: %d", len(charged)))
	slices.Sort(all)
	return all
}

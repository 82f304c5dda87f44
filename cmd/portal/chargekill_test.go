package main

import (
	"fmt"
	"math/rand/v2"
	"os"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"portal/api/access"
	"portal/api/clock"
	"portal/api/contact"
	"portal/api/id"
	"portal/api/money"
	"portal/api/portfolio"
	"portal/api/portfolio/lease/terms"
	"portal/api/portfolio/schedule"
	"portal/db/dbtest"
	"portal/db/portfoliostore"
)

// chargeSteps are the statements from which on the steps of the transactions of the hourly job count: what each of
// them writes before its COMMIT.
const chargeSteps = "PORTAL_CRASH_SQL=UPDATE leases SET charge_on|UPDATE payments SET late_fee_on"

// TestThreeNodesKilledWhileTheyChargeWriteEachRowOnce runs the hourly job on three processes over one PostgreSQL at
// once, and has them die at the steps of its transactions: before a COMMIT, after it was sent, and after it was
// answered. A run takes some of the steps, by a seed that it prints, and `make prove` all. What the next process
// finishes is what one alone writes, undisturbed: each row once, and none more.
func TestThreeNodesKilledWhileTheyChargeWriteEachRowOnce(t *testing.T) {
	t.Parallel()
	seed := rand.Uint64()
	if text := os.Getenv("PORTAL_TEST_SEED"); text != "" {
		var err error
		seed, err = strconv.ParseUint(text, 10, 64)
		orFail(t, err)
	}
	t.Logf("PORTAL_TEST_SEED=%d", seed)
	onPostgresDemo(t, func(t *testing.T, o *preparedDemo) {
		k := &chargeKill{preparedDemo: o, random: rand.New(rand.NewPCG(seed, 0))}
		k.leases(t, 24)
		for k.today != k.day() { // once more where a day has begun meanwhile, which charges other rows
			k.today = k.day()
			k.undisturbed(t)
			k.kills(t)
		}
	})
}

// chargeKill is a demo whose live portfolio has much to charge.
type chargeKill struct {
	*preparedDemo
	random *rand.Rand
	zone   *time.Location
	today  clock.Date
	want   []string // what one process writes on that day
	steps  int      // of it
	died   int      // processes
}

func (k *chargeKill) day() clock.Date { return clock.DateOf(time.Now(), k.zone) }

// leases adds leases that were signed some time ago, of which only the first rent was charged.
func (k *chargeKill) leases(t *testing.T, n int) {
	t.Helper()
	p := k.at(k.home, k.url).product(t)
	_, account, err := p.Developer.Account(t.Context(), demoLandlord)
	orFail(t, err)
	in, err := p.Developer.PortfolioOf(t.Context(), account.ID, access.Live)
	orFail(t, err)
	k.zone, err = clock.Zone(account.TimeZone)
	orFail(t, err)
	store, now := portfoliostore.New(p.DB), time.Now()
	made := func(prefix, object string) portfolio.Record {
		return dbtest.Record(prefix, object, access.Live, now)
	}
	var book portfolio.Book
	var late []portfolio.Payment
	for i := range n {
		home := portfolio.Property{
			Record: made(id.Property, "property"), StreetAddress: fmt.Sprint(i+1, " Elm Street"), City: "Austin",
			State: contact.State("TX"), PropertyType: "apartment", UnitCount: 1, Country: "US",
			Status: portfolio.PropertyActive, VerificationStatus: portfolio.Verified,
		}
		unit := portfolio.Unit{
			Record: made(id.Unit, "unit"), PropertyID: home.ID, UnitNumber: "1", Status: portfolio.UnitOccupied,
			Currency: portfolio.Currency,
		}
		tenant := portfolio.Tenant{
			Record: made(id.Tenant, "tenant"), FirstName: "Dana", LastName: fmt.Sprint("Number ", i),
			Name: fmt.Sprint("Dana Number ", i), Status: portfolio.TenantCurrent, LeaseIDs: []string{},
		}
		signed := clock.At(now.AddDate(0, 0, -60))
		l := portfolio.Lease{
			Record: made(id.Lease, "lease"), Status: portfolio.LeaseActive, PropertyID: home.ID, UnitID: unit.ID,
			Currency: portfolio.Currency, TenantIDs: []string{tenant.ID}, LeaseType: portfolio.MonthToMonth,
			Tenants:     []portfolio.Party{{ID: tenant.ID, Role: portfolio.PartyPrimary}},
			StartDate:   k.day().AddDays(-50 - i),
			MonthlyRent: money.Dollars(int64(900 + 7*i)), SecurityDeposit: money.Dollars(500),
			RentDueDay: 1 + i, SignedAt: &signed, LateFeeAmount: new(money.Dollars(5)), LateFeeGraceDays: new(3),
		}
		l.Terms.LateFeeFrequency = terms.Daily
		book.Properties, book.Units = append(book.Properties, home), append(book.Units, unit)
		book.Tenants, book.Leases = append(book.Tenants, tenant), append(book.Leases, l)
		late = append(late, k.late(&l, made(id.Payment, "payment")))
	}
	people := book.Leases
	book.Leases = nil
	orFail(t, store.Add(t.Context(), in, &book))
	orFail(t, store.AddPeople(t.Context(), in, &portfolio.Book{Leases: people}))
	orFail(t, store.AddPayments(t.Context(), in, late))
	dbtest.Exec(t, p.DB, "UPDATE portfolios SET auto_charge_since = $1 WHERE id = $2",
		clock.At(now.AddDate(0, 0, -90)), in.ID)
	// The process that made the demo may have run the job of its start: the next one is to have it to do.
	dbtest.Exec(t, p.DB, "DELETE FROM river_job WHERE kind = 'turn'")
	dbtest.Exec(t, p.DB, "DELETE FROM river_leader")
	orFail(t, p.Close())
}

// late is the first rent of a lease, which was charged in time and is unpaid: the job charges a late fee for it.
func (k *chargeKill) late(l *portfolio.Lease, of portfolio.Record) portfolio.Payment {
	p := schedule.FirstRent(l)
	p.Record, p.Charge, p.Type = of, new(schedule.Rent+" "+schedule.Month(l.StartDate)), portfolio.PaymentRent
	p.LeaseID, p.TenantID, p.UnitID, p.PropertyID = l.ID, l.TenantIDs[0], l.UnitID, l.PropertyID
	p.Currency, p.Status, p.LateFeeOn = portfolio.Currency, portfolio.PaymentDue, new(p.DueDate.AddDays(4))
	return p
}

// turns adds runs of the hourly job, and is the last of them.
func (k *chargeKill) turns(t *testing.T, h home, n int) (last string) {
	t.Helper()
	d := h.opened(t, "rw")
	defer d.Close()
	for range n {
		orFail(t, d.QueryRowContext(t.Context(), `INSERT INTO river_job
				(args, kind, max_attempts, scheduled_at, state)
			VALUES ('{}', 'turn', 1, now(), 'available')
			RETURNING id::text`).Scan(&last))
	}
	return last
}

// node starts a process that dies at a step, 0 for none, and waits until it is ready, or over.
func (k *chargeKill) node(t *testing.T, h home, step int) *process {
	t.Helper()
	h = h.with("PORTAL_ADDR="+freeAddress(t), shortLived)
	if step > 0 {
		h = h.with(chargeSteps, "PORTAL_CRASH_STEP="+strconv.Itoa(step))
	}
	p := h.command(t, "serve", "--demo")
	p.begin(t)
	eventually(t, "the node is ready", func() bool {
		return p.ended() || strings.Contains(p.out.String(), "PORTAL_LIVE_KEY=")
	})
	return p
}

// ended reports whether a process is over.
func (p *process) ended() bool {
	select {
	case <-p.over:
		return true
	default:
		return false
	}
}

// finishes has a process that nobody kills run the job once more, and is all that there is in the end.
func (k *chargeKill) finishes(t *testing.T, h home) []string {
	t.Helper()
	p := k.node(t, h, 0)
	job := k.turns(t, h, 1)
	eventually(t, "the job is done", func() bool {
		return h.value(t, "SELECT state::text FROM river_job WHERE id = $1::bigint", job) == "completed"
	})
	p.signal(t, syscall.SIGTERM)
	p.end(t)
	return k.left(t, h)
}

// left is everything that the job writes, without the ids that differ: the rows of the ledger, a late fee by the rent
// that it is for, and how many transactions, events, emails and pieces of news there are.
func (k *chargeKill) left(t *testing.T, h home) (all []string) {
	t.Helper()
	d := h.database(t)
	defer d.Close()
	rows, err := d.QueryContext(t.Context(), `SELECT concat_ws(' ', p.lease_id,
			CASE WHEN p.charge LIKE 'late %' THEN 'late ' || r.charge ELSE p.charge END,
			p.charge_part, p.type, p.amount, p.amount_paid, p.status, p.due_date, p.period_start, p.period_end,
			p.late_fee_on, p.version)
		FROM payments p
		LEFT JOIN payments r ON r.portfolio_id = p.portfolio_id AND 'late ' || r.id = p.charge
		UNION ALL SELECT 'charge_on ' || id || ' ' || charge_on FROM leases
		UNION ALL SELECT 'transactions ' || count(*) FROM payment_transactions
		UNION ALL SELECT 'events ' || count(*) FROM events
		UNION ALL SELECT 'deliveries ' || count(*) FROM deliveries
		UNION ALL SELECT 'emails ' || count(*) FROM mails
		UNION ALL SELECT 'news ' || count(*) FROM rent_news`)
	orFail(t, err)
	defer rows.Close()
	for rows.Next() {
		var row string
		orFail(t, rows.Scan(&row))
		all = append(all, row)
	}
	orFail(t, rows.Err())
	slices.Sort(all)
	return all
}

// undisturbed learns what one process alone writes, and in how many steps. It has the one job that a first start
// makes: of two that run at once, only the steps of some transactions are counted.
func (k *chargeKill) undisturbed(t *testing.T) {
	t.Helper()
	h := k.copy(t)
	before := len(k.left(t, h))
	p := k.node(t, h, everyStep)
	eventually(t, "the job of the start is done", func() bool {
		return h.value(t, "SELECT count(*)::text FROM river_job WHERE kind = 'turn' AND state = 'completed'") == "1"
	})
	p.signal(t, syscall.SIGTERM)
	p.end(t)
	k.want = k.left(t, h)
	said := counts.FindAllStringSubmatch(p.err.String(), -1)
	if said == nil {
		t.Fatalf("nothing was counted: %s", &p.err)
	}
	k.steps, _ = strconv.Atoi(said[len(said)-1][1])
	t.Logf("%d rows more, in %d steps of %d transactions", len(k.want)-before, k.steps, len(said))
	if len(k.want)-before < 100 || len(said) < 6 {
		t.Fatalf("%d rows more, in %d transactions", len(k.want)-before, len(said))
	}
}

// kills has processes die at steps, each over a copy of its own.
func (k *chargeKill) kills(t *testing.T) {
	t.Helper()
	var chosen []int
	for n := 1; n <= k.steps; n++ {
		chosen = append(chosen, n)
	}
	if !proving {
		k.random.Shuffle(len(chosen), func(i, j int) { chosen[i], chosen[j] = chosen[j], chosen[i] })
		chosen = chosen[:2]
		chosen = append(chosen, 1+k.random.IntN(k.steps/3))
	}
	t.Logf("%d steps, killed at %v", k.steps, chosen)
	k.died = 0
	for _, n := range chosen {
		k.kill(t, n)
		if t.Failed() {
			return
		}
	}
	t.Logf("%d processes died", k.died)
	if k.died == 0 {
		t.Error("no process has died")
	}
}

// dies waits until a process has died of the job that it has alone. It may have it twice, as it runs the job when it
// starts too: two runs share transactions, and may be done before the step.
func (k *chargeKill) dies(t *testing.T, h home, p *process) {
	t.Helper()
	eventually(t, "it has died", func() bool {
		return p.ended() || h.value(t, "SELECT count(*)::text FROM river_job WHERE kind = 'turn' "+
			"AND state IN ('available', 'running')") == "0"
	})
	if !p.ended() {
		t.Log("it has outlived the job")
		p.kill()
		return
	}
	p.killedItself(t)
	k.died++
}

// kill runs the job on three processes at once, each of which dies at its n-th step. As they share the work, none of
// them comes to a late step: for one of those the first has the job alone, and the others find what it leaves.
func (k *chargeKill) kill(t *testing.T, n int) {
	t.Helper()
	h := k.copy(t)
	var nodes []*process
	if n > k.steps/3 {
		first := k.node(t, h, n)
		k.turns(t, h, 1)
		k.dies(t, h, first)
		n = 1 + k.random.IntN(k.steps/3)
	}
	for range 3 {
		nodes = append(nodes, k.node(t, h, n))
	}
	k.turns(t, h, 9)
	over := func() int {
		ended := 0
		for _, p := range nodes {
			if p.ended() {
				ended++
			}
		}
		return ended
	}
	eventually(t, "the jobs are taken", func() bool {
		return over() == len(nodes) ||
			h.value(t, "SELECT count(*)::text FROM river_job WHERE kind = 'turn' AND state = 'available'") == "0"
	})
	for _, p := range nodes {
		if !p.ended() {
			p.signal(t, syscall.SIGTERM) // it finishes what it has taken, or dies of it
		}
		if p.end(t) != 0 {
			p.killedItself(t)
			k.died++
		}
	}
	left := k.finishes(t, h)
	if k.day() != k.today {
		return
	}
	for _, row := range left {
		if !slices.Contains(k.want, row) {
			t.Errorf("killed at step %d, there is besides: %s", n, row)
		}
	}
	for _, row := range k.want {
		if !slices.Contains(left, row) {
			t.Errorf("killed at step %d, there is not: %s", n, row)
		}
	}
	if len(left) != len(k.want) {
		t.Errorf("killed at step %d, there are %d rows, want %d", n, len(left), len(k.want))
	}
}

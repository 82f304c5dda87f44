package records_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"portal/api/access"
	"portal/api/agreement"
	"portal/api/change"
	"portal/api/clock"
	"portal/api/contact"
	"portal/api/fault"
	"portal/api/id"
	"portal/api/money"
	"portal/api/portfolio"
	"portal/api/portfolio/lease"
	"portal/api/portfolio/lease/terms"
	"portal/api/portfolio/ledger"
	"portal/api/sampled"
	"portal/api/tenantportal"
	"portal/db"
	"portal/db/dbtest"
	"portal/db/portfoliostore"
)

// A ledger world is the demo portfolio of a landlord, whose ledger charges by itself, and what must be in it. What is
// expected comes from the leases alone, by arithmetic of its own.
type ledgerWorld struct {
	*guests
	*rand.Rand
	by      access.Actor
	store   *portfoliostore.Store
	tenants *tenantportal.Service
	leases  []*ledgerLease
	// movedOut is when the tenants of leases had moved out that were terminated: what is noted later changes no charge.
	movedOut map[string]*clock.Date
	// lastDays are the last days that leases charged when they were over. What is noted later adds nothing to them.
	lastDays map[string]clock.Date
	steps    []string // that were taken, for whoever looks for the reason of a failure
}

// ledgerLease is a lease with what only its past tells.
type ledgerLease struct {
	id, tenant string
	rule       lateRule
	rents      map[string][]money.Cents // by month: the monthly rents by which it may be charged
	fixed      map[string]bool          // months that a new rent does not change any more
	waived     map[string]bool          // charges that a person has voided
	forgiven   map[string]bool          // rows that take a forgiven part back
	lateTerms  bool                     // what is said of late fees has changed since the lease was signed
	rows       []portfolio.Payment      // as they were after the step before
}

// ledgerSeed is what the random numbers of the model begin with: PORTAL_TEST_SEED, or another one each time.
func ledgerSeed(t testing.TB) uint64 {
	t.Helper()
	seed := rand.Uint64()
	if text := os.Getenv("PORTAL_TEST_SEED"); text != "" {
		var err error
		if seed, err = strconv.ParseUint(text, 10, 64); err != nil {
			t.Fatal(err)
		}
	}
	t.Logf("PORTAL_TEST_SEED=%d", seed)
	return seed
}

var ledgerZones = []string{
	"Pacific/Honolulu", "America/Anchorage", "America/Los_Angeles", "America/Phoenix", "America/Denver",
	"America/Chicago", "America/New_York",
}

// Whatever happens to random leases, their ledgers come to what the leases say, and all who show a balance show the
// same. PORTAL_PROVE takes 20,000 steps with 1,000 leases on each database; PORTAL_TEST_SEED repeats a run.
func TestLedgersOfRandomLeasesComeToWhatTheLeasesSay(t *testing.T) {
	worlds, leases, steps := 2, 8, 60
	if sampled.Whole {
		worlds, leases, steps = 40, 25, 500
	}
	seed := ledgerSeed(t)
	dbtest.Both(t, func(t *testing.T, d *db.DB) {
		for n := range worlds {
			t.Run(fmt.Sprintf("world %d of seed %d", n, seed), func(t *testing.T) {
				newLedgerWorld(t, d, rand.New(rand.NewPCG(seed, uint64(n))), n, leases).play(steps)
			})
		}
	})
}

// emptyLedger is the demo portfolio of a landlord without leases.
func emptyLedger(t *testing.T, d *db.DB, random *rand.Rand, landlord, zone string) *ledgerWorld {
	t.Helper()
	g := newGuestsOf(t, d, landlord)
	g.Service.Documents = nil // leases above every limit are among those that are tried
	w := &ledgerWorld{guests: g, Rand: random, by: g.owner(access.Test), store: portfoliostore.New(d)}
	w.movedOut, w.lastDays = map[string]*clock.Date{}, map[string]clock.Date{}
	w.by.Scopes = access.Scopes{access.Read, access.Write, access.Payments}
	w.tenants = tenantportal.New(g.Service, agreement.New(g.Service, w.store, nil), w.store, nil)
	var err error
	w.by.Zone, err = time.LoadLocation(zone)
	w.ok(err)
	return w
}

func newLedgerWorld(t *testing.T, d *db.DB, random *rand.Rand, n, leases int) *ledgerWorld {
	t.Helper()
	w := emptyLedger(t, d, random, fmt.Sprint("world", n), ledgerZones[random.IntN(len(ledgerZones))])
	year := 2026 + w.IntN(3) // 2028 has a leap day
	w.now = time.Date(year, time.Month(1+w.IntN(12)), 1+w.IntN(31), w.IntN(24), w.IntN(60), 0, 0, w.by.Zone)
	w.hour() // from now on the ledger charges by itself
	rules := lateRules(t)
	w.Shuffle(len(rules), func(i, k int) { rules[i], rules[k] = rules[k], rules[i] })
	for i := range leases {
		w.signsNew(rules[i%len(rules)])
	}
	w.check()
	return w
}

// cents is a random amount, as round as people like them, or not at all.
func (w *ledgerWorld) cents(from, to int64) money.Cents {
	n := from + w.Int64N(to-from+1)
	if w.IntN(2) == 0 {
		return money.Dollars(n)
	}
	return money.Dollars(n) + money.Cents(w.IntN(100))
}

func (w *ledgerWorld) today() clock.Date { return clock.DateOf(w.now, w.by.Zone) }

func (w *ledgerWorld) record(prefix, object string) portfolio.Record {
	return dbtest.Record(prefix, object, w.by.Portfolio.Mode, w.now)
}

// home adds a property in a state with a unit and a tenant, for whom a lease is drafted.
func (w *ledgerWorld) home(rule lateRule) (l portfolio.Lease, tenantID string) {
	w.Helper()
	p := portfolio.Property{
		Record: w.record(id.Property, "property"), StreetAddress: "1 Elm Street", City: "Springfield",
		State: contact.State(rule.state), PropertyType: "apartment", UnitCount: 1, Country: "US",
		Status: portfolio.PropertyActive, VerificationStatus: portfolio.Verified,
	}
	u := portfolio.Unit{
		Record: w.record(id.Unit, "unit"), PropertyID: p.ID, UnitNumber: "1", Status: portfolio.UnitVacant,
		Currency: portfolio.Currency,
	}
	tenant := portfolio.Tenant{
		Record: w.record(id.Tenant, "tenant"), FirstName: "Dana", LastName: rule.state, Name: "Dana " + rule.state,
		Status: portfolio.TenantProspect, LeaseIDs: []string{},
	}
	w.ok(w.store.Add(w.Context(), w.by.Portfolio, &portfolio.Book{
		Properties: []portfolio.Property{p}, Units: []portfolio.Unit{u}, Tenants: []portfolio.Tenant{tenant},
	}))
	return portfolio.Lease{
		Record: w.record(id.Lease, "lease"), Status: portfolio.LeaseDraft, PropertyID: p.ID, UnitID: u.ID,
		Currency: portfolio.Currency,
	}, tenant.ID
}

// signsNew adds a lease in a state, which is signed.
func (w *ledgerWorld) signsNew(rule lateRule) {
	w.Helper()
	l, tenant := w.home(rule)
	start := w.today().AddDays(w.IntN(130) - 70)
	switch w.IntN(4) {
	case 0:
		start = start.FirstOfMonth()
	case 1:
		start = start.LastOfMonth()
	}
	l.MonthlyRent, l.SecurityDeposit, l.StartDate = w.cents(500, 3000), max(0, w.cents(-500, 3000)), start
	w.draw(&l)
	w.signs(&l, tenant, rule)
}

// draw gives a lease what it does not have: its end, and what it says of fees.
func (w *ledgerWorld) draw(l *portfolio.Lease) {
	l.Status, l.Currency, l.RentDueDay = portfolio.LeaseDraft, portfolio.Currency, 1+w.IntN(28)
	l.LeaseType = []portfolio.LeaseType{portfolio.Fixed, portfolio.MonthToMonth, portfolio.FixedWithRollover}[w.IntN(3)]
	if l.LeaseType != portfolio.MonthToMonth {
		l.EndDate = new(max(l.StartDate.AddDays(20+w.IntN(500)), w.today().AddDays(1)))
	}
	l.Terms.LateFeeFrequency = terms.Once
	if w.IntN(4) > 0 {
		l.LateFeeAmount = new(w.cents(5, 400))
		if l.Terms.LateFeeFrequency = terms.Daily; w.IntN(2) == 0 {
			l.Terms.LateFeeFrequency = terms.Once
		}
	}
	if w.IntN(3) > 0 {
		l.LateFeeGraceDays = new(w.IntN(20))
	}
	if w.IntN(2) == 0 {
		l.Terms.ReturnedPaymentFee = new(w.cents(5, 60))
	}
	for i := range w.IntN(4) {
		often := []terms.FeeFrequency{terms.Monthly, terms.OneTime}[w.IntN(2)]
		l.Terms.Fees = append(l.Terms.Fees, terms.Fee{
			Name: fmt.Sprint("Fee ", i), Amount: w.cents(1, 200), Frequency: often,
		})
	}
}

// signs writes a draft, and has its tenant sign it.
func (w *ledgerWorld) signs(l *portfolio.Lease, tenant string, rule lateRule) *ledgerLease {
	w.Helper()
	l.TenantIDs = []string{tenant}
	l.Tenants = []portfolio.Party{{ID: tenant, Role: portfolio.PartyPrimary}}
	w.ok(w.store.AddPeople(w.Context(), w.by.Portfolio, &portfolio.Book{Leases: []portfolio.Lease{*l}}))
	w.ok(w.db.Atomically(w.Context(), func(ctx context.Context) error {
		return w.store.SaveLeaseTerms(ctx, w.by.Portfolio, l)
	}))
	m := &ledgerLease{
		id: l.ID, tenant: tenant, rule: rule,
		rents: map[string][]money.Cents{}, fixed: map[string]bool{},
		waived: map[string]bool{}, forgiven: map[string]bool{},
	}
	w.leases = append(w.leases, m)
	w.did(m, "signed in %s: %s from %s until %v, rent %s on the %d, deposit %s, late fee %v %s after %v, fees %v",
		rule.state, l.LeaseType, l.StartDate, shownDay(l.EndDate), l.MonthlyRent, l.RentDueDay, l.SecurityDeposit,
		shownCents(l.LateFeeAmount), l.Terms.LateFeeFrequency, shownInt(l.LateFeeGraceDays), l.Terms.Fees)
	_, err := w.Leases.Sign(w.Context(), w.by, l.ID, lease.Signature{TenantID: tenant})
	w.ok(err)
	return m
}

func shownDay(d *clock.Date) string {
	if d == nil {
		return "-"
	}
	return d.String()
}

func shownCents(c *money.Cents) string {
	if c == nil {
		return "-"
	}
	return c.String()
}

func shownInt(n *int) string {
	if n == nil {
		return "-"
	}
	return strconv.Itoa(*n)
}

// did notes a step.
func (w *ledgerWorld) did(l *ledgerLease, format string, args ...any) {
	of := "all"
	if l != nil {
		of = l.id[len(l.id)-6:]
	}
	w.steps = append(w.steps, w.now.In(w.by.Zone).Format("2006-01-02 15:04")+" "+of+" "+fmt.Sprintf(format, args...))
}

// wrong ends the test with the steps of a lease.
func (w *ledgerWorld) wrong(l *ledgerLease, format string, args ...any) {
	w.Helper()
	of := l.id[len(l.id)-6:]
	text := fmt.Sprintf(
		format,
		args...) + "\nafter " + w.steps[len(w.steps)-1] + "\nin " + w.by.Zone.String() + ", steps:\n"
	for _, step := range w.steps {
		if strings.Contains(step, " "+of+" ") || strings.Contains(step, " all ") {
			text += step + "\n"
		}
	}
	for i := range l.rows {
		p := &l.rows[i]
		charge, from := "-", "-"
		if p.Charge != nil {
			charge = *p.Charge
		}
		if p.PeriodStart != nil {
			from = p.PeriodStart.String() + ".." + p.PeriodEnd.String()
		}
		text += fmt.Sprintf("%s %s[%d] %s paid %s %s due %s for %s late %s\n", p.ID[len(p.ID)-6:], charge, p.Part,
			p.Amount, p.AmountPaid, p.Status, p.DueDate, from, shownDay(p.LateFeeOn))
	}
	w.Fatal(text)
}

func (w *ledgerWorld) hour() {
	w.Helper()
	w.ok(w.Calendar.RollOver(w.Context(), w.by.Portfolio, w.by.Zone))
}

func (w *ledgerWorld) play(steps int) {
	w.Helper()
	for range steps {
		if w.IntN(3) == 0 {
			w.passes()
			continue
		}
		l := w.leases[w.IntN(len(w.leases))]
		w.step(l)
		w.checkLeases(l)
		w.checkViews(l)
	}
	w.check()
}

// passes lets some days pass. The job runs at a moment of each; where the clocks change, each hour.
func (w *ledgerWorld) passes() {
	w.Helper()
	days := 1 + w.IntN(6)
	if w.IntN(5) == 0 {
		days = 10 + w.IntN(30)
	}
	w.did(nil, "%d days pass", days)
	for range days {
		y, m, d := w.now.In(w.by.Zone).Date()
		day := func(hour int) time.Time { return time.Date(y, m, d+1, hour, w.IntN(60), 0, 0, w.by.Zone) }
		if day(23).Sub(day(0)).Round(time.Hour)/time.Hour != 23 {
			for at := day(0); at.In(w.by.Zone).Day() == day(12).Day(); at = at.Add(time.Hour) {
				w.now = at
				w.hour()
			}
		} else {
			w.now = day(w.IntN(24))
			w.hour()
		}
		if w.IntN(4) == 0 {
			w.hour() // again: it changes nothing
		}
		w.checkLeases(w.leases[w.IntN(len(w.leases))])
	}
	w.check()
}

func (w *ledgerWorld) check() {
	w.Helper()
	w.checkLeases(w.leases...)
	w.checkViews(w.leases[w.IntN(len(w.leases))])
}

// row is a random row of a lease that passes.
func (w *ledgerWorld) row(l *ledgerLease, passes func(*portfolio.Payment) bool) *portfolio.Payment {
	var some []*portfolio.Payment
	for i := range l.rows {
		if passes(&l.rows[i]) {
			some = append(some, &l.rows[i])
		}
	}
	if some == nil {
		return nil
	}
	return some[w.IntN(len(some))]
}

func payable(p *portfolio.Payment) bool { return p.Left() > 0 }

func (w *ledgerWorld) step(l *ledgerLease) {
	w.Helper()
	switch n := w.IntN(20); {
	case n < 7:
		w.pays(l)
	case n < 9:
		w.takesBack(l)
	case n < 10:
		w.forgives(l)
	case n < 11:
		w.voids(l)
	case n < 13:
		w.goesThroughProcessor(l)
	case n < 18:
		w.changes(l)
	case n < 19:
		w.charges(l)
	default:
		w.endsOrRenews(l)
	}
}

// pays records money by hand, today or for an earlier day: all that is owed, or a part.
func (w *ledgerWorld) pays(l *ledgerLease) {
	w.Helper()
	p := w.row(l, payable)
	if p == nil {
		return
	}
	c := ledger.Clearing{Amount: p.Left(), Method: "check", Reference: new("7")}
	if w.IntN(3) == 0 {
		c.Amount = 1 + money.Cents(w.Int64N(int64(c.Amount)))
	}
	if w.IntN(3) == 0 {
		c.On = new(w.today().AddDays(-w.IntN(25)))
	}
	w.did(l, "pays %s of %s on %s", c.Amount, p.ID[len(p.ID)-6:], shownDay(c.On))
	w.ok(second(w.Ledger.RecordPayment(w.Context(), w.by, change.Target{ID: p.ID}, c)))
}

// takesBack corrects a payment, or notes that the bank returned it.
func (w *ledgerWorld) takesBack(l *ledgerLease) {
	w.Helper()
	p := w.row(l, func(p *portfolio.Payment) bool { return p.AmountPaid > 0 })
	if p == nil {
		return
	}
	with, err := w.Ledger.PaymentWithTransactions(w.Context(), w.by, p.ID)
	w.ok(err)
	for i := range with.Transactions {
		t := &with.Transactions[i]
		if !with.Correctable(t, with.Transactions) {
			continue
		}
		c := ledger.Correction{TransactionID: t.ID, Reason: "A mistake."}
		take, words := w.Ledger.CorrectPayment, "corrects"
		if w.IntN(2) == 0 {
			take, words = w.Ledger.ReturnPayment, "returns"
		}
		w.did(l, "%s %s of %s", words, t.Amount, p.ID[len(p.ID)-6:])
		w.allowed(l, second(take(w.Context(), w.by, change.Target{ID: p.ID}, c)))
		return
	}
}

// allowed ends the test where an error is not one that a person can make.
func (w *ledgerWorld) allowed(l *ledgerLease, err error) bool {
	w.Helper()
	if err != nil && !fault.Is(err, fault.InvalidTransition) && !fault.Is(err, fault.InvalidField) &&
		!fault.Is(err, fault.DateOrder) && !fault.Is(err, fault.SignatureInProgress) {
		w.wrong(l, "%v", err)
	}
	if err != nil {
		w.steps[len(w.steps)-1] += " (refused)"
	}
	return err == nil
}

func (w *ledgerWorld) forgives(l *ledgerLease) {
	w.Helper()
	p := w.row(l, func(p *portfolio.Payment) bool { return p.Left() > 1 })
	if p == nil {
		return
	}
	f := ledger.Forgiveness{Amount: 1 + money.Cents(w.Int64N(int64(p.Left()-1))), Reason: "A gift."}
	before := l.rows
	w.did(l, "forgives %s of %s", f.Amount, p.ID[len(p.ID)-6:])
	if !w.allowed(l, second(w.Ledger.ForgivePart(w.Context(), w.by, change.Target{ID: p.ID}, f))) {
		return
	}
	for _, is := range w.read(l) {
		if is.Amount == -f.Amount && is.AmountPaid == is.Amount &&
			!slices.ContainsFunc(before, func(was portfolio.Payment) bool { return was.ID == is.ID }) {
			l.forgiven[is.ID] = true
		}
	}
}

func (w *ledgerWorld) voids(l *ledgerLease) {
	w.Helper()
	p := w.row(l, func(p *portfolio.Payment) bool { return p.Voidable() })
	if p == nil || p.Type == portfolio.PaymentRent && p.Part > 0 {
		return
	}
	w.did(l, "voids %s", p.ID[len(p.ID)-6:])
	if w.allowed(l, second(w.Ledger.VoidCharge(w.Context(), w.by, change.Target{ID: p.ID}))) && p.Charge != nil {
		l.waived[*p.Charge] = true
	}
}

// goesThroughProcessor starts a payment of a part of a row or all of it, or has one that is under way clear or fail, or
// one that has cleared be returned, or refunded in part.
func (w *ledgerWorld) goesThroughProcessor(l *ledgerLease) {
	w.Helper()
	if p := w.row(l, func(p *portfolio.Payment) bool { return p.UnderWay > 0 }); p != nil && w.IntN(3) > 0 {
		if w.IntN(2) == 0 {
			c := ledger.Clearing{Amount: p.UnderWay, Method: portfolio.PayByACH}
			w.did(l, "clears %s of %s", c.Amount, p.ID[len(p.ID)-6:])
			w.ok(w.processor().clears(w.Context(), p, c))
			return
		}
		w.did(l, "fails %s", p.ID[len(p.ID)-6:])
		w.fails(p.ID)
		w.hour()
		w.check()
		return
	}
	if p := w.row(l, func(p *portfolio.Payment) bool {
		return p.PaymentID != nil && p.AmountPaid > 0 && p.UnderWay == 0
	}); p != nil && w.IntN(3) == 0 {
		w.goesBack(l, p)
		return
	}
	if p := w.row(l, func(p *portfolio.Payment) bool { return p.Left() > 0 && p.UnderWay == 0 }); p != nil {
		amount := p.Left()
		if w.IntN(2) == 0 {
			amount = 1 + money.Cents(w.Int64N(int64(amount)))
		}
		w.did(l, "starts to pay %s of %s", amount, p.ID[len(p.ID)-6:])
		w.ok(w.processor().startsPart(w.Context(), p, portfolio.PayByACH, amount))
	}
}

// goesBack has the latest payment of a row through the processor be returned, or a part of it be refunded.
func (w *ledgerWorld) goesBack(l *ledgerLease, p *portfolio.Payment) {
	w.Helper()
	a := w.processor().attempt(p, ledger.Clearing{Amount: 1, Method: portfolio.PayByACH})
	if w.IntN(2) == 0 {
		w.did(l, "has %s returned of %s", a.ID, p.ID[len(p.ID)-6:])
		w.ok(w.Ledger.TakeAttemptBack(w.Context(), w.by, a, portfolio.TransactionReturn, 0, ledger.Moved{
			At: clock.At(w.now), FailureCode: new("payment_returned"), FailureMessage: new("It was returned."),
		}))
		return
	}
	with, err := w.Ledger.PaymentWithTransactions(w.Context(), w.by, p.ID)
	w.ok(err)
	var left money.Cents
	for i := range with.Transactions {
		if t := &with.Transactions[i]; t.AttemptID != nil && *t.AttemptID == a.ID &&
			t.Status == portfolio.TransactionSucceeded {
			left += t.Amount
		}
	}
	if left = min(left, p.AmountPaid-1); left <= 0 { // a row that is refunded as a whole is owed no more
		return
	}
	amount := 1 + money.Cents(w.Int64N(int64(left)))
	w.did(l, "has %s refunded of %s", amount, p.ID[len(p.ID)-6:])
	_, err = w.Ledger.RefundAttempt(w.Context(), w.by, a, p.ID, amount, ledger.Moved{At: clock.At(w.now)})
	w.ok(err)
}

// charges charges a fee by hand.
func (w *ledgerWorld) charges(l *ledgerLease) {
	w.Helper()
	c := ledger.ChargeCreate{
		Charge:      "utility",
		Amount:      w.cents(1, 90),
		DueDate:     w.today().AddDays(w.IntN(20) - 10),
		Description: new("Water"),
	}
	w.did(l, "charges %s by hand", c.Amount)
	w.ok(second(w.Ledger.AddCharge(w.Context(), w.by, l.id, c)))
}

// changes changes terms of a lease.
func (w *ledgerWorld) changes(l *ledgerLease) {
	w.Helper()
	is, err := w.store.Lease(w.Context(), w.by.Portfolio, l.id)
	w.ok(err)
	var u lease.Update
	var words string
	switch w.IntN(6) {
	case 0:
		u.MonthlyRent = change.To(w.cents(500, 3000))
		words = "rent " + u.MonthlyRent.Value.String()
	case 1:
		if is.EndDate == nil {
			return
		}
		u.EndDate = change.To(new(max(is.StartDate+1, w.today().AddDays(w.IntN(120)-20))))
		words = "end " + u.EndDate.Value.String()
	case 2:
		u.RentDueDay = change.To(1 + w.IntN(28))
		words = fmt.Sprint("due day ", u.RentDueDay.Value)
	case 3:
		u.MoveOutDate = change.To[*clock.Date](nil)
		if words = "no move-out"; w.IntN(3) > 0 {
			u.MoveOutDate = change.To(new(max(is.StartDate, w.today().AddDays(w.IntN(90)-20))))
			words = "move-out " + u.MoveOutDate.Value.String()
		}
	case 4:
		u.LateFeeAmount = change.To[*money.Cents](nil)
		if words = "no late fee"; w.IntN(3) > 0 {
			u.LateFeeAmount = change.To(new(w.cents(5, 400)))
			words = "late fee " + u.LateFeeAmount.Value.String()
		}
	default:
		u.LateFeeGraceDays = change.To(new(w.IntN(20)))
		words = fmt.Sprint("grace ", *u.LateFeeGraceDays.Value)
	}
	w.did(l, "changes %s", words)
	if !w.allowed(l, second(w.Leases.UpdateLease(w.Context(), w.by, change.Target{ID: l.id}, u))) {
		return
	}
	l.lateTerms = l.lateTerms || u.LateFeeAmount.Given || u.LateFeeGraceDays.Given
	if u.MonthlyRent.Given {
		for month := range l.rents {
			if !l.fixed[month] {
				l.rents[month] = append(l.rents[month], u.MonthlyRent.Value)
			}
		}
	}
}

// endsOrRenews terminates a lease, or has the tenant sign another one that renews it.
func (w *ledgerWorld) endsOrRenews(l *ledgerLease) {
	w.Helper()
	is, err := w.store.Lease(w.Context(), w.by.Portfolio, l.id)
	w.ok(err)
	if is.Status != portfolio.LeaseActive {
		return
	}
	if w.IntN(2) == 0 {
		on := max(is.StartDate, w.today().AddDays(-w.IntN(30)))
		if is.EndDate != nil {
			on = min(on, *is.EndDate)
		}
		u := lease.Update{Status: change.To(portfolio.LeaseTerminated), TerminatedOn: change.To(&on)}
		w.did(l, "terminates on %s", on)
		w.movedOut[l.id] = is.MoveOutDate
		w.ok(second(w.Leases.UpdateLease(w.Context(), w.by, change.Target{ID: l.id}, u)))
		return
	}
	if is.RenewedToLeaseID != nil {
		return
	}
	next := is
	next.Record, next.RenewedFromLeaseID, next.SignedAt = w.record(id.Lease, "lease"), &is.ID, nil
	next.StartDate, next.EndDate = w.today().AddDays(w.IntN(60)), nil
	if is.EndDate != nil {
		next.StartDate = *is.EndDate + 1
	}
	next.MoveInDate, next.MoveOutDate, next.NoticeGivenDate = nil, nil, nil
	next.MonthlyRent, next.Terms = w.cents(500, 3000), terms.Terms{HeldDeposit: new(w.cents(0, 3000))}
	w.draw(&next)
	w.did(l, "is renewed from %s on", next.StartDate)
	w.signs(&next, l.tenant, l.rule)
	w.check()
}

// read reads the rows of a lease.
func (w *ledgerWorld) read(l *ledgerLease) []portfolio.Payment {
	w.Helper()
	rows, err := w.store.RowsOfLeases(w.Context(), w.by.Portfolio, []string{l.id})
	w.ok(err)
	return rows[l.id]
}

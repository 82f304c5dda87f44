package payment_test

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"portal/api/access"
	"portal/api/change"
	"portal/api/clock"
	"portal/api/fault"
	"portal/api/id"
	"portal/api/mail"
	"portal/api/money"
	"portal/api/payment"
	"portal/api/payment/simulated"
	"portal/api/portfolio"
	"portal/api/portfolio/ledger"
	"portal/api/portfolio/records"
	"portal/api/secret"
	"portal/db"
	"portal/db/dbtest"
	"portal/db/mailstore"
	"portal/db/portfoliostore"
)

// fixture is a lease of a demo portfolio with three charges of $1,000, $50 and $300, and a processor that reports what
// the test says.
type fixture struct {
	*testing.T
	db       *db.DB
	store    *portfoliostore.Store
	rules    *records.Service
	payments *simulated.Payments
	by       access.Actor
	lease    string
	tenants  []string
	rows     []string // the oldest due first
	post     *mail.Service

	mu     sync.Mutex
	now    time.Time
	raised []*raised
}

type raised struct {
	kind   string
	record any
}

// Raise is portfolio.Events'.
func (f *fixture) Raise(_ context.Context, _ access.Portfolio, kind string, record any) error {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.raised = append(f.raised, &raised{kind, record})
	return nil
}

func (f *fixture) clock() time.Time {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.now
}

func (f *fixture) later(d time.Duration) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.now = f.now.Add(d)
}

func (f *fixture) ok(err error) {
	f.Helper()
	if err != nil {
		f.Fatal(err)
	}
}

func each(t *testing.T, test func(*fixture)) {
	t.Helper()
	dbtest.Both(t, func(t *testing.T, d *db.DB) { test(newFixture(t, d)) })
}

func newFixture(t *testing.T, d *db.DB) *fixture {
	t.Helper()
	f := &fixture{T: t, db: d, store: portfoliostore.New(d), now: dbtest.Noon().Std()}
	box, err := secret.NewBox(make([]byte, secret.KeySize))
	f.ok(err)
	home := dbtest.NewHome(t, d, "dana")
	f.post = mail.New(mail.Config{Store: mailstore.New(d), Box: box, Now: f.clock})
	f.rules = records.New(f.store, f.clock).Use(portfolio.Parts{
		BaseURL: "https://portal.example.com", Post: f.post, Events: f,
	})
	f.payments = simulated.Open(f.rules.Common, f.rules.Ledger, f.store, nil)
	f.by = access.Actor{
		Portfolio: home.Test,
		AccountID: home.AccountID,
		Scopes:    access.Scopes{access.Read, access.Write, access.Payments},
		Role:      access.Owner,
		Zone:      home.Zone,
	}
	u := home.Unit[access.Test]
	l := portfolio.Lease{
		Record:        dbtest.Record(id.Lease, "lease", access.Test, f.now),
		Status:        portfolio.LeaseActive,
		PropertyID:    u.PropertyID,
		UnitID:        u.ID,
		RentalAddress: "1420 Maple Avenue, Austin, TX 78701",
		LeaseType:     portfolio.MonthToMonth,
		StartDate:     clock.Day(2026, 1, 1),
		MonthlyRent:   money.Dollars(1000),
		RentDueDay:    1,
	}
	l.Terms.ReturnedPaymentFee = new(money.Dollars(30))
	var book portfolio.Book
	for _, name := range []string{"Sam", "Kim"} {
		tenant := portfolio.Tenant{
			Record:    dbtest.Record(id.Tenant, "tenant", access.Test, f.now),
			FirstName: name, LastName: "Rivera", Status: portfolio.TenantCurrent,
		}
		book.Tenants, f.tenants = append(book.Tenants, tenant), append(f.tenants, tenant.ID)
		l.TenantIDs = append(l.TenantIDs, tenant.ID)
		l.Tenants = append(l.Tenants, portfolio.Party{ID: tenant.ID, Role: portfolio.PartyPrimary})
	}
	book.Leases, f.lease = []portfolio.Lease{l}, l.ID
	for i, amount := range []int64{1000, 50, 300} {
		p := portfolio.Payment{
			Record:  dbtest.Record(id.Payment, "payment", access.Test, f.now),
			LeaseID: l.ID, TenantID: f.tenants[0], UnitID: u.ID, PropertyID: u.PropertyID,
			Type: portfolio.PaymentRent, Amount: money.Dollars(amount), Currency: portfolio.Currency,
			Status: portfolio.PaymentDue, DueDate: clock.Day(2026, 11, 1+i),
		}
		if i == 1 {
			p.Type, p.FeeType = portfolio.PaymentFee, new(portfolio.OtherFee)
		}
		book.Payments, f.rows = append(book.Payments, p), append(f.rows, p.ID)
	}
	f.ok(f.store.Add(t.Context(), home.Test, &book))
	f.ok(f.store.SaveLeaseTerms(t.Context(), home.Test, &l))
	return f
}

func (f *fixture) order(tenant int, shares ...int64) payment.Order {
	o := payment.Order{TenantID: f.tenants[tenant], LeaseID: f.lease}
	for i, dollars := range shares {
		if dollars > 0 {
			o.Shares = append(o.Shares, ledger.Share{PaymentID: f.rows[i], Amount: money.Dollars(dollars)})
		}
	}
	return o
}

func nowhere(string) string { return "" }

// begins starts a payment that nobody has sent.
func (f *fixture) begins(tenant int, shares ...int64) *payment.Attempt {
	f.Helper()
	a, _, err := f.payments.Pay(f.Context(), f.by, f.order(tenant, shares...), nowhere)
	f.ok(err)
	return a
}

// reports is a state of an attempt as a processor reports it.
func (f *fixture) reports(a *payment.Attempt, status payment.Status) payment.State {
	return payment.State{
		Status: status, Amount: a.Amount, Currency: portfolio.Currency, Method: portfolio.PayByACH,
		At: clock.At(f.clock()), Reference: new("r_" + a.ID),
	}
}

// standing is what the rows show, and the balance of the lease.
func (f *fixture) standing() string {
	f.Helper()
	var all []string
	for _, row := range f.rows {
		p, err := f.rules.Ledger.Payment(f.Context(), f.by, row)
		f.ok(err)
		all = append(all, fmt.Sprintf("%s %s", p.Status, p.AmountPaid))
	}
	account, err := f.rules.Ledger.Account(f.Context(), f.by, f.lease)
	f.ok(err)
	return strings.Join(all, ", ") + "; balance " + account.Balance.Due.String()
}

func (f *fixture) stands(want string) {
	f.Helper()
	if got := f.standing(); got != want {
		f.Errorf("the ledger has\n%s, want\n%s", got, want)
	}
}

func (f *fixture) told(want int) {
	f.Helper()
	f.mu.Lock()
	defer f.mu.Unlock()
	if len(f.raised) != want {
		f.Errorf("%d events, want %d", len(f.raised), want)
	}
}

func (f *fixture) attempt(a *payment.Attempt) *payment.Attempt {
	f.Helper()
	stored, err := f.payments.Attempt(f.Context(), f.by, a.ID)
	f.ok(err)
	return stored
}

func TestFiftyPeopleWhoPayOneChargeAtOncePayItOnce(t *testing.T) {
	each(t, func(f *fixture) {
		var all sync.WaitGroup
		var paid sync.Map
		for i := range 50 {
			all.Go(func() {
				a, err := f.payments.PayAs(f.Context(), f.by, f.order(i%2, 1000), portfolio.PayByCard, simulated.Clears)
				switch {
				case err == nil && a.Status == payment.Succeeded:
					paid.Store(a.ID, true)
				case err == nil && a.Status == payment.Canceled: // the same tenant has started anew
				case err != nil && !fault.Is(err, fault.InvalidTransition):
					f.Error(err)
				}
			})
		}
		all.Wait()
		n := 0
		paid.Range(func(any, any) bool { n++; return true })
		if n != 1 {
			f.Errorf("%d payments have cleared", n)
		}
		f.stands("succeeded 1000.00, due 0.00, due 0.00; balance 350.00")
		f.told(1)
	})
}

// What a processor reports comes in any order, each ten times, before the payment is known to have been sent too.
func TestReportsInAnyOrderAreBookedOnce(t *testing.T) {
	each(t, func(f *fixture) {
		seed := rand.Uint64()
		f.Logf("seed %d", seed)
		dice := rand.New(rand.NewPCG(seed, 0))
		a := f.begins(0, 1000, 50, 100)
		back := f.reports(a, payment.Succeeded)
		back.Back = &payment.WentBack{
			How: payment.Returned, At: back.At, Code: "account_closed", Message: "The account is closed.",
		}
		var states []payment.State
		for range 10 {
			states = append(states, f.reports(a, payment.Open), f.reports(a, payment.Processing),
				f.reports(a, payment.Succeeded), f.reports(a, payment.Failed), back)
		}
		dice.Shuffle(len(states), func(i, j int) { states[i], states[j] = states[j], states[i] })
		var all sync.WaitGroup
		for _, some := range [][]payment.State{states[:25], states[25:]} {
			all.Go(func() {
				for _, state := range some {
					if err := f.payments.Settle(f.Context(), f.by, a.ID, state); err != nil {
						f.Error(err)
					}
				}
			})
		}
		all.Wait()
		f.told(2) // of the two rows of rent
		got := f.attempt(a)
		if got.Status != payment.Succeeded || got.Back != payment.Returned || *got.FailureCode != "account_closed" {
			f.Errorf("%+v", got)
		}
		f.stands("failed 0.00, failed 0.00, failed 0.00; balance 1350.00")
		for i, row := range f.rows {
			p, err := f.rules.Ledger.PaymentWithTransactions(f.Context(), f.by, row)
			f.ok(err)
			var paid, returned int
			for _, x := range p.Transactions {
				switch {
				case x.Kind == portfolio.TransactionReturn:
					returned++
				case x.Status == portfolio.TransactionSucceeded:
					paid++
				}
			}
			if paid != 1 || returned != 1 {
				f.Errorf("row %d was paid %d times and returned %d times", i, paid, returned)
			}
		}
	})
}

func TestReportThatDoesNotFitBooksNothingAndIsShownToAPerson(t *testing.T) {
	each(t, func(f *fixture) {
		a := f.begins(0, 1000)
		right := f.reports(a, payment.Succeeded)
		f.ok(f.payments.Settle(f.Context(), f.by, a.ID, f.reports(a, payment.Processing)))
		before := f.standing()
		for name, spoil := range map[string]func(*payment.State){
			"less":          func(s *payment.State) { s.Amount-- },
			"more":          func(s *payment.State) { s.Amount++ },
			"euros":         func(s *payment.State) { s.Currency = "EUR" },
			"other payment": func(s *payment.State) { s.Reference = new("r_2") },
		} {
			wrong := right
			spoil(&wrong)
			for range 3 {
				f.ok(f.payments.Settle(f.Context(), f.by, a.ID, wrong))
			}
			if got := f.attempt(a); got.Problem == nil || got.Status != payment.Processing {
				f.Errorf("%s: %+v", name, got)
			}
			f.stands(before)
		}
		mails, err := f.post.Mails(f.Context(), mail.Filter{Limit: 100})
		f.ok(err)
		n := 0
		for _, m := range mails {
			if strings.HasPrefix(m.Subject, "A payment needs a look") {
				n++
			}
		}
		if n != 4 {
			f.Errorf("owners got %d emails about 4 problems", n)
		}
		f.told(0)
		f.ok(f.payments.Settle(f.Context(), f.by, a.ID, right))
		if got := f.attempt(a); got.Problem != nil || got.Status != payment.Succeeded {
			f.Errorf("%+v", got)
		}
		f.told(1)
	})
}

// A landlord who takes cash while a tenant is on the processor's page: what then clears too becomes a credit, which
// pays what is due next. Where the bank returns it, it is owed again.
func TestMoneyThatNothingOwesBecomesACredit(t *testing.T) {
	each(t, func(f *fixture) {
		a := f.begins(0, 1000)
		_, err := f.rules.Ledger.RecordPayment(f.Context(), f.by, change.Target{ID: f.rows[0]}, ledger.Clearing{
			Amount: money.Dollars(900), Method: "cash",
		})
		f.ok(err)
		f.ok(f.payments.Settle(f.Context(), f.by, a.ID, f.reports(a, payment.Succeeded)))
		// $100 pay the rest of the first row, and the credit of $900 all of the others.
		f.stands("succeeded 1000.00, succeeded 50.00, succeeded 300.00; balance -550.00")
		if got := f.attempt(a); got.Surplus != money.Dollars(900) || got.CreditID == nil {
			f.Errorf("%+v", got)
		}
		back := f.reports(a, payment.Succeeded)
		back.Back = &payment.WentBack{How: payment.Returned, At: back.At, Code: "no_account", Message: "No account."}
		f.ok(f.payments.Settle(f.Context(), f.by, a.ID, back))
		// The first row owes $100 again, which the rest of the credit pays, and what was a credit is charged.
		f.stands("succeeded 1000.00, succeeded 50.00, succeeded 300.00; balance 450.00")
	})
}

func TestRefundGoesBackOnceAndAtMostWhatWasPaid(t *testing.T) {
	each(t, func(f *fixture) {
		a, err := f.payments.PayAs(f.Context(), f.by, f.order(0, 1000, 50), portfolio.PayByCard, simulated.Clears)
		f.ok(err)
		p, err := f.rules.Ledger.PaymentWithTransactions(f.Context(), f.by, f.rows[0])
		f.ok(err)
		last := p.Transactions[len(p.Transactions)-1]
		refund := func(dollars int64) error {
			_, err := f.payments.Refund(f.Context(), f.by, change.Target{ID: f.rows[0]}, payment.RefundCreate{
				TransactionID: last.ID, Amount: money.Dollars(dollars), Reason: "The heating was out.",
			})
			return err
		}
		for _, dollars := range []int64{-1, 0, 1001} {
			if err := refund(dollars); !fault.Is(err, fault.InvalidField) {
				f.Errorf("%d: %v", dollars, err)
			}
		}
		f.ok(refund(300))
		f.stands("partially_paid 700.00, succeeded 50.00, due 0.00; balance 600.00")
		if err := refund(701); !fault.Is(err, fault.InvalidField) {
			f.Errorf("more than is left: %v", err)
		}
		f.ok(refund(700))
		if err := refund(1); !fault.Is(err, fault.InvalidTransition) {
			f.Errorf("all of it went back: %v", err)
		}
		f.stands("refunded 0.00, succeeded 50.00, due 0.00; balance 300.00")
		if got := f.attempt(a); got.Refunded != money.Dollars(1000) {
			f.Errorf("%+v", got)
		}
		stranger := f.by
		stranger.Portfolio.ID++
		if _, err := f.payments.Attempt(f.Context(), stranger, a.ID); !fault.Is(err, fault.NoRecord) {
			f.Errorf("another portfolio reads it: %v", err)
		}
	})
}

func TestPaymentThatDemoPortfolioBeginsWithIsRefunded(t *testing.T) {
	each(t, func(f *fixture) {
		p, err := f.rules.Ledger.Payment(f.Context(), f.by, f.rows[0])
		f.ok(err)
		now := clock.At(f.clock())
		p.Record = dbtest.Record(id.Payment, "payment", access.Test, f.now)
		p.PaymentID, p.Method = new(id.New(id.Attempt, f.now)), new(portfolio.PayByACH)
		p.Status, p.AmountPaid, p.BalanceDue = portfolio.PaymentSucceeded, p.Amount, 0
		p.InitiatedAt, p.ReceivedAt, p.PaidAt = &now, &now, &now
		f.ok(f.store.Add(f.Context(), f.by.Portfolio, &portfolio.Book{Payments: []portfolio.Payment{*p}}))
		row, err := f.rules.Ledger.PaymentWithTransactions(f.Context(), f.by, p.ID)
		f.ok(err)
		paid := row.Transactions[0].ID
		r, err := f.payments.Refund(f.Context(), f.by, change.Target{ID: p.ID, Version: &row.Version},
			payment.RefundCreate{TransactionID: paid, Amount: money.Dollars(400), Reason: "The heating was out."})
		if f.ok(err); r.Status != payment.RefundSucceeded {
			f.Errorf("the refund is %s", r.Status)
		}
		row, err = f.rules.Ledger.PaymentWithTransactions(f.Context(), f.by, p.ID)
		f.ok(err)
		if len(row.Transactions) != 2 || row.Transactions[0].ID != paid || row.AmountPaid != money.Dollars(600) {
			f.Errorf("the row has %+v", row)
		}
	})
}

// deaf is a processor that does not answer while it is told so.
type deaf struct {
	payment.Processor
	deaf bool
}

var errDeaf = errors.New("connection refused")

func (p *deaf) Start(ctx context.Context, by access.Actor, a *payment.Attempt, to string) (payment.Started, error) {
	if p.deaf {
		return payment.Started{}, errDeaf
	}
	return p.Processor.Start(ctx, by, a, to)
}

func (p *deaf) State(
	ctx context.Context, by access.Actor, a *payment.Attempt, refunds []payment.Refund,
) (payment.State, error) {
	if p.deaf {
		return payment.State{}, errDeaf
	}
	return p.Processor.State(ctx, by, a, refunds)
}

func TestProcessorThatDoesNotAnswerKeepsNothingAndIsAskedAgain(t *testing.T) {
	each(t, func(f *fixture) {
		pays := simulated.New(f.rules.Common, f.store)
		p := &deaf{pays, true}
		s := payment.New(f.rules.Common, f.rules.Ledger, f.store, map[access.Mode]payment.Processor{access.Test: p})
		if _, _, err := s.Pay(f.Context(), f.by, f.order(0, 1000), nowhere); !fault.Is(err, fault.Unavailable) {
			f.Fatalf("started: %v", err)
		}
		p.deaf = false
		kept := func() money.Cents {
			rows, err := s.Payable(f.Context(), f.by, f.lease)
			f.ok(err)
			i := slices.IndexFunc(rows, func(r payment.PayableRow) bool { return r.ID == f.rows[0] })
			if i < 0 {
				return -1
			}
			return rows[i].Kept
		}
		if kept() != 0 {
			f.Errorf("%s are kept for a payment that nobody can make", kept())
		}
		a, _, err := s.Pay(f.Context(), f.by, f.order(0, 1000), nowhere)
		f.ok(err)
		if kept() != money.Dollars(1000) {
			f.Errorf("%s are kept", kept())
		}
		// It is sent, and the process dies before that is booked.
		f.ok(pays.Send(f.Context(), f.by, a, portfolio.PayByCard, simulated.Clears))
		p.deaf = true
		f.later(time.Hour)
		if err := s.Reconcile(f.Context(), f.clock()); !errors.Is(err, errDeaf) {
			f.Errorf("reconciled: %v", err)
		}
		f.stands("due 0.00, due 0.00, due 0.00; balance 1350.00")
		p.deaf = false
		f.ok(s.Reconcile(f.Context(), f.clock())) // not looked at again so soon
		f.later(time.Hour)
		f.ok(s.Reconcile(f.Context(), f.clock()))
		f.stands("succeeded 1000.00, due 0.00, due 0.00; balance 350.00")
		f.told(1)

		open, _, err := s.Pay(f.Context(), f.by, f.order(1, 0, 50), nowhere)
		f.ok(err)
		f.later(time.Hour)
		f.ok(s.Reconcile(f.Context(), f.clock()))
		if got := f.attempt(open); got.Status != payment.Canceled || got.LookAt != nil {
			f.Errorf("what was not sent in time: %+v", got)
		}
	})
}

// A payment from a bank account clears after three business days, and what is returned later brings one fee.
func TestBankAccountClearsAfterThreeBusinessDaysAndMayBeReturned(t *testing.T) {
	each(t, func(f *fixture) {
		f.ok(f.store.SetAutoCharge(f.Context(), f.by.Portfolio, new(clock.At(f.clock()))))
		sent, err := f.payments.PayAs(
			f.Context(),
			f.by,
			f.order(0, 1000, 50),
			portfolio.PayByACH,
			simulated.ReturnedLater,
		)
		f.ok(err)
		f.stands("processing 0.00, processing 0.00, due 0.00; balance 300.00")
		day := func() string { return clock.DateOf(f.clock(), time.UTC).Std().Weekday().String() }
		if day() != "Thursday" {
			f.Fatalf("the first day is a %s", day())
		}
		for range 4 { // Friday to Monday
			f.later(24 * time.Hour)
			f.ok(f.payments.SettleDay(f.Context(), f.by))
			f.stands("processing 0.00, processing 0.00, due 0.00; balance 300.00")
		}
		f.later(24 * time.Hour)
		f.ok(f.payments.SettleDay(f.Context(), f.by))
		f.stands("succeeded 1000.00, succeeded 50.00, due 0.00; balance 300.00")
		f.later(30 * 24 * time.Hour)
		f.ok(f.payments.SettleDay(f.Context(), f.by))
		f.ok(f.payments.SettleDay(f.Context(), f.by))
		f.stands("failed 0.00, failed 0.00, due 0.00; balance 1380.00")
		if got := f.attempt(sent); got.Back != payment.Returned {
			f.Errorf("%+v", got)
		}
		f.told(1)
	})
}

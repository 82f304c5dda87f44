package portfoliostore_test

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"sync"

	"portal/api/access"
	"portal/api/clock"
	"portal/api/id"
	"portal/api/list"
	"portal/api/money"
	"portal/api/portfolio"
	"portal/db/dbtest"
)

var writes = []promise{
	{"ASavedPropertyOrTicketIsReadAsItWasSaved", aSavedPropertyOrTicketIsReadAsItWasSaved},
	{"NoPropertyOrTicketIsSavedIntoAnotherPortfolio", noPropertyOrTicketIsSavedIntoAnotherPortfolio},
	{"TicketsAreNumberedWithoutGapsInEachPortfolio", ticketsAreNumberedWithoutGapsInEachPortfolio},
	{"RentIsVoidedAfterADay", rentIsVoidedAfterADay},
	{"ScheduledRentIsRevised", scheduledRentIsRevised},
	{"ALedgerRowIsReadAsItWasAddedAndSaved", aLedgerRowIsReadAsItWasAddedAndSaved},
	{"NoLedgerRowIsWrittenIntoAnotherPortfolio", noLedgerRowIsWrittenIntoAnotherPortfolio},
	{"APartySignsALeaseOnce", aPartySignsALeaseOnce},
	{"NobodySignsALeaseOfAnotherPortfolio", nobodySignsALeaseOfAnotherPortfolio},
	{"AVerificationIsReadAsItWasSavedInItsPortfolioAlone", aVerificationIsReadAsItWasSavedInItsPortfolioAlone},
}

// revised are the property and the ticket of a book with other values in all fields that
// the store leaves free.
func revised(b *portfolio.Book, nulls float64) *portfolio.Book {
	other := dbtest.Filled(b.Properties[0].Mode, dbtest.NewFiller(rand.New(rand.NewPCG(16, rand.Uint64())), nulls))
	p, t := other.Properties[0], other.Tickets[0]
	p.ID, t.ID, t.PropertyID = b.Properties[0].ID, b.Tickets[0].ID, b.Properties[0].ID
	dbtest.Point(t.UnitID, b.Units[0].ID)
	dbtest.Point(t.TenantID, b.Tenants[0].ID)
	dbtest.Point(t.LeaseID, b.Leases[0].ID)
	c := *b
	c.Properties, c.Tickets = []portfolio.Property{p}, []portfolio.Ticket{t}
	return &c
}

func aSavedPropertyOrTicketIsReadAsItWasSaved(r *fixture) {
	l := r.Landlord("dana")
	book := dbtest.Filled(access.Live, dbtest.NewFiller(rand.New(rand.NewPCG(17, 1)), 0))
	r.OK(r.Portfolio.Add(r.Context(), l.Live, book))
	for _, nulls := range []float64{0, 1, 0.5, 0} {
		book = revised(book, nulls)
		r.OK(r.DB.Atomically(r.Context(), func(ctx context.Context) error {
			return errors.Join(
				r.Portfolio.SaveProperty(ctx, l.Live, &book.Properties[0]),
				r.Portfolio.SaveTicket(ctx, l.Live, &book.Tickets[0]),
			)
		}))
		r.readBack(r.Context(), l.Live, book)
	}
	t := book.Tickets[0]
	t.Number = "1042"
	r.OK(r.Portfolio.SaveTicket(r.Context(), l.Live, &t)) // the email is for people
	t.Number = "T-x"
	r.Refused(r.Portfolio.SaveTicket(r.Context(), l.Live, &t), "a number that is none")
}

func noPropertyOrTicketIsSavedIntoAnotherPortfolio(r *fixture) {
	here, there := r.Landlord("dana"), r.Landlord("robin")
	book := dbtest.Filled(access.Live, dbtest.NewFiller(rand.New(rand.NewPCG(18, 1)), 0))
	r.OK(r.Portfolio.Add(r.Context(), there.Live, book))
	other := revised(book, 0.5)
	for _, in := range []access.Portfolio{here.Live, there.Test} {
		r.Refused(r.Portfolio.SaveProperty(r.Context(), in, &other.Properties[0]), "a property")
		r.Refused(r.Portfolio.SaveTicket(r.Context(), in, &other.Tickets[0]), "a ticket")
		t := other.Tickets[0]
		t.ID = id.New(id.Ticket, dbtest.Now)
		r.Refused(r.Portfolio.AddTicket(r.Context(), in, &t), "a new ticket about another's home")
		n, err := r.Portfolio.VoidRent(r.Context(), in, book.Leases[0].ID, 0, clock.At(dbtest.Now))
		r.Want(n == 0 && err == nil, "%d rows voided: %v", n, err)
		n, err = r.Portfolio.ReviseRent(r.Context(), in, &portfolio.Lease{
			Record:      portfolio.Record{ID: book.Leases[0].ID},
			MonthlyRent: 1,
		}, book.Payments[0].Amount, clock.At(dbtest.Now))
		r.Want(n == 0 && err == nil, "%d rows revised: %v", n, err)
	}
	r.readBack(r.Context(), there.Live, book)
}

// ticketsAreNumberedWithoutGapsInEachPortfolio opens tickets in two portfolios at once;
// some are taken back.
func ticketsAreNumberedWithoutGapsInEachPortfolio(r *fixture) {
	l := r.Landlord("dana")
	places := map[access.Portfolio]portfolio.Ticket{}
	for i, in := range []access.Portfolio{l.Live, l.Test} {
		book := dbtest.Filled(in.Mode, dbtest.NewFiller(rand.New(rand.NewPCG(19, uint64(i))), 0))
		places[in] = book.Tickets[0]
		book.Tickets, book.Payments = nil, nil
		r.OK(r.Portfolio.Add(r.Context(), in, book))
	}
	reason := errors.New("no")
	var all sync.WaitGroup
	for i := range 60 {
		in := []access.Portfolio{l.Live, l.Test}[i%2]
		all.Go(func() {
			err := r.DB.Atomically(r.Context(), func(ctx context.Context) error {
				t := places[in]
				t.ID = id.New(id.Ticket, dbtest.Now)
				if err := r.Portfolio.AddTicket(ctx, in, &t); err != nil {
					return err
				}
				if i%6 > 3 {
					return reason
				}
				return nil
			})
			if err != nil && !errors.Is(err, reason) {
				r.Error(err)
			}
		})
	}
	all.Wait()
	for in := range places {
		rows, err := r.Portfolio.Tickets(r.Context(), in, portfolio.TicketFilter{
			Query: list.Query{Limit: dbtest.Everything},
		})
		r.OK(err)
		var numbers, want []string
		for i, t := range rows {
			numbers, want = append(numbers, t.Number), append(want, fmt.Sprintf("T-%d", 1001+i))
		}
		slices.Sort(numbers)
		r.Same(numbers, want)
		r.Same(len(rows), 20)
	}
}

// rents are ledger rows of one lease, which differ in what decides about them.
func (r *fixture) rents(in access.Portfolio, rows ...portfolio.Payment) string {
	r.Helper()
	book := dbtest.Filled(in.Mode, dbtest.NewFiller(rand.New(rand.NewPCG(20, 1)), 0))
	like := book.Payments[0]
	book.Payments, book.Tickets = nil, nil
	for i, row := range rows {
		p := like
		p.ID = id.New(id.Payment, dbtest.Now)
		p.Version = 1
		p.Type = row.Type
		p.Status = row.Status
		p.Amount = row.Amount
		p.AmountPaid = row.AmountPaid
		p.DueDate, p.PeriodStart, p.Reference = row.DueDate, row.PeriodStart, new(fmt.Sprintf("%02d", i))
		if p.Type == "" {
			p.Type = portfolio.PaymentRent
		}
		book.Payments = append(book.Payments, p)
	}
	r.OK(r.Portfolio.Add(r.Context(), in, book))
	return book.Leases[0].ID
}

// ledger is the rows as they stand: status, amount and version.
func (r *fixture) ledger(in access.Portfolio) (all []string) {
	r.Helper()
	rows, err := r.Portfolio.Payments(r.Context(), in, portfolio.PaymentFilter{
		Query: list.Query{Limit: dbtest.Everything},
	}, 0)
	r.OK(err)
	slices.SortFunc(rows, func(a, b portfolio.Payment) int { return cmp.Compare(*a.Reference, *b.Reference) })
	for _, p := range rows {
		all = append(all, fmt.Sprintf("%s %d v%d", p.Status, p.Amount, p.Version))
	}
	return all
}

func rentIsVoidedAfterADay(r *fixture) {
	l := r.Landlord("dana")
	late, early := new(clock.Date(101)), new(clock.Date(100))
	row := func(status portfolio.PaymentStatus, paid money.Cents, period *clock.Date) portfolio.Payment {
		return portfolio.Payment{
			Status:      status,
			Amount:      900,
			AmountPaid:  paid,
			PeriodStart: period,
			DueDate:     50,
		}
	}
	after := row("scheduled", 0, nil)
	after.DueDate = 101
	fee := row("scheduled", 0, late)
	fee.Type = portfolio.PaymentFee
	lease := r.rents(
		l.Live,
		row("scheduled", 0, late),
		row("due", 0, late),
		row("failed", 0, late),
		row("scheduled", 0, early),
		row("due", 0, early),
		row("partially_paid", 10, late),
		row("failed", 10, late),
		row(
			"processing",
			0,
			late,
		),
		row("succeeded", 900, late),
		row("refunded", 0, late),
		row("void", 0, late),
		row("scheduled", 0, nil),
		after,
		fee,
	)
	for _, again := range []int64{4, 0} {
		n, err := r.Portfolio.VoidRent(r.Context(), l.Live, lease, 100, clock.At(dbtest.Now))
		r.OK(err)
		r.Same(n, again)
		r.Same(
			r.ledger(l.Live),
			[]string{
				"void 900 v2",
				"void 900 v2",
				"void 900 v2",
				"scheduled 900 v1",
				"due 900 v1",
				"partially_paid 900 v1",
				"failed 900 v1",
				"processing 900 v1",
				"succeeded 900 v1",
				"refunded 900 v1",
				"void 900 v1",
				"scheduled 900 v1",
				"void 900 v2",
				"scheduled 900 v1",
			},
		)
	}
	n, err := r.Portfolio.VoidRent(r.Context(), l.Live, "lea_none", 0, clock.At(dbtest.Now))
	r.Want(n == 0 && err == nil, "%d rows of a lease that is none: %v", n, err)
}

func scheduledRentIsRevised(r *fixture) {
	l := r.Landlord("dana")
	row := func(status portfolio.PaymentStatus, amount money.Cents) portfolio.Payment {
		return portfolio.Payment{Status: status, Amount: amount, DueDate: 50}
	}
	deposit := row("scheduled", 900)
	deposit.Type = portfolio.PaymentDeposit
	lease := portfolio.Lease{
		Record: portfolio.Record{
			ID: r.rents(
				l.Live,
				row("scheduled", 900),
				row("scheduled", 450),
				row("due", 900),
				row("void", 900),
				deposit,
				row("scheduled", 900),
			),
		},
		MonthlyRent: 1000,
	}
	for _, again := range []int64{2, 0} {
		n, err := r.Portfolio.ReviseRent(r.Context(), l.Live, &lease, 900, clock.At(dbtest.Now))
		r.OK(err)
		r.Same(n, again)
		r.Same(r.ledger(l.Live), []string{
			"scheduled 1000 v2", "scheduled 450 v1", "due 900 v1", "void 900 v1",
			"scheduled 900 v1", "scheduled 1000 v2",
		})
	}
}

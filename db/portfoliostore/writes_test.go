package portfoliostore_test

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"sync"

	"portal/api/access"
	"portal/api/id"
	"portal/api/list"
	"portal/api/portfolio"
	"portal/db/dbtest"
)

var writes = []promise{
	{"ASavedPropertyOrTicketIsReadAsItWasSaved", aSavedPropertyOrTicketIsReadAsItWasSaved},
	{"NoPropertyOrTicketIsSavedIntoAnotherPortfolio", noPropertyOrTicketIsSavedIntoAnotherPortfolio},
	{"TicketsAreNumberedWithoutGapsInEachPortfolio", ticketsAreNumberedWithoutGapsInEachPortfolio},
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
		r.Refused(r.Portfolio.SavePayment(r.Context(), in, &other.Payments[0]), "a row of the ledger")
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

package web_test

import (
	"net/url"
	"testing"
	"time"

	"portal/api/access"
	"portal/api/list"
	"portal/api/portfolio"
	"portal/api/portfolio/demo"
	"portal/db/portfoliostore"
	"portal/web/pagetest"
)

func TestRecordTextNeverRunsAsScript(t *testing.T) {
	y := pagetest.NewWebhookPages(t)
	r := y.Member(access.Owner)
	for i, evil := range pagetest.Hostile {
		l := y.Rent(portfolio.LeaseTerminated, evil)
		l.TerminationReason, l.TerminatedOn, l.RentalAddress = &evil, &l.StartDate, evil
		y.OK(portfoliostore.New(y.DB).SaveLease(t.Context(), y.Home.Test, l))
		row := y.Owes(l, evil, portfolio.PaymentFailed)
		p, err := y.Books.Ledger.Payment(t.Context(), y.Actor(), row)
		y.OK(err)
		p.Reference, p.FailureCode, p.FailureMessage = &evil, &evil, &evil
		y.OK(portfoliostore.New(y.DB).SavePayment(t.Context(), y.Home.Test, p))
		one := y.Ticket(evil)
		one.Title, one.EntryNotes, one.Vendor = evil, &evil, &portfolio.Vendor{
			Name:  evil,
			Trade: &evil,
			Phone: &evil,
			Email: &evil,
		}
		one.Triage.Reasons, one.Triage.SafetyFlags = []portfolio.TriageReason{{
			Rule:    evil,
			Matched: evil,
		}}, []string{
			evil,
		}
		y.OK(portfoliostore.New(y.DB).SaveTicket(t.Context(), y.Home.Test, one))
		for _, path := range []string{"/leases/" +
			l.ID, "/leases/" + l.ID +
			"/edit", "/leases/" + l.ID +
			"/charge", "/ledger/" +
			row, "/ledger/" +
			row + "/record", "/ledger/" +
			row + "/void", "/tickets/" +
			one.ID, "/tickets/" +
			one.ID + "/edit",
			"/tickets/new?q=" + url.QueryEscape(evil), "/ledger?lease_id=" + url.QueryEscape(evil)} {
			pagetest.Inert(t, r.Get("/test"+path))
		}
		if i == 0 {
			at := "/test/tickets/new?unit_id=" + *one.UnitID
			form := r.Shown(at)
			for name := range form {
				if name != "unit_id" && name != "property_id" {
					form.Set(name, evil)
				}
			}
			pagetest.Inert(t, r.Post("/test/tickets/new", at, form))
		}
	}
	for _, path := range []string{"/leases", "/ledger", "/tickets"} {
		pagetest.Inert(t, r.Get("/test"+path))
	}
}

// demonstrated are webhookPages with the demo in its test mode.
func demonstrated(t *testing.T) *pagetest.WebhookPages {
	t.Helper()
	y := pagetest.NewWebhookPagesAt(t, pagetest.BaseURL)
	book := demo.Book(y.Now, time.UTC)
	y.OK(portfoliostore.New(y.DB).Add(t.Context(), y.Home.Test, &book))
	return y
}

func TestLeaseTicketAndLedgerPagesAreAccessible(t *testing.T) {
	t.Parallel()
	b, y := pagetest.Browser(t), demonstrated(t)
	leases, err := y.Books.Leases.Leases(t.Context(), y.Actor(), portfolio.LeaseFilter{
		Query:  list.Query{Limit: 1},
		Status: portfolio.LeaseActive,
	})
	y.OK(err)
	tickets, err := y.Books.Tickets.Tickets(t.Context(), y.Actor(), portfolio.TicketFilter{
		Query:    list.Query{Limit: 1},
		Priority: portfolio.PriorityEmergency,
	})
	y.OK(err)
	rows, err := y.Books.Ledger.Payments(t.Context(), y.Actor(), portfolio.PaymentFilter{
		Query:   list.Query{Limit: 1},
		Overdue: new(true),
	})
	y.OK(err)
	l, k, p := "/test/leases/"+leases.Data[0].ID, "/test/tickets/"+tickets.Data[0].ID, "/test/ledger/"+rows.Data[0].ID
	y.Member(access.Owner).Looks(b,
		"/test/leases", "/live/leases", l, l+"/edit", l+"/terminate", l+"/charge",
		"/test/tickets", k, k+"/edit", "/test/tickets/new?q=a", "/test/tickets/new?unit_id="+leases.Data[0].UnitID,
		"/test/ledger", "/test/ledger?overdue=true&lease_id="+leases.Data[0].ID, p, p+"/record", p+"/void",
	)
}

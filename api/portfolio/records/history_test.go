package records_test

import (
	"fmt"
	"strings"
	"testing"

	"portal/api/access"
	"portal/api/clock"
	"portal/api/fault"
	"portal/api/id"
	"portal/api/list"
	"portal/api/portfolio"
	"portal/api/portfolio/ledger/report"
	"portal/db/dbtest"
	"portal/db/portfoliostore"
)

// others are the portfolios that the fixture does not see: the account's demo one, and
// those of another account.
func (h *leaseFixture) others() []access.Portfolio {
	h.Helper()
	other := dbtest.NewHome(h.T, h.db, "robin")
	return []access.Portfolio{h.home.Test, other.Live, other.Test}
}

// history is a page of one kind: the ids, and the cursor of the next one.
func (h *leaseFixture) history(kind report.HistoryKind, f report.HistoryFilter) (ids []string, next string, err error) {
	switch kind {
	case report.HistoryLeases:
		return idsOf(h.Reports.UnitLeases(h.Context(), h.by, f))(func(l *portfolio.Lease) string { return l.ID })
	case report.HistoryMaintenance:
		return idsOf(h.Reports.UnitTickets(h.Context(), h.by, f))(func(t *portfolio.Ticket) string { return t.ID })
	}
	return idsOf(h.Reports.UnitPayments(h.Context(), h.by, f))(func(p *portfolio.Payment) string { return p.ID })
}

func idsOf[T any](page *list.Page[T], err error) func(func(*T) string) ([]string, string, error) {
	return func(id func(*T) string) (ids []string, next string, _ error) {
		if err != nil {
			return nil, "", err
		}
		for i := range page.Data {
			ids = append(ids, id(&page.Data[i]))
		}
		next, _ = page.Next()
		return ids, next, nil
	}
}

func historyKinds() (all []report.HistoryKind) {
	for _, kind := range report.HistoryLeases.Values() {
		all = append(all, report.HistoryKind(kind))
	}
	return all
}

// lived gives the unit of the fixture, and a unit beside it, three records of each kind,
// and is those of the first.
func (h *leaseFixture) lived() map[report.HistoryKind][]string {
	h.Helper()
	here := h.home.Unit[access.Live]
	beside := here
	beside.Record, beside.UnitNumber = h.record(id.Unit, "unit"), "2C"
	h.ok(portfoliostore.New(h.db).AddProperties(h.Context(), h.by.Portfolio, &portfolio.Book{
		Units: []portfolio.Unit{beside},
	}))
	all := map[report.HistoryKind][]string{report.HistoryLeases: {h.let, h.open}}
	for i, unit := range []string{here.ID, beside.ID, here.ID, beside.ID, here.ID} {
		lease := h.adds(
			h.lease(portfolio.LeaseExpired, clock.Day(2020, 1, 1), h.tenants[i%3]),
			func(l *portfolio.Lease) { l.UnitID = unit },
		)
		t := portfolio.Ticket{
			Record:      h.record(id.Ticket, "maintenance_ticket"),
			PropertyID:  here.PropertyID,
			UnitID:      &unit,
			Status:      portfolio.TicketOpen,
			Title:       "Tap",
			Description: "Drips.",
		}
		h.ok(portfoliostore.New(h.db).AddTicket(h.Context(), h.by.Portfolio, &t))
		p := portfolio.Payment{
			Record:     h.record(id.Payment, "payment"),
			LeaseID:    lease,
			TenantID:   h.tenants[0],
			UnitID:     unit,
			PropertyID: here.PropertyID,
			Type:       portfolio.PaymentFee,
			Status:     portfolio.PaymentVoid,
		}
		h.ok(portfoliostore.New(h.db).AddPayment(h.Context(), h.by.Portfolio, &p))
		if unit == here.ID {
			all[report.HistoryLeases] = append(all[report.HistoryLeases], lease)
			all[report.HistoryMaintenance] = append(all[report.HistoryMaintenance], t.ID)
			all[report.HistoryPayments] = append(all[report.HistoryPayments], p.ID)
		}
	}
	return all
}

func TestUnitHistoryIsPaged(t *testing.T) {
	inEach(t, func(h *leaseFixture) {
		all := h.lived()
		for _, kind := range historyKinds() {
			for _, limit := range []int{1, 2, 3, 100} {
				f := report.HistoryFilter{UnitID: h.home.Unit[access.Live].ID, Kind: kind, Limit: limit}
				var visited []string
				for more := true; more; more = f.StartingAfter != "" {
					ids, next, err := h.history(kind, f)
					h.ok(err)
					if len(ids) > limit {
						h.Fatalf("%d with limit %d", len(ids), limit)
					}
					visited, f.StartingAfter = append(visited, ids...), next
				}
				if fmt.Sprint(visited) != fmt.Sprint(all[kind]) {
					h.Errorf("%s by %d: %q, want %q", kind, limit, visited, all[kind])
				}
			}
		}
	})
}

func TestForeignMalformedOrMissingUnitHasNoHistory(t *testing.T) {
	inEach(t, func(h *leaseFixture) {
		h.lived()
		here, foreign := h.home.Unit[access.Live].ID, dbtest.NewHome(h.T, h.db, "robin").Unit[access.Live].ID
		said := map[string]bool{}
		for _, kind := range historyKinds() {
			for _, unit := range []string{
				foreign,
				h.home.Unit[access.Test].ID,
				id.New(id.Unit, h.now),
				strings.ToLower(here),
				here[:20],
				here + "0",
				h.let,
				"unit_",
				"%",
				"",
				"x' OR 1=1",
			} {
				_, _, err := h.history(kind, report.HistoryFilter{UnitID: unit, Limit: 20})
				if !fault.Is(err, fault.NoRecord) || fault.From(err).Param != "unit_id" {
					h.Fatalf("%s of %q: %v", kind, unit, err)
				}
				said[err.Error()] = true
			}
		}
		if len(said) != 1 {
			h.Errorf("said %v", said)
		}
	})
}

// Wrong arguments come before what is not found.
func TestHistoryCursorOfOtherKindIsRefused(t *testing.T) {
	inEach(t, func(h *leaseFixture) {
		prefixes := map[report.HistoryKind]string{
			report.HistoryLeases:      id.Lease,
			report.HistoryMaintenance: id.Ticket,
			report.HistoryPayments:    id.Payment,
		}
		for _, kind := range historyKinds() {
			for _, prefix := range []string{id.Lease, id.Ticket, id.Payment, id.Unit, ""} {
				for _, unit := range []string{h.home.Unit[access.Live].ID, "unit_none"} {
					_, _, err := h.history(kind, report.HistoryFilter{
						UnitID:        unit,
						Kind:          kind,
						Limit:         20,
						StartingAfter: id.New(prefix, h.now),
					})
					switch refused := fault.Is(err, fault.InvalidCursor) && fault.From(err).Param == "starting_after"; {
					case prefix != prefixes[kind] && !refused:
						h.Errorf("%s after a %q: %v", kind, prefix, err)
					case prefix == prefixes[kind] && unit == "unit_none" && !fault.Is(err, fault.NoRecord):
						h.Errorf("%s of no unit: %v", kind, err)
					case prefix == prefixes[kind] && unit != "unit_none" && err != nil:
						h.Errorf("%s after a %q: %v", kind, prefix, err)
					}
				}
			}
		}
	})
}

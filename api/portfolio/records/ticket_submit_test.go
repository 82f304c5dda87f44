package records_test

import (
	"context"
	"reflect"
	"testing"

	"portal/api/access"
	"portal/api/fault"
	"portal/api/portfolio"
	"portal/api/portfolio/ticket"
)

func (h *leaseFixture) leak() ticket.Create {
	u := h.home.Unit[access.Live].ID
	return ticket.Create{
		UnitID:      &u,
		TenantID:    &h.tenants[0],
		Description: "Water is pouring through the kitchen ceiling and will not stop.",
	}
}

func TestATicketThatATenantWritesIsTriagedAndIsAnEvent(t *testing.T) {
	inEach(t, func(h *leaseFixture) {
		m, err := h.Tickets.SubmitTicket(h.Context(), h.by, h.leak())
		h.ok(err)
		k := m.After
		if k.Source != portfolio.FromTenant || k.Triage == nil || k.Category != "plumbing" ||
			k.Priority != portfolio.PriorityEmergency || *k.LeaseID != h.let || k.EntryPermission != "unknown" {
			h.Errorf("%+v", k)
		}
		kinds, records := h.events()
		if len(kinds) != 1 || kinds[0] != "maintenance.created" {
			h.Fatalf("told of %q", kinds)
		}
		if want := h.shown(h.Tickets.Ticket(h.Context(), h.by, k.ID)); !reflect.DeepEqual(records[0], want) {
			h.Errorf("told\n%v\nnot\n%v", records[0], want)
		}
	})
}

func TestATenantWhoWritesIsNamedAndLivesThere(t *testing.T) {
	inEach(t, func(h *leaseFixture) {
		nobody, stranger := h.leak(), h.leak()
		nobody.TenantID, stranger.TenantID = nil, &h.tenants[1]
		for code, c := range map[fault.Code]ticket.Create{
			fault.MissingField: nobody,
			fault.InvalidField: stranger,
		} {
			if _, err := h.Tickets.SubmitTicket(h.Context(), h.by, c); !fault.Is(err, code) ||
				fault.From(err).Param != "tenant_id" {
				h.Errorf("want %s: %v", code, err)
			}
		}
		reader := h.by
		reader.Scopes = access.Scopes{access.Read}
		if _, err := h.Tickets.SubmitTicket(h.Context(), reader, h.leak()); !fault.Is(err, fault.ScopeRequired) {
			h.Error(err)
		}
		h.quiet()
	})
}

func TestATicketOfTheLandlordIsNoEvent(t *testing.T) {
	inEach(t, func(h *leaseFixture) {
		for _, from := range []portfolio.TicketSource{
			portfolio.FromAPI, portfolio.FromDashboard, portfolio.FromAssistant,
		} {
			_, err := h.Tickets.CreateTicket(h.Context(), h.by, from, h.leak())
			h.ok(err)
		}
		h.quiet()
	})
}

func TestARolledBackTicketIsNoEvent(t *testing.T) {
	inEach(t, func(h *leaseFixture) {
		h.stopped(func(ctx context.Context) error {
			_, err := h.Tickets.SubmitTicket(ctx, h.by, h.leak())
			return err
		})
		if page, err := h.Tickets.Tickets(h.Context(), h.by, portfolio.TicketFilter{
			Query: everything,
		}); err != nil || len(page.Data) != 0 {
			h.Errorf("%v, %v", page, err)
		}
	})
}

func TestARuleWorksWithNobodyToTell(t *testing.T) {
	inEach(t, func(h *leaseFixture) {
		h.Service.Use(portfolio.Parts{})
		_, err := h.Tickets.SubmitTicket(h.Context(), h.by, h.leak())
		h.ok(err)
		h.quiet()
	})
}

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

// tenant is a tenant who asks on their own page.
func (h *leaseFixture) tenant(i int) access.Actor {
	by := h.by
	by.TenantID = h.tenants[i]
	return by
}

func TestTenantTicketIsTriagedAndSendsEvent(t *testing.T) {
	inEach(t, func(h *leaseFixture) {
		m, err := h.Tickets.SubmitTicket(h.Context(), h.tenant(0), h.leak(), nil)
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

func TestTicketSubmissionNeedsTenantOfUnit(t *testing.T) {
	inEach(t, func(h *leaseFixture) {
		for code, by := range map[fault.Code]access.Actor{
			fault.MissingField: h.by,
			fault.InvalidField: h.tenant(1),
		} {
			if _, err := h.Tickets.SubmitTicket(h.Context(), by, h.leak(), nil); !fault.Is(err, code) ||
				fault.From(err).Param != "tenant_id" {
				h.Errorf("want %s: %v", code, err)
			}
		}
		reader := h.tenant(0)
		reader.Scopes = access.Scopes{access.Read}
		if _, err := h.Tickets.SubmitTicket(h.Context(), reader, h.leak(), nil); !fault.Is(err, fault.ScopeRequired) {
			h.Error(err)
		}
		h.quiet()
	})
}

func TestLandlordTicketSendsNoEvent(t *testing.T) {
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

func TestRolledBackTicketSendsNoEvent(t *testing.T) {
	inEach(t, func(h *leaseFixture) {
		h.stopped(func(ctx context.Context) error {
			_, err := h.Tickets.SubmitTicket(ctx, h.tenant(0), h.leak(), nil)
			return err
		})
		if page, err := h.Tickets.Tickets(h.Context(), h.by, portfolio.TicketFilter{
			Query: everything,
		}); err != nil || len(page.Data) != 0 {
			h.Errorf("%v, %v", page, err)
		}
	})
}

func TestTicketSubmissionWorksWithoutListeners(t *testing.T) {
	inEach(t, func(h *leaseFixture) {
		h.Service.Use(portfolio.Parts{})
		_, err := h.Tickets.SubmitTicket(h.Context(), h.tenant(0), h.leak(), nil)
		h.ok(err)
		h.quiet()
	})
}

package records_test

import (
	"strings"
	"testing"

	"portal/api/access"
	"portal/api/audit"
	"portal/api/change"
	"portal/api/fault"
	"portal/api/portfolio"
	"portal/api/portfolio/lease"
	"portal/api/portfolio/lease/application"
	"portal/api/portfolio/property"
	"portal/db/servicestore"
)

// ended ends every lease of the fixture.
func (h *leaseFixture) ended() {
	h.Helper()
	for id, to := range map[string]portfolio.LeaseStatus{
		h.let:  portfolio.LeaseTerminated,
		h.open: portfolio.LeaseVoided,
	} {
		_, err := h.Leases.UpdateLease(
			h.Context(),
			h.by,
			change.Target{ID: id},
			lease.Update{Status: change.To(to)},
		)
		h.ok(err)
	}
}

// asPerson lets what is done be that of the landlord, and be taken down.
func (h *leaseFixture) asPerson() audit.Log {
	log := audit.Log{Store: servicestore.NewTrail(h.db), Now: h.clock()}
	h.Service.Use(portfolio.Parts{Trail: log, Post: h.post, BaseURL: "https://portal.example.com/"})
	return log
}

func TestPropertyWithLeaseCannotBeArchived(t *testing.T) {
	inEach(t, func(h *leaseFixture) {
		p, _ := h.propertyAndUnit()
		for _, id := range []string{h.let, h.open} {
			_, err := h.Properties.ArchiveProperty(h.Context(), h.by, change.Target{ID: p.ID})
			h.refusedAt(err, fault.InvalidTransition, "")
			if err == nil || !strings.Contains(err.Error(), id) {
				h.Errorf("%v does not name %s", err, id)
			}
			to := portfolio.LeaseTerminated
			if id == h.open {
				to = portfolio.LeaseVoided
			}
			_, err = h.Leases.UpdateLease(
				h.Context(),
				h.by,
				change.Target{ID: id},
				lease.Update{Status: change.To(to)},
			)
			h.ok(err)
		}
		_, err := h.Properties.ArchiveProperty(h.Context(), h.by, change.Target{ID: p.ID})
		h.ok(err)
	})
}

func TestExpiredLeaseDoesNotBlockArchiving(t *testing.T) {
	inEach(t, func(h *leaseFixture) {
		p, _ := h.propertyAndUnit()
		h.now = h.now.AddDate(1, 0, 0) // and the calendar has not looked yet
		_, err := h.Properties.ArchiveProperty(h.Context(), h.by, change.Target{ID: p.ID})
		h.ok(err)
	})
}

func TestArchivedPropertyIsReadableRestorableAndUncounted(t *testing.T) {
	inEach(t, func(h *leaseFixture) {
		h.ended()
		p, u := h.propertyAndUnit()
		h.by.Units = new(1)
		create := property.Create{
			StreetAddress: "9 Elm Street",
			City:          "Austin",
			State:         "TX",
			PropertyType:  "condo",
		}
		_, err := h.Properties.CreateProperty(h.Context(), h.by, create)
		h.refusedAt(err, fault.UnitLimitReached, "")
		_, err = h.Properties.ArchiveProperty(h.Context(), h.by, change.Target{ID: p.ID, Version: new(p.Version + 1)})
		h.refusedAt(err, fault.StaleWrite, "")
		m, err := h.Properties.ArchiveProperty(h.Context(), h.by, change.Target{ID: p.ID, Version: &p.Version})
		h.ok(err)
		if m.After.Status != portfolio.PropertyArchived || m.After.Version != p.Version+1 {
			h.Errorf("%+v", m.After)
		}
		_, err = h.Units.AddUnit(h.Context(), h.by, p.ID, property.UnitAdd{UnitNumber: "9"})
		h.refusedAt(err, fault.InvalidTransition, "")
		page, err := h.Properties.Properties(h.Context(), h.by, portfolio.PropertyFilter{
			Query:  everything,
			Status: portfolio.PropertyArchived,
		})
		h.ok(err)
		if len(page.Data) != 1 || page.Data[0].ID != p.ID {
			h.Errorf("%+v", page.Data)
		}
		invited, err := h.Invitations.InviteTenant(h.Context(), h.by, application.TenantInvite{
			UnitID: u.ID,
			Email:  "sam@example.com",
		})
		h.ok(err)
		if len(invited.Warnings) != 1 || invited.Warnings[0].Code != "property_archived" {
			h.Errorf("%+v", invited.Warnings)
		}
		_, err = h.Properties.CreateProperty(h.Context(), h.by, create)
		h.ok(err)
		_, err = h.Properties.RestoreProperty(h.Context(), h.by, change.Target{ID: p.ID})
		h.refusedAt(err, fault.UnitLimitReached, "")
		h.by.Units = new(2)
		m, err = h.Properties.RestoreProperty(h.Context(), h.by, change.Target{ID: p.ID})
		h.ok(err)
		if m.After.Status != portfolio.PropertyActive {
			h.Errorf("%+v", m.After)
		}
		_, err = h.Properties.ArchiveProperty(h.Context(), h.owner(access.Test), change.Target{ID: p.ID})
		h.refusedAt(err, fault.NoRecord, "")
	})
}

func TestArchivingByPersonIsAudited(t *testing.T) {
	inEach(t, func(h *leaseFixture) {
		h.ended()
		log, user := h.asPerson(), h.user("dana")
		p, _ := h.propertyAndUnit()
		_, err := h.Properties.ArchiveProperty(h.Context(), h.by, change.Target{ID: p.ID})
		h.ok(err)
		ctx := audit.With(h.Context(), audit.By{UserID: user, Address: "192.0.2.1", RequestID: "req_1"})
		for range 2 { // the second time there is nothing to do
			_, err = h.Properties.RestoreProperty(ctx, h.by, change.Target{ID: p.ID})
			h.ok(err)
		}
		page, err := log.Entries(h.Context(), audit.Query{AccountID: h.home.AccountID})
		h.ok(err)
		if len(page.Data) != 1 || page.Data[0].Action != "property.restored" ||
			page.Data[0].Target != p.ID || page.Data[0].Details["mode"] != "live" {
			h.Errorf("%+v", page.Data)
		}
	})
}

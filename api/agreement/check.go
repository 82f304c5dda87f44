package agreement

import (
	"context"
	"strconv"
	"strings"
	"time"

	"portal/api/access"
	"portal/api/agreement/document"
	"portal/api/agreement/document/pdf"
	"portal/api/change"
	"portal/api/clock"
	"portal/api/fault"
	"portal/api/portfolio"
)

// check holds a lease against the law of its state, other leases of the unit, and what a document can
// show.
func (s *Service) check(ctx context.Context, by access.Actor, t *document.Terms, m *change.Result[Generated]) error {
	wrong := append(t.Lease.CheckLaw(t.Property.State, m.Warn, func(string) bool { return true }), unshown(t)...)
	if err := fault.Invalid(wrong); err != nil {
		return err
	}
	if err := s.draftLimit(ctx, by.Portfolio, t.Lease); err != nil {
		return err
	}
	if t.Landlord.Address == "" {
		m.Warn("notice_address_missing", "The document names no street address for notices to the landlord. Give one to the tenants in writing before they sign.")
	}
	said, err := s.leases.Overlap(ctx, by.Portfolio, t.Lease)
	if err == nil && said != "" {
		m.Warn(string(fault.LeaseDatesOverlap), said+" It cannot be signed by all while that is so.")
	}
	return err
}

// maxDrafts is how many drafts of leases of a unit may be open: each stores a document.
const maxDrafts = 5

// DraftTime is how long the document of a draft that nobody signed is kept after the draft has ended.
const DraftTime = 30 * 24 * time.Hour

// draftLimit refuses a draft of a unit that has as many as it may. A draft that has expired counts no
// longer, even before it is voided.
func (s *Service) draftLimit(ctx context.Context, in access.Portfolio, l *portfolio.Lease) error {
	open, err := s.store.OpenDrafts(ctx, in, l.UnitID, clock.At(s.Now()))
	if err == nil && open >= maxDrafts {
		err = fault.New(fault.DraftLimitReached,
			"The unit has %d open drafts of leases, and %d is the most. Void one that is no longer needed.", open, maxDrafts)
	}
	return err
}

// unshown finds fields with characters for which the document's font has no glyph.
func unshown(t *document.Terms) (all []fault.Detail) {
	look := func(param string, text *string) {
		if text == nil {
			return
		}
		if runes := pdf.Missing(*text); len(runes) > 0 {
			all = append(all, fault.Wrong(param, "has characters that the document cannot show: "+strconv.Quote(string(runes))+"."))
		}
	}
	look("property_id", &t.Lease.RentalAddress)
	for i, p := range t.Lease.Tenants {
		param := "tenant_id"
		if i > 0 {
			param = "additional_tenant_ids." + strconv.Itoa(i-1)
		}
		look(param, &p.Name)
	}
	look("clauses.pets", t.Lease.Terms.Clauses.Pets)
	look("clauses.smoking", t.Lease.Terms.Clauses.Smoking)
	look("clauses.parking", t.Lease.Terms.Clauses.Parking)
	look("clauses.utilities", t.Lease.Terms.Clauses.Utilities)
	for _, text := range []string{t.Landlord.Name, t.Landlord.Email, strings.Join(t.Emails, " ")} {
		if runes := pdf.Missing(text); len(runes) > 0 {
			all = append(all, fault.Detail{Code: fault.InvalidField, Message: "The landlord's name or an email address has characters that the document cannot show: " + strconv.Quote(string(runes)) + "."})
		}
	}
	return all
}

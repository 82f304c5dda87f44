package agreement_test

import (
	"strings"
	"testing"

	"portal/api/agreement"
	"portal/api/change"
	"portal/api/clock"
	"portal/api/contact"
	"portal/api/fault"
	"portal/api/money"
	"portal/api/portfolio"
	"portal/api/portfolio/lease"
	"portal/api/portfolio/lease/law"
	"portal/api/portfolio/lease/terms"
	"portal/api/portfolio/property"
	"portal/db/dbtest"
)

func TestStateGraceDaysAreRecorded(t *testing.T) {
	onEach(t, func(f *fixture) {
		property, units := f.addProperty("MA", portfolio.UnitVacant)
		state := law.Of("MA").GraceDays
		for given, want := range map[*int]int{nil: state, new(3): state, new(45): 45} {
			g := f.asked()
			g.PropertyID = property
			g.UnitID = &units[0]
			g.LateFeeAmount = new(money.Dollars(20))
			g.LateFeeGraceDays = given
			made, err := f.Generate(f.Context(), f.by, g)
			f.ok(err)
			raised := warned(made.Warnings, "grace_days_raised")
			l := f.lease(f.Context(), made.After.ID)
			if *l.LateFeeGraceDays != want || raised != (given != nil && *given < want) {
				f.Errorf("%v of %d days: recorded %d, warned: %v", given, want, *l.LateFeeGraceDays, raised)
			}
		}
	})
}

func warned(all []change.Warning, code string) bool {
	for _, w := range all {
		if w.Code == code {
			return true
		}
	}
	return false
}

func TestGeneratedLeaseHasDatesThatPeopleAgreeOn(t *testing.T) {
	onEach(t, func(f *fixture) {
		today := f.Today(f.by)
		draft := f.generates(nil)
		for name, c := range map[string]struct {
			start clock.Date
			end   *clock.Date
			param string
		}{
			"long ago":     {clock.Day(1650, 1, 1), nil, "start_date"},
			"last day":     {clock.LastDay, nil, "start_date"},
			"day before":   {today.AddMonths(-120) - 1, nil, "start_date"},
			"day behind":   {today.AddMonths(120) + 1, nil, "start_date"},
			"first":        {today.AddMonths(-120), nil, ""},
			"last":         {today.AddMonths(120), nil, ""},
			"no end":       {clock.Day(2027, 1, 9), new(clock.LastDay), "end_date"},
			"a day longer": {clock.Day(2027, 1, 9), new(clock.Day(2037, 1, 9)), "end_date"},
			"ten years":    {clock.Day(2027, 1, 9), new(clock.Day(2037, 1, 8)), ""},
		} {
			g := f.asked()
			g.StartDate, g.EndDate = c.start, c.end
			_, err := f.PreviewDocument(f.Context(), f.by, g)
			_, updated := f.UpdateLease(f.Context(), f.by, change.Target{ID: draft.ID}, lease.Update{
				StartDate: change.To(c.start), EndDate: change.To(new(or(c.end, c.start.AddMonths(12)))),
			})
			for _, err := range []error{err, updated} {
				switch {
				case c.param == "":
					f.ok(err)
				case c.start == clock.LastDay && fault.From(err).Param == "end_date": // an end cannot be after it
				case !fault.Is(err, fault.InvalidField) || fault.From(err).Param != c.param:
					f.Errorf("%s: %v", name, err)
				}
			}
		}
	})
}

func or(day *clock.Date, otherwise clock.Date) clock.Date {
	if day == nil {
		return otherwise
	}
	return *day
}

func TestDraftDocumentFollowsRecordChanges(t *testing.T) {
	onEach(t, func(f *fixture) {
		l := f.generates(nil)
		seen := f.opens(*l.DocumentURL).Content
		changes := func(what string, do func() error) {
			f.ok(do())
			now := f.opens(*l.DocumentURL).Content
			if string(now) == string(seen) {
				f.Errorf("%s left the document as it was", what)
			}
			seen = now
		}
		changes("another name", func() error {
			return f.renames(lease.TenantUpdate{
				LastName: change.To("Whitfield"),
			})
		})
		changes("another address for email", func() error {
			return f.renames(lease.TenantUpdate{
				Email: change.To(new("sam@example.com")),
			})
		})
		changes("another year", func() error {
			return f.moves(property.Update{
				YearBuilt: change.To(new(1950)),
			})
		})
		if err := f.renames(lease.TenantUpdate{
			FirstName: change.To("አበበ"),
		}); !fault.Is(err, fault.InvalidField) || fault.From(err).Param != "first_name" {
			f.Errorf("a name without glyphs: %v", err)
		}
		for field, u := range map[string]property.Update{
			"state": {State: change.To(contact.State("MA"))},
			"city":  {City: change.To("Boston")},
		} {
			err := f.moves(u)
			if !fault.Is(err, fault.SignatureInProgress) || fault.From(err).Param != field ||
				!strings.Contains(err.Error(), l.ID) {
				f.Errorf("another %s: %v", field, err)
			}
		}
		dbtest.Exec(f, f.db, "UPDATE leases SET status = 'pending_signature' WHERE id = $1", l.ID)
		if err := f.renames(lease.TenantUpdate{
			LastName: change.To("Reed"),
		}); !fault.Is(err, fault.SignatureInProgress) || fault.From(err).Param != "last_name" {
			f.Errorf("another name behind a signature: %v", err)
		}
		if err := f.moves(property.Update{
			City: change.To("Boston"),
		}); !fault.Is(err, fault.SignatureInProgress) {
			f.Errorf("another address behind a signature: %v", err)
		}
		dbtest.Exec(f, f.db, "UPDATE leases SET status = 'voided' WHERE id = $1", l.ID)
		f.ok(f.moves(property.Update{City: change.To("Boston")}))
		f.ok(f.renames(lease.TenantUpdate{FirstName: change.To("አበበ")}))
	})
}

func (f *fixture) renames(u lease.TenantUpdate) error {
	_, err := f.rules.Tenants.UpdateTenant(f.Context(), f.by, change.Target{ID: f.tenants[0]}, u)
	return err
}

func (f *fixture) moves(u property.Update) error {
	_, err := f.rules.Properties.UpdateProperty(f.Context(), f.by, change.Target{
		ID: f.home.Unit[f.by.Portfolio.Mode].PropertyID,
	}, u)
	return err
}

func TestSigningNeedsLeadPaintDisclosure(t *testing.T) {
	onEach(t, func(f *fixture) {
		l := f.generates(nil)
		sign := func() error {
			_, err := f.leases.Sign(f.Context(), f.by, l.ID, lease.Signature{TenantID: f.tenants[0]})
			return err
		}
		if err := sign(); !fault.Is(err, fault.LeadPaintUnanswered) {
			f.Errorf("%v", err)
		}
		made, err := f.UpdateLease(f.Context(), f.by, change.Target{ID: l.ID}, lease.Update{
			LeadPaint: change.To(&terms.LeadPaint{Hazards: terms.NoHazards, Records: terms.NoRecords})})
		f.ok(err)
		if made.After.LeadPaint == nil || warned(made.Warnings, "lead_paint_unanswered") {
			f.Errorf("%+v, %+v", made.After, made.Warnings)
		}
		f.ok(sign())
	})
}

func TestDisclosureThatLawAlwaysAsksForCannotBeDenied(t *testing.T) {
	onEach(t, func(f *fixture) {
		property, units := f.addProperty("NV", portfolio.UnitVacant)
		asked := func(deposit money.Cents, answers ...terms.Answer) agreement.LeaseGenerate {
			g := f.asked()
			g.PropertyID, g.UnitID, g.SecurityDeposit, g.Disclosures = property, &units[0], deposit, &answers
			return g
		}
		for _, code := range []string{"flag_display", "lead_paint"} { // by the state, and by the year that is not known
			g := asked(0, terms.Answer{Code: "foreclosure"}, terms.Answer{Code: code})
			_, err := f.Generate(f.Context(), f.by, g)
			if !fault.Is(err, fault.InvalidField) || fault.From(err).Param != "disclosures.1.applies" ||
				!strings.Contains(err.Error(), "always has the disclosure "+code) {
				f.Errorf("%s: %v", code, err)
			}
			if _, err := f.PreviewDocument(f.Context(), f.by, g); fault.From(err).Param != "disclosures.1.applies" {
				f.Errorf("%s: a preview: %v", code, err)
			}
		}
		made, err := f.Generate(f.Context(), f.by, asked(0, terms.Answer{Code: "foreclosure"},
			terms.Answer{Code: "flag_display", Applies: true}))
		f.ok(err)
		_, err = f.UpdateLease(f.Context(), f.by, change.Target{ID: made.After.ID}, lease.Update{
			Disclosures: change.To([]terms.Answer{{Code: "flag_display"}})})
		if !fault.Is(err, fault.InvalidField) || fault.From(err).Param != "disclosures.0.applies" {
			f.Errorf("an update: %v", err)
		}
		dbtest.Exec(f, f.db, "UPDATE properties SET year_built = 1990 WHERE id = $1", property)
		_, err = f.Generate(f.Context(), f.by, asked(0, terms.Answer{Code: "lead_paint"}))
		f.ok(err) // of this home the law does not ask for it
	})
}

func TestPamphletIsNotedWithDayThatHasCome(t *testing.T) {
	onEach(t, func(f *fixture) {
		noted := func(on clock.Date) *terms.LeadPaint {
			return &terms.LeadPaint{Hazards: terms.NoHazards, Records: terms.NoRecords, PamphletGivenOn: &on}
		}
		today := f.Today(f.by)
		made, err := f.Generate(f.Context(), f.by, f.asked())
		f.ok(err)
		if !warned(made.Warnings, "lead_pamphlet_on_paper") || !made.After.PamphletMissing() {
			f.Errorf("%+v", made.Warnings)
		}
		for _, wrong := range []clock.Date{today + 1, clock.Day(1650, 1, 1)} {
			g := f.asked()
			g.LeadPaint = noted(wrong)
			_, generated := f.Generate(f.Context(), f.by, g)
			_, updated := f.UpdateLease(f.Context(), f.by, change.Target{ID: made.After.ID},
				lease.Update{LeadPaint: change.To(noted(wrong))})
			for _, err := range []error{generated, updated} {
				if !fault.Is(err, fault.InvalidField) || fault.From(err).Param != "lead_paint.pamphlet_given_on" {
					f.Errorf("%s: %v", wrong, err)
				}
			}
		}
		made, err = f.UpdateLease(f.Context(), f.by, change.Target{ID: made.After.ID},
			lease.Update{LeadPaint: change.To(noted(today))})
		f.ok(err)
		if warned(made.Warnings, "lead_pamphlet_on_paper") || made.After.PamphletMissing() ||
			*f.withTerms(made.After.ID).Terms.LeadPaint.PamphletGivenOn != today {
			f.Errorf("%+v, %+v", made.After.Terms.LeadPaint, made.Warnings)
		}
	})
}

func TestActiveLeaseUpdateIsRefusedOnlyForChangedTerms(t *testing.T) {
	onEach(t, func(f *fixture) {
		property, units := f.addProperty("NY", portfolio.UnitOccupied)
		l := f.leaseOf(portfolio.LeaseActive, clock.Day(2026, 1, 1), clock.Day(2027, 6, 30))
		dbtest.Exec(
			f,
			f.db,
			`UPDATE leases SET property_id = $1, unit_id = $2, security_deposit = 900000, late_fee_amount = 90000,
			late_fee_grace_days = NULL WHERE id = $3`,
			property,
			units[0],
			l,
		)
		update := func(u lease.Update) (*change.Result[agreement.LeaseWithTerms], error) {
			return f.UpdateLease(f.Context(), f.by, change.Target{ID: l}, u)
		}
		made, err := update(lease.Update{EndDate: change.To(new(clock.Day(2027, 5, 31)))})
		f.ok(err)
		if made.After.LateFeeGraceDays != nil || !warned(made.Warnings, "late_fee_above_usual_maximum") ||
			!warned(made.Warnings, "deposit_above_usual_maximum") {
			f.Errorf("%+v, %+v", made.After.LateFeeGraceDays, made.Warnings)
		}
		if _, err := update(lease.Update{
			MonthlyRent: change.To(money.Dollars(900)),
		}); !fault.Is(err, fault.LateFeeAboveMaximum) {
			f.Errorf("another rent under a late fee: %v", err)
		}
		if _, err := update(lease.Update{
			SecurityDeposit: change.To(money.Dollars(8000)),
		}); !fault.Is(err, fault.DepositAboveMaximum) {
			f.Errorf("another deposit: %v", err)
		}
	})
}

func TestDraftUpdateNeedsLandlordAddress(t *testing.T) {
	onEach(t, func(f *fixture) {
		l := f.generates(nil)
		f.ok(f.setDetails(agreement.DetailsUpdate{Address: change.To[*string](nil)}))
		_, err := f.UpdateLease(
			f.Context(),
			f.by,
			change.Target{ID: l.ID},
			lease.Update{RentDueDay: change.To(3)},
		)
		if !fault.Is(err, fault.LandlordAddressRequired) {
			f.Errorf("%v", err)
		}
		_, err = f.UpdateLease(
			f.Context(),
			f.by,
			change.Target{ID: l.ID},
			lease.Update{Status: change.To(portfolio.LeaseVoided)},
		)
		f.ok(err)
	})
}

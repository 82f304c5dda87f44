package agreement_test

import (
	"context"
	"strings"
	"testing"

	"portal/api/agreement"
	"portal/api/change"
	"portal/api/clock"
	"portal/api/contact"
	"portal/api/fault"
	"portal/api/money"
	"portal/api/portfolio"
	"portal/api/portfolio/leaserules"
	"portal/api/portfolio/leaseterms"
	"portal/db/dbtest"
)

// unlawful are leases that the law of a state refuses: lawful ones with one change.
var unlawful = []struct {
	name   string
	state  contact.State
	lawful func(g *agreement.LeaseGenerate)
	ask    func(g *agreement.LeaseGenerate)
	change portfolio.LeaseUpdate // which does the same as ask
	code   fault.Code
	param  string
}{
	{"a lower rent under a deposit, MA", "MA",
		func(g *agreement.LeaseGenerate) {
			g.MonthlyRent, g.SecurityDeposit = money.Dollars(2000), money.Dollars(2000)
		},
		func(g *agreement.LeaseGenerate) { g.MonthlyRent = money.Dollars(1) },
		portfolio.LeaseUpdate{MonthlyRent: change.To(money.Dollars(1))}, fault.DepositAboveMaximum, "security_deposit"},
	{
		"a lower rent under a deposit, CA",
		"CA",
		func(g *agreement.LeaseGenerate) {
			g.MonthlyRent, g.SecurityDeposit = money.Dollars(3000), money.Dollars(3000)
		},
		func(g *agreement.LeaseGenerate) { g.MonthlyRent = money.Dollars(1000) },
		portfolio.LeaseUpdate{MonthlyRent: change.To(money.Dollars(1000))},
		fault.DepositAboveMaximum,
		"security_deposit",
	},
	{
		"a higher deposit, CO",
		"CO",
		func(*agreement.LeaseGenerate) {},
		func(g *agreement.LeaseGenerate) { g.SecurityDeposit = money.Dollars(9000) },
		portfolio.LeaseUpdate{SecurityDeposit: change.To(money.Dollars(9000))},
		fault.DepositAboveMaximum,
		"security_deposit",
	},
	{
		"a lower rent under a late fee, NY",
		"NY",
		func(g *agreement.LeaseGenerate) {
			g.MonthlyRent, g.LateFeeAmount = money.Dollars(1000), new(money.Dollars(50))
		},
		func(g *agreement.LeaseGenerate) { g.MonthlyRent = money.Dollars(500) },
		portfolio.LeaseUpdate{MonthlyRent: change.To(money.Dollars(500))},
		fault.LateFeeAboveMaximum,
		"late_fee_amount",
	},
	{
		"a higher late fee, TX",
		"TX",
		func(*agreement.LeaseGenerate) {},
		func(g *agreement.LeaseGenerate) { g.LateFeeAmount = new(money.Dollars(900)) },
		portfolio.LeaseUpdate{LateFeeAmount: change.To(new(money.Dollars(900)))},
		fault.LateFeeAboveMaximum,
		"late_fee_amount",
	},
	{
		"a daily late fee, CT",
		"CT",
		func(g *agreement.LeaseGenerate) { g.LateFeeAmount = new(money.Dollars(20)) },
		func(g *agreement.LeaseGenerate) { g.LateFeeFrequency = leaseterms.Daily },
		portfolio.LeaseUpdate{LateFeeFrequency: change.To(leaseterms.Daily)},
		fault.LateFeeAboveMaximum,
		"late_fee_amount",
	},
	{
		"month-to-month under a deposit, NC",
		"NC",
		func(g *agreement.LeaseGenerate) {
			g.MonthlyRent, g.SecurityDeposit = money.Dollars(1000), money.Dollars(2000)
		},
		func(g *agreement.LeaseGenerate) { g.LeaseType = portfolio.MonthToMonth },
		portfolio.LeaseUpdate{
			LeaseType: change.To(portfolio.MonthToMonth),
			EndDate:   change.To[*clock.Date](nil),
		},
		fault.DepositAboveMaximum,
		"security_deposit",
	},
	{"a fee beside a full deposit, CA", "CA",
		func(g *agreement.LeaseGenerate) {
			g.MonthlyRent, g.SecurityDeposit = money.Dollars(1000), money.Dollars(2000)
		},
		func(g *agreement.LeaseGenerate) { g.Fees = &petDeposit },
		portfolio.LeaseUpdate{Fees: change.To(petDeposit)}, fault.DepositAboveMaximum, "fees"},
	{
		"an answer to what the state does not ask",
		"TX",
		func(*agreement.LeaseGenerate) {},
		func(g *agreement.LeaseGenerate) {
			g.Disclosures = &[]leaseterms.Answer{{Code: "voter_registration_packet"}}
		},
		portfolio.LeaseUpdate{
			Disclosures: change.To([]leaseterms.Answer{{Code: "voter_registration_packet"}}),
		},
		fault.InvalidField,
		"disclosures.0.code",
	},
	{"hazards without what they are", "TX", func(*agreement.LeaseGenerate) {},
		func(g *agreement.LeaseGenerate) { g.LeadPaint = &unexplained },
		portfolio.LeaseUpdate{LeadPaint: change.To(&unexplained)}, fault.MissingField, "lead_paint.details"},
	{"an occupant without glyphs", "TX", func(*agreement.LeaseGenerate) {},
		func(g *agreement.LeaseGenerate) { g.Occupants = &[]string{"Sam", "张伟"} },
		portfolio.LeaseUpdate{Occupants: change.To([]string{"Sam", "张伟"})}, fault.InvalidField, "occupants.1"},
	{
		"a fee without glyphs",
		"TX",
		func(*agreement.LeaseGenerate) {},
		func(g *agreement.LeaseGenerate) { g.Fees = &foreignFee },
		portfolio.LeaseUpdate{Fees: change.To(foreignFee)},
		fault.InvalidField,
		"fees.0.name",
	},
	{
		"a clause without glyphs",
		"TX",
		func(*agreement.LeaseGenerate) {},
		func(g *agreement.LeaseGenerate) { g.Clauses = &leaseterms.Clauses{Parking: new("駐車場")} },
		portfolio.LeaseUpdate{Clauses: change.To(&leaseterms.Clauses{Parking: new("駐車場")})},
		fault.InvalidField,
		"clauses.parking",
	},
}

var (
	petDeposit  = []leaseterms.Fee{{Name: "Pet deposit", Amount: money.Dollars(500), Frequency: leaseterms.OneTime}}
	foreignFee  = []leaseterms.Fee{{Name: "駐車場", Amount: money.Dollars(1), Frequency: leaseterms.Monthly}}
	unexplained = leaseterms.LeadPaint{Hazards: leaseterms.KnownHazards, Records: leaseterms.NoRecords}
)

func TestWhatTheLawRefusesIsRefusedWhereverALeaseIsWritten(t *testing.T) {
	onEach(t, func(f *fixture) {
		for _, c := range unlawful {
			property, units := f.addProperty(c.state, portfolio.UnitVacant)
			g := f.asked()
			g.PropertyID, g.UnitID = property, &units[0]
			c.lawful(&g)
			made, err := f.Generate(f.Context(), f.by, g)
			if err != nil {
				f.Errorf("%s: the lease without it: %v", c.name, err)
				continue
			}
			c.ask(&g)
			at := change.Target{ID: made.After.ID}
			for way, write := range map[string]func(ctx context.Context) error{
				"generation": func(ctx context.Context) error { _, err := f.Generate(ctx, f.by, g); return err },
				"preview":    func(ctx context.Context) error { _, err := f.Preview(ctx, f.by, g); return err },
				"dry run": func(ctx context.Context) error {
					return change.DryRun(
						ctx,
						f.db,
						func(ctx context.Context) error { _, err := f.Generate(ctx, f.by, g); return err },
					)
				},
				"update": func(ctx context.Context) error {
					_, err := f.UpdateLease(ctx, f.by, at, c.change)
					return err
				},
				"dry run of an update": func(ctx context.Context) error {
					return change.DryRun(
						ctx,
						f.db,
						func(ctx context.Context) error {
							_, err := f.UpdateLease(ctx, f.by, at, c.change)
							return err
						},
					)
				},
			} {
				if err := write(f.Context()); !fault.Is(err, c.code) || fault.From(err).Param != c.param {
					f.Errorf("%s, %s: %v at %q", c.name, way, err, fault.From(err).Param)
				}
			}
			if l := f.lease(f.Context(), made.After.ID); l.Version != 1 {
				f.Errorf("%s: what was refused has changed the lease: %+v", c.name, l)
			}
		}
	})
}

func TestTheDaysOfGraceOfTheStateAreRecorded(t *testing.T) {
	onEach(t, func(f *fixture) {
		property, units := f.addProperty("MA", portfolio.UnitVacant)
		state := leaserules.Of("MA").GraceDays
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

func TestALeaseEndsWithinTheCalendar(t *testing.T) {
	onEach(t, func(f *fixture) {
		for param, ask := range map[string]func(*agreement.LeaseGenerate){
			"start_date":  func(*agreement.LeaseGenerate) {},
			"term_months": func(g *agreement.LeaseGenerate) { g.TermMonths = new(1) },
		} {
			g := f.asked()
			g.StartDate = clock.LastDay
			ask(&g)
			_, err := f.Generate(f.Context(), f.by, g)
			if !fault.Is(err, fault.InvalidField) || fault.From(err).Param != param {
				f.Errorf("%v", err)
			}
		}
		l := f.generates(func(g *agreement.LeaseGenerate) { g.StartDate = clock.Day(9999, 1, 1) })
		if *l.EndDate != clock.LastDay {
			f.Errorf("ends on %s", l.EndDate)
		}
	})
}

func TestADraftFollowsWhatItsDocumentSays(t *testing.T) {
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
			return f.renames(portfolio.TenantUpdate{
				LastName: change.To("Whitfield"),
			})
		})
		changes("another address for email", func() error {
			return f.renames(portfolio.TenantUpdate{
				Email: change.To(new("sam@example.com")),
			})
		})
		changes("another year", func() error {
			return f.moves(portfolio.PropertyUpdate{
				YearBuilt: change.To(new(1950)),
			})
		})
		if err := f.renames(portfolio.TenantUpdate{
			FirstName: change.To("张伟"),
		}); !fault.Is(err, fault.InvalidField) || fault.From(err).Param != "first_name" {
			f.Errorf("a name without glyphs: %v", err)
		}
		for field, u := range map[string]portfolio.PropertyUpdate{
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
		if err := f.renames(portfolio.TenantUpdate{
			LastName: change.To("Reed"),
		}); !fault.Is(err, fault.SignatureInProgress) || fault.From(err).Param != "last_name" {
			f.Errorf("another name behind a signature: %v", err)
		}
		if err := f.moves(portfolio.PropertyUpdate{
			City: change.To("Boston"),
		}); !fault.Is(err, fault.SignatureInProgress) {
			f.Errorf("another address behind a signature: %v", err)
		}
		dbtest.Exec(f, f.db, "UPDATE leases SET status = 'voided' WHERE id = $1", l.ID)
		f.ok(f.moves(portfolio.PropertyUpdate{City: change.To("Boston")}))
		f.ok(f.renames(portfolio.TenantUpdate{FirstName: change.To("张伟")}))
	})
}

func (f *fixture) renames(u portfolio.TenantUpdate) error {
	_, err := f.rules.Tenants.UpdateTenant(f.Context(), f.by, change.Target{ID: f.tenants[0]}, u)
	return err
}

func (f *fixture) moves(u portfolio.PropertyUpdate) error {
	_, err := f.rules.Properties.UpdateProperty(f.Context(), f.by, change.Target{
		ID: f.home.Unit[f.by.Portfolio.Mode].PropertyID,
	}, u)
	return err
}

func TestNobodySignsBeforeTheLandlordHasStatedWhatIsKnownOfLeadPaint(t *testing.T) {
	onEach(t, func(f *fixture) {
		l := f.generates(nil)
		sign := func() error {
			_, err := f.leases.SignLease(f.Context(), f.by, l.ID, f.tenants[0])
			return err
		}
		if err := sign(); !fault.Is(err, fault.LeadPaintUnanswered) {
			f.Errorf("%v", err)
		}
		made, err := f.UpdateLease(f.Context(), f.by, change.Target{ID: l.ID}, portfolio.LeaseUpdate{
			LeadPaint: change.To(&leaseterms.LeadPaint{Hazards: leaseterms.NoHazards, Records: leaseterms.NoRecords})})
		f.ok(err)
		if made.After.LeadPaint == nil || warned(made.Warnings, "lead_paint_unanswered") {
			f.Errorf("%+v, %+v", made.After, made.Warnings)
		}
		f.ok(sign())
	})
}

func TestUnderALeaseThatRunsOnlyWhatAChangeIsAboutIsRefused(t *testing.T) {
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
		update := func(u portfolio.LeaseUpdate) (*change.Result[agreement.LeaseWithTerms], error) {
			return f.UpdateLease(f.Context(), f.by, change.Target{ID: l}, u)
		}
		made, err := update(portfolio.LeaseUpdate{EndDate: change.To(new(clock.Day(2027, 5, 31)))})
		f.ok(err)
		if made.After.LateFeeGraceDays != nil || !warned(made.Warnings, "late_fee_above_usual_maximum") ||
			!warned(made.Warnings, "deposit_above_usual_maximum") {
			f.Errorf("%+v, %+v", made.After.LateFeeGraceDays, made.Warnings)
		}
		if _, err := update(portfolio.LeaseUpdate{
			MonthlyRent: change.To(money.Dollars(900)),
		}); !fault.Is(err, fault.LateFeeAboveMaximum) {
			f.Errorf("another rent under a late fee: %v", err)
		}
		if _, err := update(portfolio.LeaseUpdate{
			SecurityDeposit: change.To(money.Dollars(8000)),
		}); !fault.Is(err, fault.DepositAboveMaximum) {
			f.Errorf("another deposit: %v", err)
		}
	})
}

func TestADraftIsNotChangedWithoutAnAddressForNotices(t *testing.T) {
	onEach(t, func(f *fixture) {
		l := f.generates(nil)
		f.ok(f.setDetails(agreement.DetailsUpdate{Address: change.To[*string](nil)}))
		_, err := f.UpdateLease(
			f.Context(),
			f.by,
			change.Target{ID: l.ID},
			portfolio.LeaseUpdate{RentDueDay: change.To(3)},
		)
		if !fault.Is(err, fault.LandlordAddressRequired) {
			f.Errorf("%v", err)
		}
		_, err = f.UpdateLease(
			f.Context(),
			f.by,
			change.Target{ID: l.ID},
			portfolio.LeaseUpdate{Status: change.To(portfolio.LeaseVoided)},
		)
		f.ok(err)
	})
}

package agreement_test

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"reflect"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"portal/api/access"
	"portal/api/agreement"
	"portal/api/change"
	"portal/api/clock"
	"portal/api/contact"
	"portal/api/fault"
	"portal/api/id"
	"portal/api/list"
	"portal/api/money"
	"portal/api/portfolio"
	"portal/api/portfolio/lease"
	"portal/api/portfolio/lease/terms"
	"portal/api/secret"
	"portal/db/dbtest"
	"portal/db/portfoliostore"
)

func TestGeneratedLeaseHasDocument(t *testing.T) {
	onEach(t, func(f *fixture) {
		got := f.generates(func(g *agreement.LeaseGenerate) {
			g.AdditionalTenantIDs = new(f.tenants[1:])
			g.SecurityDeposit = money.Dollars(1000)
			g.LateFeeAmount = new(money.Dollars(50))
			g.Clauses = &terms.Clauses{Pets: new("One cat.")}
		})
		l := f.lease(f.Context(), got.ID)
		if l.Status != portfolio.LeaseDraft || l.Version != 1 || *l.EndDate != clock.Day(2028, 1, 8) ||
			*l.ExpiresAt != got.CreatedAt+14*24*60*60*1000 || l.UnitID != f.home.Unit[access.Live].ID ||
			l.RentalAddress !=
				"1420 Maple Avenue, Unit 2B, Austin, TX 78701" || l.MonthlyRent !=
			145050 || l.SecurityDeposit !=
			money.Dollars(1000) || l.EsignURL !=
			nil || l.SignedAt !=
			nil {
			f.Errorf("%+v", l)
		}
		if len(l.Tenants) != 2 || l.Tenants[0].Role != portfolio.PartyPrimary ||
			l.Tenants[1].Role != portfolio.PartyCoTenant || l.Tenants[1].Name != "Nguyễn Thảo" {
			f.Errorf("%+v", l.Tenants)
		}
		if got.DocumentURL == nil || *l.DocumentURL != *got.DocumentURL ||
			!strings.HasPrefix(*got.DocumentURL, baseURL+"/documents/doc_") {
			f.Errorf("%v, and read again %v", got.DocumentURL, l.DocumentURL)
		}
		all, err := f.leases.Leases(f.Context(), f.by, portfolio.LeaseFilter{Query: list.Query{Limit: 10}})
		f.ok(err)
		if len(all.Data) != 1 || *all.Data[0].DocumentURL != *got.DocumentURL {
			f.Errorf("%+v", all.Data)
		}
		shown := f.opens(*got.DocumentURL)
		sum := sha256.Sum256(shown.Content)
		if !bytes.HasPrefix(shown.Content, []byte("%PDF-")) || shown.Address != l.RentalAddress ||
			shown.Landlord != "dana" {
			f.Errorf("%.20s, %s, %s", shown.Content, shown.Address, shown.Landlord)
		}
		hashes := dbtest.Texts(f, f.db, "SELECT sha256 FROM documents")
		if !slices.Equal(hashes, []string{hex.EncodeToString(sum[:])}) {
			f.Errorf("%v", hashes)
		}
		if got.Jurisdiction.State != "TX" || len(got.Disclosures) == 0 || got.Disclosures[0].Code != "lead_paint" {
			f.Errorf("%+v, %+v", got.Jurisdiction, got.Disclosures)
		}
		for i, want := range []string{
			"tenant Sam Rivera " + f.tenants[0], "tenant Nguyễn Thảo " + f.tenants[1],
			"landlord dana ",
		} {
			s := got.Signers[i]
			tenant := ""
			if s.TenantID != nil {
				tenant = *s.TenantID
			}
			is := string(s.Role) + " " + s.Name + " " + tenant
			if is != want || s.Status != agreement.AwaitingSignature || !id.Valid("sig", s.ID) {
				f.Errorf("%+v", s)
			}
		}
		again := f.withTerms(l.ID)
		if !reflect.DeepEqual(again.Signers, got.Signers) || !reflect.DeepEqual(again.Disclosures, got.Disclosures) {
			f.Errorf("read again: %+v", again)
		}
	})
}

func TestLeaseTermMatchesRequest(t *testing.T) {
	onEach(t, func(f *fixture) {
		for want, ask := range map[string]func(*agreement.LeaseGenerate){
			"2028-01-08": func(*agreement.LeaseGenerate) {},
			"2027-07-08": func(g *agreement.LeaseGenerate) { g.TermMonths = new(6) },
			"2027-03-31": func(g *agreement.LeaseGenerate) { g.EndDate = new(clock.Day(2027, 3, 31)) },
			"2037-01-08": func(g *agreement.LeaseGenerate) {
				g.TermMonths, g.LeaseType = new(120), new(portfolio.FixedWithRollover)
			},
			"": func(g *agreement.LeaseGenerate) { g.LeaseType = new(portfolio.MonthToMonth) },
		} {
			end := ""
			if l := f.generates(ask); l.EndDate != nil {
				end = l.EndDate.String()
			}
			if end != want {
				f.Errorf("ends on %q, want %q", end, want)
			}
		}
	})
}

func TestInvalidLeaseRequestsAreRefused(t *testing.T) {
	onEach(t, func(f *fixture) {
		ethiopic := f.addTenants("አበበ Cohen")[0]
		active := f.leaseOf(portfolio.LeaseActive, clock.Day(2026, 1, 9), clock.Day(2027, 1, 8))
		expired := f.leaseOf(portfolio.LeaseExpired, clock.Day(2024, 1, 9), clock.Day(2025, 1, 8))
		for name, c := range map[string]struct {
			ask   func(*agreement.LeaseGenerate)
			code  fault.Code
			param string
		}{
			"no property": {
				func(g *agreement.LeaseGenerate) { g.PropertyID = "prop_x" },
				fault.NoRecord,
				"property_id",
			},
			"another's property": {
				func(g *agreement.LeaseGenerate) { g.PropertyID = f.home.Unit[access.Test].PropertyID },
				fault.NoRecord,
				"property_id",
			},
			"no tenant": {
				func(g *agreement.LeaseGenerate) { g.TenantID = "ten_x" },
				fault.NoRecord,
				"tenant_id",
			},
			"no other tenant": {
				func(g *agreement.LeaseGenerate) { g.AdditionalTenantIDs = &[]string{f.tenants[1], "ten_x"} },
				fault.NoRecord,
				"additional_tenant_ids.1",
			},
			"the same tenant": {
				func(g *agreement.LeaseGenerate) { g.AdditionalTenantIDs = &[]string{f.tenants[0]} },
				fault.InvalidField,
				"additional_tenant_ids.0",
			},
			"another's unit": {
				func(g *agreement.LeaseGenerate) { g.UnitID = new(f.home.Unit[access.Test].ID) },
				fault.NoRecord,
				"unit_id",
			},
			"an end before": {
				func(g *agreement.LeaseGenerate) { g.EndDate = new(clock.Day(2027, 1, 9)) },
				fault.DateOrder,
				"end_date",
			},
			"an end and a term": {
				func(g *agreement.LeaseGenerate) { g.EndDate, g.TermMonths = new(clock.Day(2028, 1, 9)), new(3) },
				fault.InvalidField,
				"term_months",
			},
			"an end month to month": {func(g *agreement.LeaseGenerate) {
				g.EndDate, g.LeaseType = new(clock.Day(2028, 1, 9)), new(portfolio.MonthToMonth)
			}, fault.InvalidField, "end_date"},
			"a term month to month": {
				func(g *agreement.LeaseGenerate) { g.TermMonths, g.LeaseType = new(3), new(portfolio.MonthToMonth) },
				fault.InvalidField,
				"term_months",
			},
			"too high a late fee": {
				func(g *agreement.LeaseGenerate) { g.LateFeeAmount = new(money.Dollars(900)) },
				fault.LateFeeAboveMaximum,
				"late_fee_amount",
			},
			"a name without glyphs": {
				func(g *agreement.LeaseGenerate) { g.TenantID = ethiopic },
				fault.InvalidField,
				"tenant_id",
			},
			"another such": {
				func(g *agreement.LeaseGenerate) { g.AdditionalTenantIDs = &[]string{ethiopic} },
				fault.InvalidField,
				"additional_tenant_ids.0",
			},
			"a clause without": {
				func(g *agreement.LeaseGenerate) { g.Clauses = &terms.Clauses{Parking: new("መኪና")} },
				fault.InvalidField,
				"clauses.parking",
			},
			"renews no lease": {
				func(g *agreement.LeaseGenerate) { g.RenewsLeaseID = new("lea_x") },
				fault.NoRecord,
				"renews_lease_id",
			},
			"renews an expired one": {
				func(g *agreement.LeaseGenerate) { g.RenewsLeaseID = &expired },
				fault.InvalidTransition,
				"renews_lease_id",
			},
			"renews one of elsewhere": {func(g *agreement.LeaseGenerate) {
				p, u := f.addProperty("CO", portfolio.UnitVacant)
				g.PropertyID, g.UnitID, g.RenewsLeaseID = p, &u[0], &active
			}, fault.InvalidField, "renews_lease_id"},
			"too high a deposit": {func(g *agreement.LeaseGenerate) {
				g.PropertyID, _ = f.addProperty("CO", portfolio.UnitVacant)
				g.SecurityDeposit = money.Dollars(9000)
			}, fault.DepositAboveMaximum, "security_deposit"},
		} {
			g := f.asked()
			c.ask(&g)
			_, err := f.Generate(f.Context(), f.by, g)
			if !fault.Is(err, c.code) || fault.From(err).Param != c.param {
				f.Errorf("%s: %v at %q", name, err, fault.From(err).Param)
			}
		}
		reader := f.by
		reader.Scopes = access.Scopes{access.Read}
		if _, err := f.Generate(f.Context(), reader, f.asked()); !fault.Is(err, fault.ScopeRequired) {
			f.Errorf("by who may only read: %v", err)
		}
		if n := dbtest.Texts(f, f.db, "SELECT id FROM documents"); len(n) != 0 {
			f.Errorf("%v", n)
		}
		dbtest.Exec(f, f.db, "UPDATE leases SET security_deposit = 90000 WHERE id = $1", active)
		l := f.generates(func(g *agreement.LeaseGenerate) { g.RenewsLeaseID = &active })
		if *l.RenewedFromLeaseID != active {
			f.Errorf("%+v", l)
		}
		if held := f.lease(f.Context(), l.ID).Terms.HeldDeposit; held == nil || *held != money.Dollars(900) {
			f.Errorf("of the deposit is held: %v", held)
		}
	})
}

// leaseOf adds a lease of the fixture's unit.
func (f *fixture) leaseOf(status portfolio.LeaseStatus, start, end clock.Date) string {
	f.Helper()
	u := f.home.Unit[access.Live]
	l := portfolio.Lease{
		Record:        dbtest.Record(id.Lease, "lease", access.Live, f.now),
		Status:        status,
		PropertyID:    u.PropertyID,
		UnitID:        u.ID,
		LeaseType:     portfolio.Fixed,
		StartDate:     start,
		EndDate:       &end,
		MonthlyRent:   money.Dollars(1000),
		RentDueDay:    1,
		RentalAddress: "a",
		Tenants: []portfolio.Party{
			{ID: f.tenants[1], Role: portfolio.PartyPrimary},
			{ID: f.tenants[0], Role: portfolio.PartyCoTenant},
		},
	}
	f.ok(portfoliostore.New(f.db).AddPeople(f.Context(), f.home.Live, &portfolio.Book{
		Leases: []portfolio.Lease{l},
	}))
	return l.ID
}

// addProperty adds a property in a state with a unit of each status.
func (f *fixture) addProperty(
	state contact.State, statuses ...portfolio.UnitStatus,
) (propertyID string, units []string) {
	f.Helper()
	p := portfolio.Property{
		Record:             dbtest.Record(id.Property, "property", access.Live, f.now),
		StreetAddress:      "9 Pine Street",
		City:               "Elsewhere",
		State:              state,
		Country:            "US",
		PropertyType:       "duplex",
		Status:             portfolio.PropertyActive,
		VerificationStatus: portfolio.Unverified,
	}
	book := portfolio.Book{Properties: []portfolio.Property{p}}
	for i, s := range statuses {
		u := portfolio.Unit{
			Record:     dbtest.Record(id.Unit, "unit", access.Live, f.now),
			PropertyID: p.ID,
			UnitNumber: string(rune('A' + i)),
			Currency:   portfolio.Currency,
			Status:     s,
		}
		book.Units, units = append(book.Units, u), append(units, u.ID)
	}
	f.ok(portfoliostore.New(f.db).Add(f.Context(), f.home.Live, &book))
	return p.ID, units
}

func TestUnitIsInferredWhenUnambiguous(t *testing.T) {
	onEach(t, func(f *fixture) {
		for name, c := range map[string]struct {
			statuses []portfolio.UnitStatus
			want     int // the unit that is chosen, -1 for none
		}{
			"the only one": {[]portfolio.UnitStatus{portfolio.UnitOccupied}, 0},
			"the only vacant one": {
				[]portfolio.UnitStatus{portfolio.UnitOccupied, portfolio.UnitVacant, portfolio.UnitNotice},
				1,
			},
			"two vacant ones": {
				[]portfolio.UnitStatus{portfolio.UnitVacant, portfolio.UnitVacant, portfolio.UnitNotice},
				-1,
			},
			"two occupied ones": {[]portfolio.UnitStatus{portfolio.UnitOccupied, portfolio.UnitOccupied}, -1},
			"none":              {nil, -1},
		} {
			p, units := f.addProperty("CO", c.statuses...)
			g := f.asked()
			g.PropertyID = p
			made, err := f.Generate(f.Context(), f.by, g)
			switch {
			case c.want >= 0:
				f.ok(err)
				if made.After.UnitID != units[c.want] {
					f.Errorf("%s: %s of %v", name, made.After.UnitID, units)
				}
			case !fault.Is(err, fault.UnitAmbiguous) || fault.From(err).Param != "unit_id":
				f.Errorf("%s: %v", name, err)
			case len(units) > 0 && !strings.Contains(err.Error(), units[0]):
				f.Errorf("%s: %v does not name the units", name, err)
			}
		}
		p, units := f.addProperty("CO", portfolio.UnitVacant, portfolio.UnitNotice)
		dbtest.Exec(f, f.db, "UPDATE tenants SET unit_id = $1, property_id = $2 WHERE id = $3",
			units[1], p, f.tenants[0])
		if l := f.generates(func(g *agreement.LeaseGenerate) { g.PropertyID = p }); l.UnitID != units[1] {
			f.Errorf("the unit of the tenant is not chosen: %s", l.UnitID)
		}
	})
}

func TestGeneratedLeaseWarnsOfConflicts(t *testing.T) {
	onEach(t, func(f *fixture) {
		other := f.leaseOf(portfolio.LeaseActive, clock.Day(2026, 6, 1), clock.Day(2027, 5, 31))
		dbtest.Exec(f, f.db, "UPDATE properties SET status = 'archived'")
		made, err := f.Generate(f.Context(), f.by, f.asked())
		f.ok(err)
		var codes []string
		for _, w := range made.Warnings {
			codes = append(codes, w.Code)
			if w.Code == "lease_dates_overlap" && !strings.Contains(w.Message, other) {
				f.Errorf("%+v", w)
			}
		}
		if want := []string{
			"property_archived", "disclosure_unanswered", "lead_paint_unanswered",
			"lead_pamphlet_on_paper", "lease_dates_overlap",
		}; !slices.Equal(codes, want) {
			f.Errorf("%v", codes)
		}
		renewed, err := f.Generate(
			f.Context(),
			f.by,
			func() agreement.LeaseGenerate { g := f.asked(); g.RenewsLeaseID = &other; return g }(),
		)
		f.ok(err)
		if slices.ContainsFunc(
			renewed.Warnings,
			func(w change.Warning) bool { return w.Code == "lease_dates_overlap" },
		) {
			f.Errorf("a renewal is in the way of what it renews: %+v", renewed.Warnings)
		}
	})
}

func TestLeaseUsesLandlordDetails(t *testing.T) {
	onEach(t, func(f *fixture) {
		f.ok(f.setDetails(agreement.DetailsUpdate{
			Name:   change.To(new("Harbor Lane LLC")),
			Signer: change.To(new("Dana Reed")),
			Title:  change.To(new("Owner")),
		}))
		made, err := f.Generate(f.Context(), f.by, f.asked())
		f.ok(err)
		s := made.After.Signers[1]
		if s.Name != "Dana Reed" || *s.Title != "Owner" || s.TenantID != nil || !strings.HasPrefix(s.ID, "sig_") {
			f.Errorf("%+v", s)
		}
		for param, wrong := range map[string]agreement.DetailsUpdate{
			"name":    {Name: change.To(new("አበበ"))},
			"address": {Address: change.To(new("መኪና"))},
			"signer":  {Signer: change.To(new("አበበ"))},
		} {
			if err := f.setDetails(wrong); !fault.Is(err, fault.InvalidField) || fault.From(err).Param != param {
				f.Errorf("%s: %v", param, err)
			}
		}
		manager := f.by
		manager.Role = access.Manager
		if _, err := f.UpdateDetails(
			f.Context(),
			manager,
			change.Target{},
			agreement.DetailsUpdate{},
		); !fault.Is(err, fault.OwnerRequired) {
			f.Errorf("by a manager: %v", err)
		}
		if _, err := f.UpdateDetails(f.Context(), f.by, change.Target{
			Version: new(int64(1)),
		}, agreement.DetailsUpdate{}); !fault.Is(err, fault.StaleWrite) {
			f.Errorf("of an older version: %v", err)
		}
		other := f.by
		other.Portfolio = dbtest.NewHome(f, f.db, "robin").Live
		_, err = f.UpdateDetails(f.Context(), other, change.Target{}, agreement.DetailsUpdate{
			Name: change.To(new("Another")),
		})
		f.ok(err)
		test := f.by
		test.Portfolio = f.home.Test
		_, err = f.UpdateDetails(f.Context(), test, change.Target{}, agreement.DetailsUpdate{
			Name: change.To(new("A demo")),
		})
		f.ok(err)
		d, err := f.Details(f.Context(), f.by)
		f.ok(err)
		if *d.Name != "Harbor Lane LLC" || *d.Address != "12 Harbor Lane, Austin, TX 78701" || d.Version != 3 {
			f.Errorf("those of another portfolio have changed: %+v", d)
		}
	})
}

func TestLeaseGenerationNeedsLandlordAddress(t *testing.T) {
	onEach(t, func(f *fixture) {
		f.ok(f.setDetails(agreement.DetailsUpdate{Address: change.To[*string](nil)}))
		_, err := f.Generate(f.Context(), f.by, f.asked())
		if !fault.Is(err, fault.LandlordAddressRequired) || fault.From(err).Param != "" {
			f.Errorf("generated: %v", err)
		}
		if _, err := f.Preview(f.Context(), f.by, f.asked()); !fault.Is(err, fault.LandlordAddressRequired) {
			f.Errorf("previewed: %v", err)
		}
		test := f.by
		test.Portfolio = f.home.Test
		if d, err := f.Details(f.Context(), test); err != nil || d.Address == nil {
			f.Errorf("the demo portfolio says %+v: %v", d, err)
		}
	})
}

func TestDocumentPreviewFollowsSameRules(t *testing.T) {
	onEach(t, func(f *fixture) {
		content, err := f.Preview(f.Context(), f.by, f.asked())
		f.ok(err)
		if !bytes.HasPrefix(content, []byte("%PDF-")) {
			f.Errorf("%.20s", content)
		}
		g := f.asked()
		g.LateFeeAmount = new(money.Dollars(900))
		if _, err := f.Preview(f.Context(), f.by, g); !fault.Is(err, fault.LateFeeAboveMaximum) {
			f.Error(err)
		}
		g = f.asked()
		g.EndDate = &g.StartDate
		if _, err := f.Preview(f.Context(), f.by, g); !fault.Is(err, fault.DateOrder) {
			f.Error(err)
		}
		g = f.asked()
		g.PropertyID = f.home.Unit[access.Test].PropertyID
		if _, err := f.Preview(f.Context(), f.by, g); !fault.Is(err, fault.NoRecord) {
			f.Errorf("of another portfolio: %v", err)
		}
		reader := f.by
		reader.Scopes = access.Scopes{access.Read}
		if _, err := f.Preview(f.Context(), reader, f.asked()); !fault.Is(err, fault.ScopeRequired) {
			f.Errorf("by who may only read: %v", err)
		}
		if left := dbtest.Texts(f, f.db, "SELECT id FROM documents UNION SELECT id FROM leases"); len(left) != 0 {
			f.Errorf("%v", left)
		}
	})
}

func TestGenerateDryRunLeavesNothing(t *testing.T) {
	onEach(t, func(f *fixture) {
		var made *change.Result[agreement.LeaseWithTerms]
		f.ok(change.DryRun(f.Context(), f.db, func(ctx context.Context) (err error) {
			made, err = f.Generate(ctx, f.by, f.asked())
			return err
		}))
		if made.After.DocumentURL != nil || made.After.Jurisdiction.State != "TX" {
			f.Errorf("%+v", made.After)
		}
		if left := dbtest.Texts(f, f.db, "SELECT id FROM documents UNION SELECT id FROM leases"); len(left) != 0 {
			f.Errorf("%v", left)
		}
	})
}

func TestDraftUpdateRegeneratesDocument(t *testing.T) {
	onEach(t, func(f *fixture) {
		l := f.generates(func(g *agreement.LeaseGenerate) { g.Clauses = &terms.Clauses{Pets: new("One cat.")} })
		first := f.opens(*l.DocumentURL).Content
		update := lease.Update{MonthlyRent: change.To(money.Dollars(1500))}
		f.ok(change.DryRun(f.Context(), f.db, func(ctx context.Context) error {
			_, err := f.leases.UpdateLease(ctx, f.by, change.Target{ID: l.ID}, update)
			return err
		}))
		if !bytes.Equal(first, f.opens(*l.DocumentURL).Content) {
			f.Error("a preview has changed the document")
		}
		made, err := f.leases.UpdateLease(f.Context(), f.by, change.Target{ID: l.ID}, update)
		f.ok(err)
		second := f.opens(*l.DocumentURL).Content
		if bytes.Equal(first, second) || *made.After.DocumentURL != *l.DocumentURL || made.After.Version != 2 {
			f.Errorf("the document is the same, or has another link: %+v", made.After)
		}
		f.now = f.now.Add(time.Hour)
		_, err = f.leases.UpdateLease(f.Context(), f.by, change.Target{ID: l.ID}, update) // says it already
		f.ok(err)
		if !bytes.Equal(second, f.opens(*l.DocumentURL).Content) {
			f.Error("a change of nothing has changed the document")
		}
		if n := dbtest.Texts(f, f.db, "SELECT id FROM documents"); len(n) != 1 {
			f.Errorf("%v", n)
		}
	})
}

func TestDocumentLinkOpensOnlyItsDocumentUntilVoided(t *testing.T) {
	onEach(t, func(f *fixture) {
		one, other := f.generates(nil), f.generates(nil)
		token, foreign := tokenOf(*one.DocumentURL), tokenOf(*other.DocumentURL)
		documentID, signature, _ := strings.Cut(token, ".")
		otherID, _, _ := strings.Cut(foreign, ".")
		for _, wrong := range []string{
			"",
			"x",
			documentID,
			documentID + ".",
			documentID + "." + signature[:42],
			documentID + "." + signature + "A",
			otherID + "." + signature,
			strings.ToLower(token),
			signature,
			"doc_x." + signature,
			one.ID + "." + signature,
		} {
			if _, err := f.Document(f.Context(), wrong); !fault.Is(err, fault.NoRecord) {
				f.Errorf("%q: %v", wrong, err)
			}
		}
		_, err := f.leases.UpdateLease(
			f.Context(),
			f.by,
			change.Target{ID: other.ID},
			lease.Update{Status: change.To(portfolio.LeaseVoided)},
		)
		f.ok(err)
		if f.opens(*other.DocumentURL).Content != nil {
			f.Error("the link of a lease that is voided still opens it")
		}
		if l := f.lease(f.Context(), other.ID); l.DocumentURL != nil || l.ExpiresAt != nil {
			f.Errorf("a lease that is voided shows the link %v of its document, and that it expires at %v",
				l.DocumentURL, l.ExpiresAt)
		}
		f.use(bytes.Repeat([]byte{2}, secret.KeySize), bytes.Repeat([]byte{1}, secret.KeySize))
		if f.opens(*one.DocumentURL).Content == nil {
			f.Error("the link does not open once there is another key")
		}
		if now := f.lease(f.Context(), one.ID); *now.DocumentURL == *one.DocumentURL ||
			f.opens(*now.DocumentURL).Content == nil {
			f.Error("the lease does not show a link of the first key")
		}
		f.use(bytes.Repeat([]byte{3}, secret.KeySize))
		if _, err := f.Document(f.Context(), token); !fault.Is(err, fault.NoRecord) {
			f.Errorf("the link opens without its key: %v", err)
		}
		f.use(bytes.Repeat([]byte{1}, secret.KeySize))
		f.now = one.ExpiresAt.Std().Add(-time.Millisecond)
		if f.opens(*one.DocumentURL).Content == nil {
			f.Error("the link ends too early")
		}
		f.now = one.ExpiresAt.Std()
		if f.opens(*one.DocumentURL).Content != nil {
			f.Error("the link opens an expired document")
		}
		if l := f.lease(f.Context(), one.ID); l.DocumentURL != nil {
			f.Errorf("a draft that has expired shows the link %s", *l.DocumentURL)
		}
		f.now = f.now.Add(-time.Hour)
		dbtest.Exec(f, f.db, "UPDATE accounts SET closed_at = 1")
		if _, err := f.Document(f.Context(), token); !fault.Is(err, fault.NoRecord) {
			f.Errorf("the link opens the document of a closed account: %v", err)
		}
	})
}

func TestConcurrentLeasesEachGetTheirDocument(t *testing.T) {
	onEach(t, func(f *fixture) {
		var all sync.WaitGroup
		many, units := f.addProperty("CO", slices.Repeat([]portfolio.UnitStatus{portfolio.UnitVacant}, 4)...)
		for i := range 20 {
			all.Go(func() {
				g := f.asked()
				g.PropertyID, g.UnitID = many, &units[i%len(units)]
				if _, err := f.Generate(f.Context(), f.by, g); err != nil {
					f.Error(err)
				}
			})
		}
		all.Wait()
		n := dbtest.Texts(
			f,
			f.db,
			"SELECT DISTINCT l.id FROM leases l JOIN documents d ON d.portfolio_id = l.portfolio_id AND d.lease_id "+
				"= l.id AND d.id = l.document_id",
		)
		if len(n) != 20 {
			f.Errorf("%d leases with their documents", len(n))
		}
	})
}

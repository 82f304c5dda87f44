package property_test

import (
	"cmp"
	"fmt"
	"maps"
	"net/http/httptest"
	"net/url"
	"strconv"
	"strings"
	"testing"
	"time"

	"portal/api/access"
	"portal/api/account"
	"portal/api/agreement"
	"portal/api/audit"
	"portal/api/change"
	"portal/api/clock"
	"portal/api/developer"
	"portal/api/id"
	"portal/api/list"
	"portal/api/money"
	"portal/api/portfolio"
	"portal/api/portfolio/lease"
	"portal/api/portfolio/lease/application"
	"portal/api/portfolio/property"
	"portal/api/portfolio/property/verification"
	"portal/api/portfolio/records"
	"portal/api/portfolio/ticket"
	"portal/api/secret"
	"portal/db/accountstore"
	"portal/db/dbtest"
	"portal/db/portfoliostore"
	"portal/db/servicestore"
	leasepages "portal/web/lease"
	"portal/web/pagetest"
	propertypages "portal/web/property"
	"portal/web/webtest"
)

// recordPages are webhookPages with the pages of its records. The unit of the test portfolio is
// let to Dana, whom a lease from next year on waits for too.
type recordPages struct {
	*pagetest.WebhookPages
	rules    *records.Service
	property string // address of the property
	unit     string // of its unit
	tenant   string // of who lives there
	next     string // of who will
}

func newRecordPages(t *testing.T) *recordPages {
	t.Helper()
	e := &recordPages{WebhookPages: pagetest.NewWebhookPages(t)}
	now := func() time.Time { return e.Now }
	e.rules = records.New(portfoliostore.New(e.DB), now).Use(portfolio.Parts{
		Trail: audit.Log{Store: servicestore.NewTrail(e.DB), Now: now},
	})
	c := e.Config
	v := verification.New(e.rules, portfoliostore.New(e.DB))
	c.Verifying, c.Property = v, propertypages.Config{
		Portfolio: e.rules, Verifications: v, Developer: c.Developer,
	}
	box, err := secret.NewBox(make([]byte, secret.KeySize))
	e.OK(err)
	agreements := agreement.New(e.rules, portfoliostore.New(e.DB), box)
	e.rules.Documents = agreements
	c.Lease = leasepages.Config{
		Portfolio:    e.rules,
		Applications: application.New(e.rules, portfoliostore.New(e.DB)),
	}
	c.Lease.Agreements, c.Lease.Terms = agreements, agreements
	e.Pages = pagetest.AddTrialPages(pagetest.Build(c))
	e.Echo = pagetest.Wired(e.Pages)
	e.inhabit()
	return e
}

// inhabit lets the unit.
func (e *recordPages) inhabit() {
	u := e.Home.Unit[access.Test]
	book := &portfolio.Book{}
	record := func(prefix, object string) portfolio.Record {
		return portfolio.Record{
			ID:        id.New(prefix, e.Now),
			Object:    object,
			Mode:      access.Test,
			Version:   1,
			CreatedAt: clock.At(e.Now),
			UpdatedAt: clock.At(e.Now),
		}
	}
	for _, first := range []string{"Dana", "Sam"} {
		book.Tenants = append(book.Tenants, portfolio.Tenant{
			Record:     record(id.Tenant, "tenant"),
			FirstName:  first,
			LastName:   "Whitfield",
			Name:       first + " Whitfield",
			Email:      new(strings.ToLower(first) + "@example.com"),
			Phone:      new("+15125550142"),
			Status:     portfolio.TenantCurrent,
			PropertyID: &u.PropertyID,
			UnitID:     &u.ID,
			LeaseIDs:   []string{},
		})
	}
	for i, status := range []portfolio.LeaseStatus{portfolio.LeaseActive, portfolio.LeaseDraft} {
		l := portfolio.Lease{
			Record:        record(id.Lease, "lease"),
			Status:        status,
			PropertyID:    u.PropertyID,
			UnitID:        u.ID,
			LeaseType:     portfolio.Fixed,
			StartDate:     clock.Day(2026+i, 1, 1),
			EndDate:       new(clock.Day(2026+i, 12, 31)),
			MonthlyRent:   money.Dollars(1450),
			Currency:      portfolio.Currency,
			RentDueDay:    1,
			RentalAddress: "1420 Maple Avenue, Unit 2B, Austin, TX 78701",
			TenantIDs:     []string{book.Tenants[i].ID},
			Tenants:       []portfolio.Party{{ID: book.Tenants[i].ID, Role: portfolio.PartyPrimary}},
		}
		if status == portfolio.LeaseDraft {
			l.ExpiresAt = new(clock.At(e.Now) + 1000)
		}
		book.Leases = append(book.Leases, l)
	}
	e.OK(portfoliostore.New(e.DB).AddPeople(e.Context(), e.Home.Test, book))
	u.CurrentLeaseID, u.Status = &book.Leases[0].ID, portfolio.UnitOccupied
	e.OK(portfoliostore.New(e.DB).SaveUnit(e.Context(), e.Home.Test, &u))
	e.OK(portfoliostore.New(e.DB).RecountProperty(e.Context(), e.Home.Test, u.PropertyID, clock.At(e.Now)))
	e.property = "/test/properties/" + u.PropertyID
	e.unit = "/test/units/" + u.ID
	e.tenant = "/test/tenants/" + book.Tenants[0].ID
	e.next = "/test/tenants/" + book.Tenants[1].ID
}

// vacates ends the leases of the portfolio.
func (e *recordPages) vacates() {
	e.Helper()
	leases, err := portfoliostore.New(e.DB).Leases(e.Context(), e.Home.Test, portfolio.LeaseFilter{
		Query: list.Query{Limit: 100},
	})
	e.OK(err)
	for _, l := range leases {
		to := portfolio.LeaseVoided
		if l.Status == portfolio.LeaseActive {
			to = portfolio.LeaseTerminated
		}
		_, err := e.rules.Leases.UpdateLease(
			e.Context(),
			e.Actor(),
			change.Target{ID: l.ID},
			lease.Update{Status: change.To(to)},
		)
		e.OK(err)
	}
}

// sue is a browser of the staff.
func (e *recordPages) sue() *pagetest.Reader {
	e.Helper()
	u := developer.User{
		ID:           id.New(id.User, e.Now),
		Email:        "sue@portal.example",
		PasswordHash: "argon2id",
		Role:         developer.Staff,
		CreatedAt:    clock.At(e.Now),
	}
	_, err := accountstore.New(e.DB).AddUser(e.Context(), u)
	e.OK(err)
	return e.Reader(account.Visitor{UserID: u.ID, Email: u.Email, Role: developer.Staff})
}

// elm is a property as the form has it.
func elm() url.Values {
	return url.Values{
		"street_address":   {"9 Elm Street"},
		"city":             {"Round Rock"},
		"state":            {"TX"},
		"postal_code":      {"78664-1234"},
		"name":             {"Elm House"},
		"property_type":    {"duplex"},
		"year_built":       {"1974"},
		"unit.unit_number": {"A"},
		"unit.bedrooms":    {"2"},
		"unit.bathrooms":   {"1.5"},
		"unit.square_feet": {"1,860"},
		"unit.market_rent": {"$1,450.50"},
	}
}

func TestPropertyIsAddedWithUnitAndShown(t *testing.T) {
	e := newRecordPages(t)
	r := e.Member(access.Manager)
	at := r.Adds("live", elm())
	page := r.Get(at)
	for _, words := range []string{
		"9 Elm Street", "Round Rock, TX 78664-1234", "Elm House", "Duplex", "1974", "0 of 1",
		"Not verified", "2 bedrooms, 1.5 bathrooms, 1,860 sq ft", "$1,450.50", "Vacant",
		"Property added.",
	} {
		r.Says(page, 200, words)
	}
	r.Says(r.Get("/live/properties"), 200, "9 Elm Street")
	s := e.Stranger()
	s.Says(s.Get(at), 404, "")
	r.Says(r.Get(strings.Replace(at, "live", "test", 1)), 404, "")
}

func TestPropertyErrorsAppearBesideFields(t *testing.T) {
	e := newRecordPages(t)
	r := e.Member(access.Owner)
	form := elm()
	form.Set("street_address", " ")
	form.Set("state", "")
	form.Set("postal_code", "787")
	form.Set("year_built", "3000")
	form.Set("unit.bathrooms", "1.3")
	form.Set("unit.bedrooms", "two")
	form.Set("unit.market_rent", "1e9999")
	form.Set("name", strings.Repeat("n", 128))
	rec := r.Post("/live/properties/new", "/live/properties/new", form)
	for _, words := range []string{
		"Street address: This is required.", "State: This is required.",
		"ZIP code: This is not a ZIP code", "Built in: Must be 2027 at the latest",
		"Bathrooms: Must be a number in steps of 0.5", "Bedrooms: Enter a number.",
		"Asking rent per month: Enter a number.", "Name: Must have", "Nothing was saved yet",
	} {
		r.Says(rec, 400, words)
	}
	if !strings.Contains(rec.Body.String(), `value="Round Rock"`) {
		t.Error("what was typed is gone")
	}
	r.Says(r.Get("/live/properties"), 200, "1420 Maple Avenue") // and nothing else
	if strings.Contains(r.Get("/live/properties").Body.String(), "Elm") {
		t.Error("it was added")
	}
}

func TestStalePropertyFormKeepsInput(t *testing.T) {
	e := newRecordPages(t)
	r := e.Member(access.Manager)
	at := r.Adds("live", elm())
	form := elm()
	form.Set("version", "1")
	form.Set("street_address_2", "Rear")
	form.Set("name", "")
	r.Leads(r.Post(at+"/edit", at+"/edit", form), at)
	r.Says(r.Get(at), 200, "9 Elm Street, Rear")
	form.Set("city", "Austin")
	r.Says(
		r.Post(at+"/edit", at+"/edit", pagetest.With(form, "version", "two")),
		409,
		"Someone changed this after you opened the form",
	)
	rec := r.Post(at+"/edit", at+"/edit", form)
	r.Says(rec, 409, "Someone changed this after you opened the form")
	r.Says(rec, 409, "City: It says “Round Rock” now.")
	body := rec.Body.String()
	if !strings.Contains(body, `value="Austin"`) || !strings.Contains(body, `name="version" value="2"`) {
		t.Error("what was typed is gone, or the form is still of the old version")
	}
	form.Set("version", "2")
	r.Leads(r.Post(at+"/edit", at+"/edit", form), at)
	r.Says(r.Get(at), 200, "Austin, TX")
	form.Set("version", "3")
	r.Leads(r.Post(at+"/edit", at+"/edit", form), at)
	r.Says(r.Get(at), 200, "Nothing was changed")
	form.Set("city", "")
	r.Says(r.Post(at+"/edit", at+"/edit", form), 400, "City: This is required.")
	s := e.Stranger()
	r.Says(r.Send("POST", at+"/edit", url.Values{"city": {"Dallas"}}, nil), 403, "")
	s.Says(s.Post(at+"/edit", "/live/properties/new", form), 404, "")
}

func TestPropertiesAreFilteredAndPaged(t *testing.T) {
	e := newRecordPages(t)
	r := e.Member(access.Manager)
	for i := range 27 {
		form := elm()
		form.Set("street_address", fmt.Sprintf("%d Elm Street", i+100))
		r.Adds("live", form)
		e.Now = e.Now.Add(time.Second)
	}
	for query, want := range map[string]int{
		"":                                  25,
		"?city=austin":                      1,
		"?city=round+rock":                  25,
		"?state=TX&property_type=apartment": 1,
		"?state=CA":                         0,
		"?status=archived":                  0,
		"?status=active&city=Austin":        1,
		"?state=nowhere&after=x":            25,
		"?city=%00":                         25,
	} {
		if got := strings.Count(
			r.Get("/live/properties"+query).Body.String(),
			`href="/live/properties/prop_`,
		); got != want {
			t.Errorf("%q lists %d, want %d", query, got, want)
		}
	}
	r.Says(r.Get("/live/properties?state=CA"), 200, "No properties match these filters")
	second := r.Get(pagetest.Link(t, r.Get("/live/properties"), "Next"))
	if got := strings.Count(second.Body.String(), `href="/live/properties/prop_`); got != 3 {
		t.Errorf("the second page lists %d", got)
	}
	s := e.Stranger()
	s.Says(s.Get("/live/properties?city=round+rock"), 200, "No properties match these filters")
}

func TestPropertyIsArchivedAndRestored(t *testing.T) {
	e := newRecordPages(t)
	r := e.Member(access.Manager)
	r.Says(
		r.Post(e.property+"/archive", e.property+"/archive", nil),
		409,
		"cannot be archived while a unit has a lease",
	)
	e.vacates()
	r.Says(r.Get(e.property+"/archive"), 200, "Archive the property?")
	r.Leads(r.Post(e.property+"/archive", e.property+"/archive", nil), e.property)
	page := r.Get(e.property)
	r.Says(page, 200, "The property is archived.")
	r.Says(page, 200, "Restore")
	if strings.Contains(page.Body.String(), "units/new") {
		t.Error("a unit can be added")
	}
	r.Says(r.Post(e.property+"/units/new", e.property+"/units/new", url.Values{
		"unit_number": {"9"},
	}), 409, "Restore it before you add a unit")
	r.Says(r.Get("/test/properties?status=archived"), 200, "1420 Maple Avenue")
	r.Leads(r.Post(e.property+"/restore", e.property+"/restore", nil), e.property)
	r.Says(r.Get(e.property), 200, "Active")
	r.Leads(r.Post(e.property+"/restore", e.property+"/restore", nil), e.property)
	r.Says(r.Get(e.property), 200, "Nothing was changed")
	if got := e.Trail(); got != "property.archived property.restored " {
		t.Errorf("the trail says %q", got)
	}
	s := e.Stranger()
	for _, path := range []string{"", "/edit", "/archive", "/restore", "/verify", "/units/new"} {
		s.Says(s.Get(e.property+path), 404, "")
	}
}

func TestUnitLimitErrorShowsBothNumbersAndAsksForMore(t *testing.T) {
	e := newRecordPages(t)
	r := e.Member(access.Owner)
	allow := func(units int) {
		t.Helper()
		p := developer.Plan{Tier: developer.Starter, Units: new(units)}
		e.OK(e.Config.Developer.SetPlanOf(t.Context(), e.Home.AccountID, p))
		e.People[r.Cookies["session"].Value].Account.Plan = p
	}
	allow(1)
	live := strings.Replace(
		strings.Replace(e.property, "test", "live", 1),
		e.Home.Unit[access.Test].PropertyID,
		e.Home.Unit[access.Live].PropertyID,
		1,
	)
	asks := func(want int) {
		t.Helper()
		u, open, err := e.Config.Developer.OpenUnitRequest(t.Context(), developer.Member{AccountID: e.Home.AccountID})
		if e.OK(err); open != (want > 0) || u.Units != want {
			t.Errorf("the open request is %+v, not for %d units", u, want)
		}
	}
	const full = "Your plan allows 1 live unit, and you have 1."
	for i, form := range []struct {
		at    string
		typed url.Values
		kept  string
	}{
		{"/live/properties/new", elm(), `value="9 Elm Street"`},
		{live + "/units/new", url.Values{"unit_number": {"3C"}}, `value="3C"`},
	} {
		r.Says(r.Get(form.at), 200, full) // before anything is typed
		with := func(units string) url.Values {
			all := maps.Clone(form.typed)
			all.Set("plan_units", units)
			return all
		}
		shown := func(rec *httptest.ResponseRecorder, status int, words ...string) {
			t.Helper()
			for _, w := range words {
				r.Says(rec, status, w)
			}
			if !strings.Contains(rec.Body.String(), form.kept) {
				t.Error("what was typed is gone")
			}
			if !strings.Contains(rec.Body.String(), `formaction="`+form.at+`?other=1"`) {
				t.Error("the form does not ask for more units")
			}
		}
		rec := r.Post(form.at, form.at, with("2"))
		shown(rec, 403, "Units you need in total: "+full)
		ask := form.at + "?other=1"
		for _, wrong := range []string{"", "1", "-3", "x", "1000001"} {
			shown(r.Post(ask, form.at, with(wrong)), 400, "Enter a whole number from 2 to 1,000,000.")
		}
		if i == 0 {
			asks(0)
		}
		units := 12 + i
		said := fmt.Sprintf("You asked for %d units on ", units)
		shown(r.Post(ask, form.at, with(strconv.Itoa(units))), 200, said, "Nothing was added yet.")
		asks(units)
		shown(r.Get(form.at+"?"+form.typed.Encode()), 200, said)
	}
	allow(13)
	asks(0)
	rec := r.Get("/live/properties/new")
	if strings.Contains(rec.Body.String(), "plan_units") {
		t.Error("a form asks for units that the plan has room for")
	}
	r.Says(r.Post("/live/properties/new?other=1", "/live/properties/new", url.Values{"plan_units": {"2"}}),
		400, "Enter a whole number")
	asks(0)
	// A property that is restored needs the room again.
	r.Leads(r.Post(live+"/archive", live+"/archive", nil), live)
	allow(0)
	r.Says(r.Post(live+"/restore", live+"/restore", nil), 403, "Your plan allows 0 live units, and you have 0.")
	rec = r.Post(live+"/restore?other=1", live+"/restore", url.Values{"plan_units": {"7"}})
	r.Says(rec, 200, "You asked for 7 units")
	asks(7)
	// Test mode has no limit.
	r.Leads(r.Post(e.property+"/units/new", e.property+"/units/new", url.Values{"unit_number": {"3C"}}), e.property)
}

func TestStaffDecideLandlordVerificationRequests(t *testing.T) {
	e := newRecordPages(t)
	r, sue := e.Member(access.Manager), e.sue()
	sue.Says(sue.Get("/staff/properties"), 200, "No properties need review")
	at := r.Adds("live", elm())
	r.Says(r.Post(at+"/verify", at+"/verify", url.Values{
		"note": {"mine"},
	}), 400, "What shows it: Must have between 20 and 2,000 characters")
	r.Leads(r.Post(at+"/verify", at+"/verify", url.Values{
		"note": {"The deed is recorded in Travis County.\r\nNo. 2019-0042."},
	}), at)
	r.Says(r.Get(at), 200, "In review")
	r.Says(r.Post(at+"/verify", at+"/verify", url.Values{
		"note": {"The deed is recorded in Travis County."},
	}), 409, "asked for already")
	r.Says(sue.Get("/staff/properties"), 200, "9 Elm Street")
	c := sue.Found(sue.Get("/staff/properties"), `href="(/staff/properties/ver_\w+)"`)
	r.Says(r.Get(c), 404, "")
	sue.Says(sue.Get(c), 200, "The deed is recorded in Travis County.")
	sue.Says(sue.Get(c+"/verify"), 200, `Verify the property?`)
	sue.Says(sue.Post(c+"/verify", c+"/verify", url.Values{
		"version": {"1"},
	}), 409, "Someone changed this after you opened the form, so nothing was saved.")
	sue.Says(sue.Post(c+"/decline", c+"/decline", url.Values{
		"words": {"No."},
	}), 400, "Must have between 20 and 2,000 characters")
	sue.Leads(sue.Post(c+"/decline", c+"/decline", url.Values{
		"words": {"The deed of that number names somebody else."},
	}), "/staff/properties")
	r.Says(r.Get(at), 200, "The property wasn’t verified: The deed of that number names somebody else.")
	sue.Says(sue.Get(c), 200, "Declined")
	sue.Says(sue.Get(c+"/verify"), 409, "This was already decided")
	sue.Says(sue.Post(c+"/verify", "/staff/properties", nil), 409, "")
	r.Leads(r.Post(at+"/verify", at+"/verify", url.Values{
		"note": {"The contract of management is of May 2, 2026."},
	}), at)
	again := sue.Found(sue.Get("/staff/properties"), `href="(/staff/properties/ver_\w+)"`)
	sue.Leads(sue.Post(again+"/verify", again+"/verify", nil), "/staff/properties")
	r.Says(r.Get(at), 200, "Verified")
	sue.Says(sue.Get("/staff/properties?status=declined"), 200, "9 Elm Street")
	sue.Says(sue.Get("/staff/properties?status=all"), 200, "Verified")
	sue.Says(sue.Get("/staff/properties/ver_01KA5R2M7Q8D4E6F9G1H3J5K7M"), 404, "")
	got := e.Trail()
	if got !=
		"property.created property.verification_asked property.verification_asked property.verification_declined "+
			"property.verified " {
		t.Errorf("the trail says %q", got)
	}
}

func TestTestModePropertyIsVerifiedImmediately(t *testing.T) {
	e := newRecordPages(t)
	r := e.Member(access.Owner)
	at := r.Adds("test", elm())
	r.Leads(r.Post(at+"/verify", at+"/verify", nil), at)
	r.Says(r.Get(at), 200, "The property is verified.")
}

func TestUnitsAreAddedEditedAndTakenOffMarket(t *testing.T) {
	e := newRecordPages(t)
	r := e.Member(access.Manager)
	r.Says(r.Post(e.property+"/units/new", e.property+"/units/new", url.Values{
		"unit_number": {"2b"},
	}), 400, "Number: Must be unique in the property; there is a unit 2B already.")
	r.Says(r.Post(e.property+"/units/new", e.property+"/units/new", url.Values{
		"unit_number": {""},
		"bathrooms":   {"0.25"},
	}), 400, "Number: This is required.")
	r.Leads(r.Post(e.property+"/units/new", e.property+"/units/new", url.Values{
		"unit_number": {"3C"},
		"bedrooms":    {"0"},
		"bathrooms":   {"1"},
	}), e.property)
	page := r.Get(e.property)
	r.Says(page, 200, "Unit 3C is added.")
	r.Says(page, 200, "studio, 1 bathroom")
	r.Says(page, 200, "Dana Whitfield")
	at := pagetest.Link(t, page, "Unit 3C")
	r.Leads(r.Post(at+"/edit", at+"/edit", url.Values{
		"unit_number": {"3D"},
		"market_rent": {"1,200"},
		"version":     {"1"},
	}), at)
	r.Says(r.Get(at), 200, "Unit 3D")
	r.Says(r.Get(at), 200, "$1,200")
	r.Says(r.Post(at+"/edit", at+"/edit", url.Values{
		"unit_number": {"3E"},
		"version":     {"1"},
	}), 409, "Number: It says “3D” now.")
	r.Says(r.Post(at+"/edit", at+"/edit", url.Values{
		"unit_number": {"2B"},
		"version":     {"2"},
	}), 400, "there is a unit 2B already")
	r.Leads(r.Post(at+"/off-market", at+"/off-market", nil), at)
	r.Says(r.Get(at), 200, "Off the market")
	r.Leads(r.Post(at+"/on-market", at+"/on-market", nil), at)
	r.Says(r.Get(at), 200, "Vacant")
	r.Says(r.Post(e.unit+"/off-market", e.unit+"/off-market", nil), 409, "The unit is let")
	r.Leads(r.Get("/test/units"), "/test/properties")
	s := e.Stranger()
	for _, path := range []string{"", "?tab=tickets", "?tab=charges", "/edit", "/off-market", "/on-market"} {
		s.Says(s.Get(e.unit+path), 404, "")
		r.Says(r.Get(strings.Replace(e.unit, "test", "live", 1)+path), 404, "")
	}
}

func TestUnitShowsHistory(t *testing.T) {
	e := newRecordPages(t)
	r := e.Member(access.Manager)
	r.Says(r.Get(e.unit), 200, "Jan 1, 2026 to Dec 31, 2026")
	r.Says(r.Get(e.unit), 200, "Sam Whitfield")
	r.Says(r.Get(e.unit+"?tab=tickets"), 200, "No tickets")
	r.Says(r.Get(e.unit+"?tab=charges"), 200, "No charges yet")
	u := e.Home.Unit[access.Test]
	for range 27 {
		_, err := e.rules.Tickets.CreateTicket(e.Context(), e.Actor(), portfolio.FromDashboard, ticket.Create{
			UnitID:      &u.ID,
			Description: "The kitchen tap drips.",
		})
		e.OK(err)
	}
	first := r.Get(e.unit + "?tab=tickets")
	r.Says(first, 200, "The kitchen tap drips.")
	r.Says(r.Get(pagetest.Link(t, first, "Next")), 200, "T-1001")
}

func TestTenantsAreListedShownAndEdited(t *testing.T) {
	e := newRecordPages(t)
	r := e.Member(access.Manager)
	all := r.Get("/test/tenants")
	for _, words := range []string{
		"Dana Whitfield", "dana@example.com", "(512) 555-0142", "1420 Maple Avenue, Unit 2B",
		"Current",
	} {
		r.Says(all, 200, words)
	}
	for query, want := range map[string]int{
		"":                        2,
		"?status=current":         2,
		"?status=past":            0,
		"?email=DANA@example.com": 1,
		"?property_id=" + e.Home.Unit[access.Test].PropertyID: 2,
		"?property_id=x": 0,
		"?unit_id=" + e.Home.Unit[access.Test].ID: 2,
	} {
		if got := strings.Count(r.Get("/test/tenants"+query).Body.String(), `href="/test/tenants/ten_`); got != want {
			t.Errorf("%q lists %d, want %d", query, got, want)
		}
	}
	r.Says(r.Get("/live/tenants"), 200, "No tenants yet")
	r.Says(r.Get(e.tenant), 200, "Jan 1, 2026 to Dec 31, 2026")
	form := url.Values{
		"first_name":                     {"Dana"},
		"last_name":                      {"Rivera"},
		"email":                          {"dana.rivera@example.com"},
		"phone":                          {"512 555 0199"},
		"preferred_contact_method":       {"sms"},
		"mailing_address.street_address": {"PO Box 118"},
		"mailing_address.city":           {"Austin"},
		"mailing_address.state":          {"TX"},
		"mailing_address.postal_code":    {"78701"},
		"emergency_contact.name":         {"Robin Rivera"},
		"emergency_contact.phone":        {"(512) 555-0188"},
		"emergency_contact.relationship": {"sister"},
		"version":                        {"1"},
	}
	r.Leads(r.Post(e.tenant+"/edit", e.tenant+"/edit", form), e.tenant)
	page := r.Get(e.tenant)
	for _, words := range []string{
		"Dana Rivera", "dana.rivera@example.com", "(512) 555-0199", "Text message",
		"PO Box 118, Austin, TX 78701", "Robin Rivera, sister, (512) 555-0188",
	} {
		r.Says(page, 200, words)
	}
	r.Says(r.Post(e.tenant+"/edit", e.tenant+"/edit", form), 409, "Someone changed this")
	bad := url.Values{
		"first_name":              {""},
		"last_name":               {"Rivera"},
		"email":                   {"nobody"},
		"phone":                   {"12"},
		"mailing_address.city":    {"Austin"},
		"emergency_contact.phone": {"512 555 0188"},
		"version":                 {"2"},
	}
	rec := r.Post(e.tenant+"/edit", e.tenant+"/edit", bad)
	for _, words := range []string{
		"First name: This is required.", "Email address: This is not an email address",
		"Phone: This is not a phone number", "Street address: This is required.",
		"State: This is required.", "Name: This is required.",
	} {
		r.Says(rec, 400, words)
	}
	r.Leads(r.Post(e.tenant+"/edit", e.tenant+"/edit", url.Values{
		"first_name": {"Dana"},
		"last_name":  {"Rivera"},
		"version":    {"2"},
	}), e.tenant)
	body := pagetest.Text(pagetest.Parse(t, r.Get(e.tenant).Body.String()))
	if strings.Contains(body, "PO Box") || strings.Contains(body, "Robin") {
		t.Error("what was cleared is there")
	}
	s := e.Stranger()
	for _, path := range []string{"", "/edit"} {
		s.Says(s.Get(e.tenant+path), 404, "")
	}
}

func TestSearchFindsPortfolioRecordsByPrefix(t *testing.T) {
	e := newRecordPages(t)
	r := e.Member(access.Manager)
	r.Says(r.Get("/test/search"), 200, "Enter the start of a name")
	for q, want := range map[string]string{
		"1420 ma":           e.property,
		"MAPLE":             e.property,
		"dana":              e.tenant,
		"dana w":            e.tenant,
		"whit":              e.tenant,
		"Dana@EX":           e.tenant,
		"  maple   avenue ": e.property,
		"avenue 14":         e.property,
		"nowhere":           "",
		"%":                 "",
		"_":                 "",
		"'":                 "",
		"\x00":              "",
		"venue":             "",
	} {
		rec := r.Get("/test/search?q=" + url.QueryEscape(q))
		r.Says(rec, 200, "Search")
		found := strings.Contains(rec.Body.String(), `href="`+cmp.Or(want, "/test/tenants/ten_")+`"`)
		if found != (want != "") {
			t.Errorf("%q finds %v", q, found)
		}
		if want == "" && q != "\x00" {
			r.Says(rec, 200, "No record matches.")
		}
	}
	for _, at := range []string{e.property, e.unit, e.tenant} {
		r.Leads(r.Get("/test/search?q="+at[strings.LastIndex(at, "/")+1:]), at)
	}
	s := e.Stranger()
	s.Says(s.Get("/test/search?q=dana"), 200, "No record matches.")
	s.Says(s.Get("/test/search?q="+e.tenant[len("/test/tenants/"):]), 200, "No record has this ID.")
	for _, evil := range webtest.Payloads {
		pagetest.Inert(t, r.Get("/test/search?q="+url.QueryEscape(evil)))
	}
}

func TestEmailOfPendingLeaseTenantIsLocked(t *testing.T) {
	e := newRecordPages(t)
	r := e.Member(access.Manager)
	dbtest.Exec(t, e.DB, "UPDATE leases SET status = 'pending_signature' WHERE status = 'draft'")
	rec := r.Post(e.next+"/edit", e.next+"/edit", url.Values{
		"first_name": {"Sam"},
		"last_name":  {"Whitfield"},
		"email":      {"other@example.com"},
		"version":    {"1"},
	})
	r.Says(rec, 409, "Email address: Cannot change while the lease")
}

func TestPropertyInputNeverRunsAsScript(t *testing.T) {
	e := newRecordPages(t)
	r, sue := e.Member(access.Manager), e.sue()
	for i, evil := range webtest.Payloads {
		form := elm()
		for _, name := range []string{"street_address", "street_address_2", "city", "name"} {
			form.Set(name, evil)
		}
		form.Set("unit.unit_number", clipped(evil, 30))
		rec := r.Post("/live/properties/new", "/live/properties/new", form)
		pagetest.Inert(t, rec)
		at := rec.Header().Get("Location")
		if rec.Code != 303 {
			continue
		}
		pagetest.Inert(t, r.Get(at))
		pagetest.Inert(t, r.Get(at+"/edit"))
		pagetest.Inert(t, r.Get("/live/properties?city="+url.QueryEscape(evil)))
		pagetest.Inert(t, r.Get(pagetest.Link(t, r.Get(at), clipped(evil, 30))))
		if i%6 > 0 {
			continue
		}
		r.Leads(r.Post(at+"/verify", at+"/verify", url.Values{"note": {evil + strings.Repeat(" and more", 3)}}), at)
		c := sue.Found(sue.Get("/staff/properties"), `href="(/staff/properties/ver_\w+)"`)
		pagetest.Inert(t, sue.Get("/staff/properties"))
		pagetest.Inert(t, sue.Get(c))
		sue.Leads(sue.Post(c+"/decline", c+"/decline", url.Values{
			"words": {evil + strings.Repeat(" and more", 3)},
		}), "/staff/properties")
		pagetest.Inert(t, r.Get(at))
	}
	pagetest.Inert(t, r.Get("/live/properties"))
}

func TestTenantInputNeverRunsAsScript(t *testing.T) {
	e := newRecordPages(t)
	r := e.Member(access.Manager)
	for _, evil := range webtest.Payloads {
		form := url.Values{}
		for _, name := range []string{
			"first_name", "last_name", "email", "phone", "mailing_address.street_address",
			"mailing_address.city", "emergency_contact.name", "emergency_contact.relationship",
			"emergency_contact.email",
		} {
			form.Set(name, evil)
		}
		form.Set("mailing_address.state", "TX")
		pagetest.Inert(t, r.Post(e.tenant+"/edit", e.tenant+"/edit", form))
		for _, name := range []string{"email", "phone", "emergency_contact.email"} {
			form.Del(name)
		}
		form.Set("emergency_contact.relationship", clipped(evil, 80))
		pagetest.Inert(t, r.Post(e.tenant+"/edit", e.tenant+"/edit", form))
		pagetest.Inert(t, r.Get(e.tenant))
		pagetest.Inert(t, r.Get(e.property))
		pagetest.Inert(t, r.Get("/test/tenants?email="+url.QueryEscape(evil)))
	}
}

func clipped(s string, most int) string {
	r := []rune(s)
	return strings.TrimSpace(string(r[:min(most, len(r))]))
}

func TestPropertyAndTenantPagesAreAccessible(t *testing.T) {
	e := newRecordPages(t)
	b, r, sue := pagetest.Browser(t), e.Member(access.Manager), e.sue()
	at := r.Adds("live", elm())
	r.Leads(r.Post(at+"/verify", at+"/verify", url.Values{"note": {"The deed is recorded in Travis County."}}), at)
	c := sue.Found(sue.Get("/staff/properties"), `href="(/staff/properties/ver_\w+)"`)
	for i := range 5 {
		_, err := e.rules.Units.AddUnit(e.Context(), e.Actor(), e.Home.Unit[access.Test].PropertyID, property.UnitAdd{
			UnitNumber: fmt.Sprint(i + 10),
			Bedrooms:   new(i),
			Bathrooms:  new(portfolio.Half(i + 2)),
			SquareFeet: new(700 + i),
		})
		e.OK(err)
	}
	r.Looks(b,
		"/test/properties", "/test/properties?state=CA", "/test/properties/new",
		e.property, e.property+"/edit", e.property+"/archive", at+"/verify", e.property+"/units/new", at,
		e.unit, e.unit+"/tickets", e.unit+"/payments", e.unit+"/edit", e.unit+"/off-market",
		"/test/tenants", "/live/tenants", e.tenant, e.tenant+"/edit",
		"/test/search", "/test/search?q=m", "/test/search?q=nowhere", "/test/search?q=dana",
	)
	sue.Looks(b, "/staff/properties", c, c+"/decline", c+"/verify")
}

package dbtest

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"

	"portal/api/access"
	"portal/api/id"
	"portal/api/list"
	"portal/api/portfolio"
)

var texts = []promise{
	{"TextIsKeptToTheLetter", textIsKeptToTheLetter},
	{"CityAndEmailAreFoundInUpperAndLowerCase", cityAndEmailAreFoundInUpperAndLowerCase},
	{"IdsAscendByTheirBytes", idsAscendByTheirBytes},
}

var awkward = []string{
	`O'Brien's "Court"`, `a\b`, "$1 ? %s :name @p {}", "NULL", "null", "; DROP TABLE units; --", "100 %", "a_c",
	" both ends ", "\ttab\r\nand lines\n", "Åse Ünal Żółć", "東京都", "العربية", "🏠👩‍👩‍👧 🇺🇸", "e\u0301 is not é", "\u200b\ufeff\u00a0", "1e3", "0x10", "-0",
	strings.Repeat("ten thousand characters ", 417)[:10_000], strings.Repeat("ß🏚", 5_000),
}

func textIsKeptToTheLetter(r *rig) {
	for i, s := range awkward {
		l := r.landlord(fmt.Sprint("landlord", i))
		b := filled(access.Live, &filler{rand.New(rand.NewPCG(5, uint64(i))), 0})
		p, t, k, y := &b.Properties[0], &b.Tenants[0], &b.Tickets[0], &b.Payments[0]
		p.Name, p.StreetAddress, p.City, b.Units[0].UnitNumber = &s, s, s, s
		t.MailingAddress.City, t.EmergencyContact.Name, *t.Email = s, s, s
		k.Title, k.Description, k.Triage.Reasons, k.Vendor.Name = s, s, []portfolio.TriageReason{{Rule: s, Matched: s}}, s
		y.Description, y.Reference = &s, &s
		r.ok(r.Add(r.Context(), l.live, b))

		gotP, err := r.Property(r.Context(), l.live, p.ID)
		r.ok(err)
		r.same(gotP, *p)
		gotT, err := r.Tenant(r.Context(), l.live, t.ID)
		r.ok(err)
		r.same(gotT, *t)
		gotK, err := r.Ticket(r.Context(), l.live, k.ID)
		r.ok(err)
		r.same(gotK, *k)
		gotY, err := r.Payment(r.Context(), l.live, y.ID)
		r.ok(err)
		r.same(gotY, *y)
		found, err := r.Properties(r.Context(), l.live, portfolio.PropertyFilter{City: s, Query: list.Query{Limit: 10}})
		r.ok(err)
		r.same(found, []portfolio.Property{*p})
		people, err := r.Tenants(r.Context(), l.live, portfolio.TenantFilter{Email: s, Query: list.Query{Limit: 10}})
		r.ok(err)
		r.same(people, []portfolio.Tenant{*t})
	}
}

// Only the letters of ASCII have two cases here: PostgreSQL would know others,
// SQLite does not, and both must find the same.
func cityAndEmailAreFoundInUpperAndLowerCase(r *rig) {
	l := r.landlord("dana")
	for _, city := range []string{"Española", "SÃO PAULO", "Ébano", "istanbul", "İstanbul", "Straße", "ΣΊΣΥΦΟΣ"} {
		p := r.house(l.live, city)
		t := portfolio.Tenant{Record: record(id.Tenant, "tenant", access.Live, noon), FirstName: "A", LastName: "B", Email: new(city + "@Example.com"), Status: "past"}
		r.ok(r.AddPeople(r.Context(), l.live, &portfolio.Book{Tenants: []portfolio.Tenant{t}}))
		for _, asked := range []string{city, asciiUpper(city), asciiLower(city)} {
			rows, err := r.Properties(r.Context(), l.live, portfolio.PropertyFilter{City: asked, Query: list.Query{Limit: 10}})
			r.ok(err)
			r.want(len(rows) == 1 && rows[0].ID == p, "%q finds %d properties in %q", asked, len(rows), city)
			people, err := r.Tenants(r.Context(), l.live, portfolio.TenantFilter{Email: asked + "@eXAMPLE.com", Query: list.Query{Limit: 10}})
			r.ok(err)
			r.want(len(people) == 1 && people[0].ID == t.ID, "%q finds %d tenants of %q", asked, len(people), city)
		}
	}
	for _, asked := range []string{"ESPAÑOLA", "são paulo", "ébano", "strasse", "Espanola", "Españ", "%", "istanbu_"} {
		rows, err := r.Properties(r.Context(), l.live, portfolio.PropertyFilter{City: asked, Query: list.Query{Limit: 10}})
		r.ok(err)
		r.want(len(rows) == 0, "%q finds %s", asked, show(rows))
	}
}

func asciiUpper(s string) string { return mapped(s, 'a', 'z', 'A'-'a') }

func asciiLower(s string) string { return mapped(s, 'A', 'Z', 'a'-'A') }

func mapped(s string, from, to, shift rune) string {
	return strings.Map(func(c rune) rune {
		if c >= from && c <= to {
			return c + shift
		}
		return c
	}, s)
}

// house adds a property without units and is its id.
func (r *rig) house(in access.Portfolio, city string) string {
	r.Helper()
	return r.houseOf(in, id.New(id.Property, noon), city)
}

func (r *rig) houseOf(in access.Portfolio, id, city string) string {
	r.Helper()
	r.ok(r.AddPlaces(r.Context(), in, &portfolio.Book{Properties: []portfolio.Property{home(in, id, city)}}))
	return id
}

// home is a property without units.
func home(in access.Portfolio, id, city string) portfolio.Property {
	p := portfolio.Property{Record: record("prop", "property", in.Mode, noon), StreetAddress: "1 A St", City: city, State: "TX", Country: "US",
		PropertyType: "condo", Status: portfolio.PropertyActive, VerificationStatus: portfolio.Unverified}
	p.ID = id
	return p
}

// The order of a list and the position of its cursor must be the same order, and
// that of every node, whatever language its database speaks.
func idsAscendByTheirBytes(r *rig) {
	l := r.landlord("dana")
	ids := []string{"prop_Z", "prop_a", "prop_B", "prop_b", "prop_", "prop-", "prop_é", "prop_~", "prop_0", "Prop_0", "prop_ 1", "prop_A0", "prop_AA"}
	for _, id := range ids {
		r.houseOf(l.live, id, "Austin")
	}
	slices.Sort(ids)
	for i := range ids {
		after := ids[i]
		rows, err := r.Properties(r.Context(), l.live, portfolio.PropertyFilter{Query: list.Query{Limit: 100, StartingAfter: after}})
		r.ok(err)
		r.want(slices.Equal(idsOf(pointers(rows)), ids[i+1:]), "after %q come %s", after, fmt.Sprintf("%q", idsOf(pointers(rows))))
	}
}

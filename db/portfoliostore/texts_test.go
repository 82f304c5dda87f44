package portfoliostore_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"

	"portal/api/access"
	"portal/api/id"
	"portal/api/list"
	"portal/api/portfolio"
	"portal/db/dbtest"
)

var texts = []promise{
	{"TextIsKeptToTheLetter", textIsKeptToTheLetter},
	{"CityAndEmailAreFoundInUpperAndLowerCase", cityAndEmailAreFoundInUpperAndLowerCase},
	{"IdsAscendByTheirBytes", idsAscendByTheirBytes},
}

func textIsKeptToTheLetter(r *fixture) {
	for i, s := range dbtest.Awkward {
		l := r.Landlord(fmt.Sprint("landlord", i))
		b := dbtest.Filled(access.Live, dbtest.NewFiller(rand.New(rand.NewPCG(5, uint64(i))), 0))
		p, t, k, y := &b.Properties[0], &b.Tenants[0], &b.Tickets[0], &b.Payments[0]
		p.Name, p.StreetAddress, p.City, b.Units[0].UnitNumber = &s, s, s, s
		t.MailingAddress.City, t.EmergencyContact.Name, *t.Email = s, s, s
		k.Title, k.Description, k.Triage.Reasons, k.Vendor.Name = s, s, []portfolio.TriageReason{{
			Rule:    s,
			Matched: s,
		}}, s
		y.Description, y.Reference = &s, &s
		r.OK(r.Portfolio.Add(r.Context(), l.Live, b))

		gotP, err := r.Portfolio.Property(r.Context(), l.Live, p.ID)
		r.OK(err)
		r.Same(gotP, *p)
		gotT, err := r.Portfolio.Tenant(r.Context(), l.Live, t.ID)
		r.OK(err)
		r.Same(gotT, *t)
		gotK, err := r.Portfolio.Ticket(r.Context(), l.Live, k.ID)
		r.OK(err)
		r.Same(gotK, *k)
		gotY, err := r.Portfolio.Payment(r.Context(), l.Live, y.ID)
		r.OK(err)
		r.Same(gotY, *y)
		found, err := r.Portfolio.Properties(r.Context(), l.Live, portfolio.PropertyFilter{
			City:  s,
			Query: list.Query{Limit: 10},
		})
		r.OK(err)
		r.Same(found, []portfolio.Property{*p})
		people, err := r.Portfolio.Tenants(r.Context(), l.Live, portfolio.TenantFilter{
			Email: s,
			Query: list.Query{Limit: 10},
		})
		r.OK(err)
		r.Same(people, []portfolio.Tenant{*t})
	}
}

// Only the letters of ASCII have two cases here: PostgreSQL would know others,
// SQLite does not, and both must find the same.
func cityAndEmailAreFoundInUpperAndLowerCase(r *fixture) {
	l := r.Landlord("dana")
	for _, city := range []string{"Española", "SÃO PAULO", "Ébano", "istanbul", "İstanbul", "Straße",
		"ΣΊΣΥΦΟΣ"} {
		p := r.house(l.Live, city)
		t := portfolio.Tenant{
			Record:    dbtest.Record(id.Tenant, "tenant", access.Live, dbtest.Now),
			FirstName: "A",
			LastName:  "B",
			Email:     new(city + "@Example.com"),
			Status:    "past",
		}
		r.OK(r.Portfolio.AddPeople(r.Context(), l.Live, &portfolio.Book{Tenants: []portfolio.Tenant{t}}))
		for _, asked := range []string{city, asciiUpper(city), asciiLower(city)} {
			rows, err := r.Portfolio.Properties(r.Context(), l.Live, portfolio.PropertyFilter{
				City:  asked,
				Query: list.Query{Limit: 10},
			})
			r.OK(err)
			r.Want(len(rows) == 1 && rows[0].ID == p, "%q finds %d properties in %q", asked, len(rows), city)
			people, err := r.Portfolio.Tenants(r.Context(), l.Live, portfolio.TenantFilter{
				Email: asked + "@eXAMPLE.com",
				Query: list.Query{Limit: 10},
			})
			r.OK(err)
			r.Want(len(people) == 1 && people[0].ID == t.ID, "%q finds %d tenants of %q", asked, len(people), city)
		}
	}
	for _, asked := range []string{"ESPAÑOLA", "são paulo", "ébano", "strasse", "Espanola", "Españ", "%",
		"istanbu_"} {
		rows, err := r.Portfolio.Properties(r.Context(), l.Live, portfolio.PropertyFilter{
			City:  asked,
			Query: list.Query{Limit: 10},
		})
		r.OK(err)
		r.Want(len(rows) == 0, "%q finds %s", asked, dbtest.Show(rows))
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
func (r *fixture) house(in access.Portfolio, city string) string {
	r.Helper()
	return r.houseOf(in, id.New(id.Property, dbtest.Now), city)
}

func (r *fixture) houseOf(in access.Portfolio, id, city string) string {
	r.Helper()
	r.OK(r.Portfolio.AddProperties(r.Context(), in, &portfolio.Book{
		Properties: []portfolio.Property{dbtest.NewProperty(in, id, city)},
	}))
	return id
}

// The order of a list and the position of its cursor must be the same order, and
// that of every node, whatever language its database speaks.
func idsAscendByTheirBytes(r *fixture) {
	l := r.Landlord("dana")
	ids := []string{
		"prop_Z", "prop_a", "prop_B", "prop_b", "prop_", "prop-", "prop_é", "prop_~", "prop_0",
		"Prop_0", "prop_ 1", "prop_A0", "prop_AA",
	}
	for _, id := range ids {
		r.houseOf(l.Live, id, "Austin")
	}
	slices.Sort(ids)
	for i := range ids {
		after := ids[i]
		rows, err := r.Portfolio.Properties(r.Context(), l.Live, portfolio.PropertyFilter{
			Query: list.Query{Limit: 100, StartingAfter: after},
		})
		r.OK(err)
		r.Want(slices.Equal(idsOf(dbtest.Pointers(rows)), ids[i+1:]), "after %q come %s", after, fmt.Sprintf("%q",
			idsOf(dbtest.Pointers(rows))))
	}
}

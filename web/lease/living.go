package lease

import (
	"fmt"
	"slices"
	"strconv"

	"portal/api/portfolio"
	"portal/api/portfolio/lease/terms"
	"portal/views/kit"
	"portal/web/page"
)

// livingList is a list of the contract that a form asks for in rows.
type livingList struct {
	name  string
	rows  int
	parts []string // the fields of a row; one without the first is left out if all of it is empty
}

var (
	guarantorList = livingList{"guarantors", 2, []string{"first_name", "last_name", "email"}}
	coOwnerList   = livingList{"co_owners", 3, []string{"name", "email", "title"}}

	petList     = livingList{"pets", 5, []string{"kind", "name", "weight_pounds"}}
	vehicleList = livingList{"vehicles", 4, []string{"make", "model", "plate"}}
	utilityList = livingList{"utilities", 12, []string{"name", "paid_by"}}
)

// partyFields are the fields of guarantors and co-owners.
func partyFields() []string { return slices.Concat(guarantorList.fields(), coOwnerList.fields()) }

// fields are those of all rows.
func (l livingList) fields() (names []string) {
	for i := range l.rows {
		for _, part := range l.parts {
			names = append(names, l.at(i)+part)
		}
	}
	return names
}

// livingFields are the fields of pets, vehicles and utilities.
func livingFields() (names []string) {
	for _, l := range []livingList{petList, vehicleList, utilityList} {
		names = append(names, l.fields()...)
	}
	return names
}

// at is what the fields of a row begin with.
func (l livingList) at(row int) string { return fmt.Sprintf("%s.%d.", l.name, row) }

// livingField is a field of a row.
func livingField(name, label string, beside bool) kit.Field {
	return kit.Field{Name: name, Label: label, Beside: beside, Optional: true, Unmarked: true}
}

// living asks for pets, vehicles and utilities, of which a draft may have some.
func (s *generateForm) living(has *terms.Terms) []kit.FieldGroup {
	pets := kit.FieldGroup{
		Title: "Pets", Folded: true,
		About: "Animals that may live in the home. Assistance animals are not pets: name them only if the tenant asks.",
	}
	for i := range s.seen(petList, len(has.Pets)) {
		at, label := petList.at(i), fmt.Sprintf("Pet %d", i+1)
		pets.Fields = append(pets.Fields,
			livingField(at+"kind", label+": kind of animal", false),
			livingField(at+"name", label+": name", true),
			livingField(at+"weight_pounds", label+": weight in pounds", true))
	}
	vehicles := kit.FieldGroup{Title: "Vehicles", Folded: true, About: "Vehicles that the tenants keep at the home."}
	for i := range s.seen(vehicleList, len(has.Vehicles)) {
		at, label := vehicleList.at(i), fmt.Sprintf("Vehicle %d", i+1)
		vehicles.Fields = append(vehicles.Fields,
			livingField(at+"make", label+": make", false),
			livingField(at+"model", label+": model", true),
			livingField(at+"plate", label+": license plate", true))
	}
	return []kit.FieldGroup{pets, vehicles, s.utilities(len(has.Utilities))}
}

// utilities asks who pays for what, of which so many are known.
func (s *generateForm) utilities(has int) kit.FieldGroup {
	utilities := kit.FieldGroup{
		Title: "Utilities", Folded: true,
		About: "Who pays for what, such as water or electricity. For what isn’t named, the lease says that the " +
			"tenants pay for what has a meter for the home alone.",
	}
	for i := range s.seen(utilityList, has) {
		at, label := utilityList.at(i), fmt.Sprintf("Utility %d", i+1)
		payer := livingField(at+"paid_by", label+": paid by", true)
		payer.Choices = []kit.Choice{
			{Label: "Choose"},
			{Value: string(terms.Landlord), Label: "The landlord"},
			{Value: string(terms.Tenant), Label: "The tenants"},
		}
		utilities.Fields = append(utilities.Fields, livingField(at+"name", label, false), payer)
	}
	return utilities
}

// guarantors asks for those who answer for the tenants, of whom a draft may have some.
func (s *generateForm) guarantors(has int) kit.FieldGroup {
	g := kit.FieldGroup{
		Title: "Guarantors", Folded: true,
		About: "Up to 2 people who pay what the tenants don’t. Each signs a guaranty, gets a copy, and is asked for " +
			"nothing else.",
	}
	for i := range s.seen(guarantorList, has) {
		at, label := guarantorList.at(i), fmt.Sprintf("Guarantor %d", i+1)
		g.Fields = append(g.Fields,
			kit.Field{
				Name: at + "first_name", Label: label + ": first name", Complete: "off", Longest: 127,
				Optional: true, Unmarked: true,
			},
			kit.Field{
				Name: at + "last_name", Label: label + ": last name", Beside: true, Complete: "off", Longest: 127,
				Optional: true, Unmarked: true,
			},
			kit.Field{
				Name: at + "email", Label: label + ": email address", Kind: "email", Complete: "off", Longest: 254,
				Optional: true, Unmarked: true, Hint: "The link to sign goes there.",
			})
	}
	return g
}

// coOwners asks for those who sign as landlords beside the landlord, of whom a draft may have some.
func (s *generateForm) coOwners(has int) kit.FieldGroup {
	g := kit.FieldGroup{
		Title:  "Co-owners",
		Folded: true,
		About: "Up to 3 people who own the home with you. Each signs as a landlord by a link of their own, and gets a " +
			"copy.",
	}
	for i := range s.seen(coOwnerList, has) {
		at, label := coOwnerList.at(i), fmt.Sprintf("Co-owner %d", i+1)
		g.Fields = append(g.Fields,
			kit.Field{
				Name: at + "name", Label: label + ": full name", Complete: "off", Longest: 127,
				Optional: true, Unmarked: true,
			},
			kit.Field{
				Name: at + "title", Label: label + ": title", Beside: true, Complete: "off", Longest: 60,
				Optional: true, Unmarked: true, Hint: "Such as Owner.",
			},
			kit.Field{
				Name: at + "email", Label: label + ": email address", Kind: "email", Complete: "off", Longest: 254,
				Optional: true, Unmarked: true, Hint: "The link to sign goes there.",
			})
	}
	return g
}

// sameCoOwners fills in the co-owners of a lease.
func (s *generateForm) sameCoOwners(l *portfolio.Lease) {
	for i, o := range l.Terms.CoOwners {
		at := coOwnerList.at(i)
		s.known(at+"name", o.Name)
		s.known(at+"email", o.Email)
		s.known(at+"title", page.OrEmpty(o.Title))
	}
}

// sameGuarantors fills in the guarantors of a lease.
func (s *generateForm) sameGuarantors(v *page.Request, l *portfolio.Lease) error {
	for i, tenantID := range l.GuarantorIDs() {
		if i == guarantorList.rows {
			break
		}
		t, err := s.section.Portfolio.Tenants.Tenant(v.Ctx(), v.Actor(), tenantID)
		if err != nil {
			return err
		}
		at := guarantorList.at(i)
		s.known(at+"first_name", t.FirstName)
		s.known(at+"last_name", t.LastName)
		s.known(at+"email", page.OrEmpty(t.Email))
	}
	return nil
}

// seen is how many rows of a list are shown: those that are filled, and one more.
func (s *generateForm) seen(l livingList, filled int) int {
	seen := min(filled+1, l.rows)
	for i := range l.rows {
		for _, part := range l.parts {
			if s.form.Text(l.at(i)+part) != "" {
				seen = max(seen, min(i+2, l.rows))
			}
		}
	}
	return seen
}

// sameLiving fills in pets, vehicles and utilities.
func (s *generateForm) sameLiving(t *terms.Terms) {
	for i := range t.Pets {
		p, at := &t.Pets[i], petList.at(i)
		s.known(at+"kind", p.Kind)
		s.known(at+"name", page.OrEmpty(p.Name))
		if p.WeightPounds != nil {
			s.known(at+"weight_pounds", strconv.Itoa(*p.WeightPounds))
		}
	}
	for i := range t.Vehicles {
		x, at := &t.Vehicles[i], vehicleList.at(i)
		s.known(at+"make", x.Make)
		s.known(at+"model", page.OrEmpty(x.Model))
		s.known(at+"plate", page.OrEmpty(x.Plate))
	}
	s.sameUtilities(t.Utilities)
}

// sameUtilities fills in who pays for what.
func (s *generateForm) sameUtilities(all []terms.Utility) {
	for i := range all {
		u, at := &all[i], utilityList.at(i)
		s.known(at+"name", u.Name)
		s.known(at+"paid_by", string(u.PaidBy))
	}
}

package lease

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"portal/api/fault"
	"portal/api/list"
	"portal/api/portfolio"
	"portal/views/kit"
	"portal/web/page"
)

// How many tenants the form offers: those near the unit, and those that pass a search.
const (
	offeredNear  = 5
	offeredFound = 10
)

// otherTenants are the fields of the tenants who sign beside the first one.
var otherTenants = []string{
	"additional_tenant_ids.0", "additional_tenant_ids.1", "additional_tenant_ids.2", "additional_tenant_ids.3",
}

// signerFields are the fields of all tenants who sign, the primary one first.
var signerFields = append([]string{"tenant_id"}, otherTenants...)

// personFields are the fields of a tenant who is added with the lease.
var personFields = []string{"first_name", "last_name", "email", "phone"}

// personField is a field of the tenant who is added in a row of those who sign.
func personField(row int, name string) string { return fmt.Sprintf("new.%d.%s", row, name) }

func signerLabel(row int) string {
	return []string{"Tenant", "Second tenant", "Third tenant", "Fourth tenant", "Fifth tenant"}[row]
}

// signer is one row of those who sign: a tenant of the portfolio, or somebody who is added with the lease.
type signer struct {
	row    int
	id     string
	person url.Values // the fields of somebody new, by their names; nil for a tenant of the portfolio
}

// signs are the rows that are filled.
func (s *generateForm) signs() (all []signer) {
	for row, name := range signerFields {
		if _, is := s.form.Values[personField(row, personFields[0])]; is {
			person := url.Values{}
			for _, part := range personFields {
				person.Set(part, s.form.Text(personField(row, part)))
			}
			all = append(all, signer{row: row, person: person})
		} else if tenant := s.form.Text(name); tenant != "" {
			all = append(all, signer{row: row, id: tenant})
		}
	}
	return all
}

// setSigns fills the rows anew, without a gap.
func (s *generateForm) setSigns(all []signer) {
	for row, name := range signerFields {
		s.form.Values.Del(name)
		for _, part := range personFields {
			s.form.Values.Del(personField(row, part))
		}
	}
	for row, x := range all {
		if x.person == nil {
			s.form.Values.Set(signerFields[row], x.id)
			continue
		}
		for _, part := range personFields {
			s.form.Values.Set(personField(row, part), x.person.Get(part))
		}
	}
}

// full is said where no more tenants can sign.
var full = fmt.Sprintf("A lease can have up to %d tenants who sign.", len(signerFields))

// people changes who signs in the form, and saves nothing.
func (p *Section) people(v *page.Request) error {
	s, err := p.formOf(v, v.Form())
	if err != nil {
		return err
	}
	act, of, _ := strings.Cut(s.form.Text("do"), ":")
	s.form.Values.Del("do")
	all := s.signs()
	row, err := strconv.Atoi(of)
	at := slices.IndexFunc(all, func(x signer) bool { return err == nil && x.row == row })
	switch {
	case act == "add" && slices.ContainsFunc(all, func(x signer) bool { return x.id == of }):
	case (act == "add" || act == "new") && len(all) == len(signerFields):
		s.form.Reject("tenant", full)
	case act == "add":
		if _, err := p.Portfolio.Tenants.Tenant(v.Ctx(), v.Actor(), of); fault.Is(err, fault.NoRecord) {
			s.form.Reject("tenant", "There is no such tenant.")
			break
		} else if err != nil {
			return err
		}
		all = append(all, signer{id: of})
		s.form.Values.Del("tenant")
	case act == "new":
		all = append(all, signer{person: called(s.form.Text("tenant"))})
		s.form.Values.Del("tenant")
	case act == "remove" && at >= 0:
		all = slices.Delete(all, at, at+1)
	case act == "primary" && at >= 0:
		first := all[at]
		all = slices.Insert(slices.Delete(all, at, at+1), 0, first)
	}
	s.setSigns(all)
	return s.show(v)
}

// called are the fields of somebody new whom the landlord has searched for by name or email address.
func called(words string) url.Values {
	person := url.Values{}
	if strings.Contains(words, "@") {
		person.Set("email", words)
	} else if first, last, is := strings.Cut(words, " "); is {
		person.Set("first_name", first)
		person.Set("last_name", strings.TrimSpace(last))
	} else {
		person.Set("first_name", words)
	}
	return person
}

// parties takes the one tenant whose whole name or email address stands in the search, and adds those who are new.
func (s *generateForm) parties(v *page.Request) error {
	if words := s.form.Text("tenant"); words != "" {
		if err := s.take(v, words); err != nil {
			return err
		}
	}
	for _, x := range s.signs() {
		if x.person == nil {
			continue
		}
		if err := s.join(v, x); err != nil {
			return err
		}
	}
	return nil
}

// take adds the tenant who is named to those who sign.
func (s *generateForm) take(v *page.Request, words string) error {
	tenant, err := s.named(v, "tenant", words)
	if err != nil || tenant == "" {
		return err
	}
	all := s.signs()
	switch {
	case slices.ContainsFunc(all, func(x signer) bool { return x.id == tenant }):
	case len(all) == len(signerFields):
		s.form.Reject("tenant", full)
		return nil
	default:
		s.setSigns(append(all, signer{id: tenant}))
	}
	s.form.Values.Del("tenant")
	return nil
}

// join adds a tenant to the portfolio who signs the lease, in the same transaction.
func (s *generateForm) join(v *page.Request, x signer) error {
	f := page.Blank(x.person)
	c := tenantCreate.Bind(v, f, personFields...)
	id := ""
	if !f.Rejected() {
		c.UnitID = &s.at.Unit.ID
		made, err := s.section.Portfolio.Tenants.AddTenant(v.Ctx(), v.Actor(), c)
		if err != nil && !f.Refused(err) {
			return err
		}
		if err == nil {
			id = made.After.ID
		}
	}
	for name, words := range f.FieldErrors {
		s.form.Reject(personField(x.row, name), words)
	}
	if f.Problem != "" {
		s.form.Problem, s.form.Status = f.Problem, f.Status
	}
	if id != "" {
		s.form.Values.Set(signerFields[x.row], id)
	}
	return nil
}

// apart forgets the tenants that were added with a form that was not taken: with it, nothing of them is kept.
func (s *generateForm) apart() {
	for _, x := range s.signs() {
		if x.person != nil {
			s.form.Values.Del(signerFields[x.row])
			if s.wrong(x.row) { // which is why they were not added
				delete(s.form.FieldErrors, signerFields[x.row])
			}
			s.form.Move(signerFields[x.row], personField(x.row, personFields[0]))
		}
	}
}

// wrong reports whether something is wrong with the fields of somebody new.
func (s *generateForm) wrong(row int) bool {
	return slices.ContainsFunc(personFields, func(part string) bool {
		return s.form.FieldErrors[personField(row, part)] != ""
	})
}

// joins reports whether somebody new signs.
func (s *generateForm) joins() bool {
	return slices.ContainsFunc(s.signs(), func(x signer) bool { return x.person != nil })
}

// errUndone rolls back what a preview has added.
var errUndone = errors.New("nothing is kept of a preview")

// undone does something of which nothing is kept.
func undone(v *page.Request, do func() error) error {
	outside := v.Request()
	defer v.SetRequest(outside)
	err := v.Shell.Forms.Exclusively(v.Ctx(), v.Actor().Portfolio, func(ctx context.Context) error {
		v.SetRequest(outside.WithContext(ctx))
		if err := do(); err != nil {
			return err
		}
		return errUndone
	})
	if errors.Is(err, errUndone) {
		return nil
	}
	return err
}

// named is the id of the one tenant with a name or an email address, as it is written or in other cases, or
// remembers why there is none. A part of a name stands for nobody.
func (s *generateForm) named(v *page.Request, field, words string) (string, error) {
	filter := portfolio.TenantFilter{Query: list.Query{Limit: 100}, Search: page.Clip(words, 100)}
	if strings.Contains(words, "@") {
		filter.Search, filter.Email = "", page.Clip(words, 254)
	}
	found, err := s.section.Portfolio.Tenants.Tenants(v.Ctx(), v.Actor(), filter)
	if err != nil {
		return "", err
	}
	fit := slices.DeleteFunc(found.Data, func(t portfolio.Tenant) bool {
		return !strings.EqualFold(t.Name, words) && (t.Email == nil || !strings.EqualFold(*t.Email, words))
	})
	switch {
	case len(fit) > 1 || found.HasMore: // others may be called the same
		s.form.Reject(field, "Several tenants fit “"+words+"”. Add one of them below, or enter the email address.")
	case len(fit) == 0:
		s.form.Reject(field, "No tenant is called “"+words+"”. Add one of those below, or a new tenant.")
	default:
		return fit[0].ID, nil
	}
	return "", nil
}

// offer finds the tenants that the form offers, and how those who sign are called. Who is no tenant of the
// portfolio is called nothing.
func (s *generateForm) offer(v *page.Request) error {
	tenants := s.section.Portfolio.Tenants
	s.names = map[string]string{}
	for _, x := range s.signs() {
		if x.person != nil {
			continue
		}
		t, err := tenants.Tenant(v.Ctx(), v.Actor(), x.id)
		if err != nil && !fault.Is(err, fault.NoRecord) {
			return err
		}
		if err == nil {
			s.names[x.id] = reached(t)
		}
	}
	filter, most := portfolio.TenantFilter{Query: list.Query{Limit: 60, Newest: true}}, offeredNear
	if words := s.form.Text("tenant"); words != "" {
		filter.Limit, filter.Search, most = offeredFound+len(signerFields), page.Clip(words, 100), offeredFound
	}
	found, err := tenants.Tenants(v.Ctx(), v.Actor(), filter)
	if err != nil {
		return err
	}
	s.offered = slices.DeleteFunc(found.Data, func(t portfolio.Tenant) bool {
		return slices.ContainsFunc(s.signs(), func(x signer) bool { return x.id == t.ID })
	})
	slices.SortStableFunc(s.offered, func(a, b portfolio.Tenant) int { return cmp.Compare(s.far(&a), s.far(&b)) })
	s.more = filter.Search != "" && (found.HasMore || len(s.offered) > most)
	s.offered = s.offered[:min(most, len(s.offered))]
	return nil
}

// far is how near a tenant is to the unit: those of the unit come first, then those of the property and who has no
// home yet, then all others.
func (s *generateForm) far(t *portfolio.Tenant) int {
	switch {
	case t.UnitID != nil && *t.UnitID == s.at.Unit.ID:
		return 0
	case t.PropertyID != nil && *t.PropertyID == s.at.Property.ID, t.Status == portfolio.TenantProspect:
		return 1
	}
	return 2
}

// reached is a tenant with the address to which the lease is sent.
func reached(t *portfolio.Tenant) string {
	if t.Email == nil {
		return t.Name + ", no email address"
	}
	return t.Name + ", " + *t.Email
}

// signers are the fields that say who signs.
func (s *generateForm) signers(v *page.Request) []kit.FieldGroup {
	at := v.In("/leases/generate/signers")
	back := at + "#field-tenant"
	groups := []kit.FieldGroup{{
		Title: "Tenants who sign",
		About: "Up to 5. Tenants with an email address get a link to sign. The others sign on your device.",
	}}
	add := func(f kit.Field) {
		last := &groups[len(groups)-1]
		last.Fields = append(last.Fields, f)
	}
	rows := s.signs()
	for _, x := range rows {
		label, what := signerLabel(x.row), strings.ToLower(signerLabel(x.row))
		remove := kit.FieldAct{Name: "Remove", Label: "Remove " + what, Path: back, Do: fmt.Sprintf("remove:%d", x.row)}
		acts := []kit.FieldAct{remove}
		if x.row > 0 {
			acts = []kit.FieldAct{{
				Name: "Make primary", Label: "Make primary: " + what, Path: back, Do: fmt.Sprintf("primary:%d", x.row),
			}, remove}
		}
		if x.person == nil {
			mark := label
			if x.row == 0 && len(rows) > 1 {
				mark += ", primary"
			}
			add(kit.Field{
				Name: signerFields[x.row], Kind: "picked", Label: mark, Value: x.id, Optional: true, Acts: acts,
				Shown: cmp.Or(s.names[x.id], "No tenant of this portfolio"),
			})
			continue
		}
		groups = append(groups, kit.FieldGroup{
			Title: label + ", new", Fields: append(newPerson(x.row), kit.Field{
				Name: fmt.Sprintf("new.%d", x.row), Kind: "picked", Optional: true, Acts: acts,
				Shown: "Added to your tenants when you save.",
			}),
		})
	}
	if s.form.Text("tenant_id") == "" {
		s.form.Move("tenant_id", "tenant")
	}
	if len(rows) == len(signerFields) && s.form.FieldErrors["tenant"] == "" {
		return groups
	}
	groups = append(groups, kit.FieldGroup{Title: "Add a tenant", Fields: []kit.Field{{
		Name: "tenant", Label: "Tenant", Kind: "search", Complete: "off", Longest: 254, Unmarked: len(rows) > 0,
		Hint: "Part of a name, an email address, or a phone number.",
		Acts: []kit.FieldAct{
			{Name: "Search", Path: back, Do: "find"},
			{
				Name: "New tenant", Path: at + "#field-" + personField(len(rows), personFields[0]), Do: "new",
			},
		},
	}}})
	s.found(add, back)
	return groups
}

// found are the tenants to add.
func (s *generateForm) found(add func(kit.Field), back string) {
	for i := range s.offered {
		t := &s.offered[i]
		add(kit.Field{
			Name: "found." + t.ID, Kind: "picked", Shown: reached(t), Optional: true,
			Acts: []kit.FieldAct{{Name: "Add", Label: "Add " + t.Name, Path: back, Do: "add:" + t.ID}},
		})
	}
	switch {
	case s.more:
		add(kit.Field{
			Name: "found", Kind: "picked", Shown: "More tenants match. Enter more of the name.", Optional: true,
		})
	case len(s.offered) == 0 && s.form.Text("tenant") != "":
		add(
			kit.Field{
				Name:     "found",
				Kind:     "picked",
				Shown:    "No other tenant matches. Check the spelling, or add a new tenant.",
				Optional: true,
			},
		)
	}
}

// newPerson asks for a tenant who is added with the lease.
func newPerson(row int) []kit.Field {
	phone := phoneField(personField(row, "phone"), "Phone", nil)
	phone.Beside = true
	return []kit.Field{
		{Name: personField(row, "first_name"), Label: "First name", Complete: "off", Longest: 127},
		{Name: personField(row, "last_name"), Label: "Last name", Beside: true, Complete: "off", Longest: 127},
		{
			Name: personField(row, "email"), Label: "Email address", Kind: "email", Complete: "off", Longest: 254,
			Optional: true,
		},
		phone,
	}
}

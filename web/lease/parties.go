package lease

import (
	"cmp"
	"slices"
	"strings"

	"portal/api/list"
	"portal/api/portfolio"
	"portal/views/kit"
	"portal/web/page"
)

// mostListed is how many tenants a portfolio has at most that are all offered to choose from. Those of a
// larger one are named by what is typed.
const mostListed = 60

// otherTenants are the fields of the tenants who sign beside the first one.
var otherTenants = []string{
	"additional_tenant_ids.0", "additional_tenant_ids.1", "additional_tenant_ids.2", "additional_tenant_ids.3",
}

// typedOther is the field in which the name of another tenant is typed.
func typedOther(chosen string) string {
	return "other" + strings.TrimPrefix(chosen, "additional_tenant_ids")
}

// parties finds the tenants whose names were typed, and puts their ids into the form.
func (s *generateForm) parties(v *page.Request) error {
	if !s.many {
		return nil
	}
	if err := s.party(v, "tenant", "tenant_id"); err != nil {
		return err
	}
	if s.form.Text("tenant") == "" {
		s.form.Reject("tenant", "This is required.")
	}
	for _, name := range otherTenants {
		if err := s.party(v, typedOther(name), name); err != nil {
			return err
		}
	}
	return nil
}

// party puts the id of the tenant who is named in one field into another one.
func (s *generateForm) party(v *page.Request, typed, chosen string) error {
	s.form.Values.Del(chosen)
	words := s.form.Text(typed)
	if words == "" {
		return nil
	}
	tenant, err := s.named(v, typed, words)
	if tenant != "" {
		s.form.Values.Set(chosen, tenant)
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
		s.form.Reject(field, "Several tenants fit “"+words+"”. Enter the email address.")
	case len(fit) == 0:
		s.form.Reject(field, "No tenant is called “"+words+"”. Accepting an application creates a tenant.")
	default:
		return fit[0].ID, nil
	}
	return "", nil
}

// listed are the tenants to choose from, the newest first: those of the unit, then those of the property and
// who has no home yet, then all others. It is false where the portfolio has too many.
func (p *Section) listed(v *page.Request, at *portfolio.Site) ([]portfolio.Tenant, bool, error) {
	filter := portfolio.TenantFilter{Query: list.Query{Limit: mostListed, Newest: true}}
	found, err := p.Portfolio.Tenants.Tenants(v.Ctx(), v.Actor(), filter)
	if err != nil || found.HasMore {
		return nil, false, err
	}
	distance := func(t *portfolio.Tenant) int {
		switch {
		case t.UnitID != nil && *t.UnitID == at.Unit.ID:
			return 0
		case t.PropertyID != nil && *t.PropertyID == at.Property.ID, t.Status == portfolio.TenantProspect:
			return 1
		}
		return 2
	}
	slices.SortStableFunc(found.Data, func(a, b portfolio.Tenant) int {
		return cmp.Compare(distance(&a), distance(&b))
	})
	return found.Data, true, nil
}

// signers are the fields that say who signs.
func (s *generateForm) signers() []kit.Field {
	all := []kit.Field{{Name: "unit_id", Kind: "hidden", Value: s.at.Unit.ID}}
	if s.many {
		return append(all, s.typedSigners()...)
	}
	tenant := kit.Field{Name: "tenant_id", Label: "Tenant", Choices: s.tenantChoices("Choose a tenant")}
	if len(s.tenants) == 0 {
		tenant.Hint = "No tenants yet. Accepting an application creates a tenant."
	}
	all = append(all, tenant)
	for i, name := range otherTenants {
		all = append(all, kit.Field{
			Name: name, Label: otherLabel(i), Optional: true, Choices: s.tenantChoices("Nobody"),
		})
	}
	return all
}

func (s *generateForm) typedSigners() []kit.Field {
	s.form.Move("tenant_id", "tenant")
	all := []kit.Field{{
		Name:     "tenant",
		Label:    "Tenant",
		Complete: "off",
		Longest:  254,
		Hint:     "The whole name or the email address, as under Tenants.",
	}}
	for i, name := range otherTenants {
		s.form.Move(name, typedOther(name))
		all = append(all, kit.Field{
			Name:     typedOther(name),
			Label:    otherLabel(i),
			Complete: "off",
			Optional: true,
			Longest:  254,
		})
	}
	return all
}

func otherLabel(i int) string {
	return []string{"Second tenant", "Third tenant", "Fourth tenant", "Fifth tenant"}[i]
}

// tenantChoices are the tenants to choose from behind a choice of none.
func (s *generateForm) tenantChoices(none string) []kit.Choice {
	all := []kit.Choice{{Label: none}}
	for i := range s.tenants {
		t := &s.tenants[i]
		label := t.Name
		if t.Email != nil {
			label += ", " + *t.Email
		}
		all = append(all, kit.Choice{Value: t.ID, Label: label})
	}
	return all
}

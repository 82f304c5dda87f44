package condition

import (
	"context"
	"strings"

	"portal/api/access"
	"portal/api/fault"
	"portal/api/language"
	"portal/api/portfolio"
)

// Changes is how a home has changed during the tenancy that a lease belongs to, as far as the landlord says so in
// reports that the tenants have seen; nil where there are no two of them.
func (s *Service) Changes(
	ctx context.Context, by access.Actor, leaseID string,
) (changes *portfolio.ConditionChanges, err error) {
	out, err := s.Report(ctx, by, leaseID, MoveOut)
	if fault.Is(err, fault.NoRecord) {
		return changes, nil
	}
	if err != nil {
		return changes, err
	}
	in, err := s.MoveIn(ctx, by, leaseID)
	if fault.Is(err, fault.NoRecord) {
		return changes, nil
	}
	if err != nil || !in.Shared() || !out.Shared() {
		return changes, err
	}
	changes = &portfolio.ConditionChanges{
		Agreed: in.Complete() && out.Complete(), Items: []portfolio.ConditionChange{},
	}
	for _, a := range Beside(in, out) {
		for _, pair := range a.Items {
			if pair.Changed() {
				changes.Items = append(changes.Items, portfolio.ConditionChange{
					Room: translated(a.Label), Item: translated(pair.Out.Label),
					MovedIn: translated(pair.In.Words), MovedOut: translated(pair.Out.Words),
				})
			}
		}
	}
	return changes, nil
}

func translated(in func(language.Language) string) portfolio.Translated {
	return portfolio.Translated{English: in(language.English), Spanish: in(language.Spanish)}
}

// Words are what the landlord says of an item, and behind that what the tenants say, in a language. Notes are as they
// were written, in one line.
func (i *Item) Words(l language.Language) string {
	said := i.Landlord.Words(l)
	if tenants := i.Tenant.Words(l); tenants != "" {
		said = strings.TrimPrefix(said+". ", ". ") + l.Say("Tenants: ", "Inquilinos: ") + tenants
	}
	return said
}

// Words are a condition in a language with the note, as it was written, in one line, "" for neither.
func (r *Remark) Words(l language.Language) string {
	said := ""
	if r.Condition != nil {
		said = r.Condition.Label(l)
	}
	if r.Note != "" && said != "" {
		said += ": "
	}
	return said + strings.Join(strings.Fields(r.Note), " ")
}

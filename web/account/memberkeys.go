package account

import (
	"strings"

	"portal/api/developer"
	"portal/views/kit"
	"portal/web/page"
)

// keepKeys is the box that keeps the keys of somebody who leaves or is an owner no longer.
const keepKeys = "keep_keys"

// keysOf names the keys that a member made and that work, after some words, with a box to
// keep them; nothing where they made none. The key of the documentation in one of their
// sessions is not among them: it always ends.
func (p *teamPages) keysOf(v *page.Request, email, before string) (words []string, fields []kit.Field, err error) {
	if p.Keys == nil {
		return nil, nil, nil
	}
	all, err := p.Keys.AccountKeys(v.Ctx(), v.Member())
	if err != nil {
		return nil, nil, err
	}
	var names []string
	for i := range all {
		k := &all[i]
		state := k.State(p.Now())
		if k.Creator == email && !k.OfSession && (state == developer.KeyActive || state == developer.KeyEnding) {
			names = append(names, "“"+k.Name+"” ("+k.KeyPrefix+"…)")
		}
	}
	if len(names) == 0 {
		return nil, nil, nil
	}
	return []string{
			before + strings.Join(names, ", ") + ".",
		}, []kit.Field{
			{
				Name:  keepKeys,
				Label: "Keep these keys",
				Kind:  "checkbox",
				Hint:  "They keep working with all their scopes. Otherwise they’re revoked right away, and you can’t restore them.",
			},
		}, nil
}

// asksAboutKeys asks before a member goes, with the keys that they made.
func (p *teamPages) asksAboutKeys(v *page.Request, email, title, words string, f kit.Form) error {
	before := "The API keys they created are revoked: "
	if email == v.Person.Email {
		before = "The API keys you created are revoked: "
	}
	keys, fields, err := p.keysOf(v, email, before)
	if err != nil {
		return err
	}
	f.Groups = []kit.FieldGroup{{Fields: fields}}
	return v.Show(kit.ConfirmPage(kit.Confirm{
		Frame: v.Frame(title),
		Title: title,
		Words: append([]string{words}, keys...),
		Form:  f,
	}))
}

package web

import (
	"portal/api/fault"
	"portal/views"
)

// newPasskey asks for a name; a script asks for the passkey.
func (p *Pages) newPasskey(v *visit) error { return p.passkeyForm(v, v.form()) }

func (p *Pages) startNewPasskey(v *visit) error {
	options, ceremony, err := p.Account.StartPasskey(v.ctx(), v.person)
	return passkeyCeremony(v, options, ceremony, err)
}

func (p *Pages) addPasskey(v *visit) error {
	f := v.form()
	k, codes, err := p.Account.AddPasskey(v.ctx(), v.person, v.take(ceremonyKey), f.text("name"), []byte(f.raw("response")), v.from())
	if f.refused(err) {
		return p.passkeyForm(v, f)
	}
	if err != nil {
		return err
	}
	return p.added(v, codes, "The passkey “"+k.Name+"” is added. You can sign in with it.")
}

func (p *Pages) passkeyForm(v *visit, f *form) error {
	if !p.Account.Passkeys() {
		return fault.Of(fault.RouteNotFound)
	}
	return v.showAs(f.status, views.NewPasskeyPage(views.NewPasskey{Frame: scripted(v, "Add a passkey"), Back: toSecurity,
		Form: f.fill(views.Form{Failed: "The passkey is not added yet", Groups: []views.FieldGroup{{Fields: []views.Field{
			{Name: "name", Label: "Name", Hint: "By which you know it again, for example “Laptop” or “Blue key”.", Complete: "off"}}}}}),
		Passkey: views.Passkey{Start: "/settings/security/ceremony", Action: "/settings/security/passkeys", Button: "Add a passkey", Create: true}}))
}

// named is the name of one of the reader's passkeys, or fault.NoRecord.
func (p *Pages) named(v *visit) (string, error) {
	have, err := p.Account.Security(v.ctx(), v.person)
	if err != nil {
		return "", err
	}
	for _, k := range have.Passkeys {
		if k.ID == v.Param("id") {
			return k.Name, nil
		}
	}
	return "", fault.Of(fault.NoRecord)
}

func (p *Pages) passkey(v *visit) error { return p.renameForm(v, v.form()) }

func (p *Pages) renamePasskey(v *visit) error {
	f := v.form()
	err := p.Account.RenamePasskey(v.ctx(), v.person, v.Param("id"), f.text("name"))
	if f.refused(err) {
		return p.renameForm(v, f)
	}
	if err != nil {
		return err
	}
	return v.done("/settings/security", "The passkey is called “"+f.text("name")+"” now.")
}

func (p *Pages) renameForm(v *visit, f *form) error {
	name, err := p.named(v)
	if err != nil {
		return err
	}
	return v.showAs(f.status, views.FormPage(views.FormView{Frame: v.frame("Rename a passkey"), Heading: views.Heading{Title: "Rename “" + name + "”", Back: toSecurity},
		Form: f.fill(views.Form{Submit: "Rename the passkey", Cancel: "/settings/security", Groups: []views.FieldGroup{{Fields: []views.Field{
			{Name: "name", Label: "Name", Value: name, Complete: "off"}}}}})}))
}

func (p *Pages) askRemovePasskey(v *visit) error {
	name, err := p.named(v)
	if err != nil {
		return err
	}
	return showConfirm(v, "Remove the passkey “"+name+"”?", "It cannot sign in any more. Without another second factor your recovery codes go, too.",
		views.Form{Submit: "Remove the passkey", Danger: true, Cancel: "/settings/security"})
}

func (p *Pages) removePasskey(v *visit) error {
	if err := p.Account.RemovePasskey(v.ctx(), v.person, v.Param("id"), v.from()); err != nil {
		return err
	}
	return p.removed(v, "The passkey is removed.")
}

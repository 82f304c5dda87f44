package account

import (
	"net/http"

	"portal/api/fault"
	views "portal/views/account"
	"portal/views/kit"
	"portal/web/page"
)

func (p *settingsPages) startNewPasskey(v *page.Request) error {
	options, ceremony, err := p.Account.Passkeys.StartPasskey(v.Ctx(), v.Person)
	return passkeyCeremony(v, options, ceremony, err)
}

func (p *settingsPages) addPasskey(v *page.Request) error {
	f := v.Form()
	k, codes, err := p.Account.Passkeys.AddPasskey(
		v.Ctx(),
		v.Person,
		v.Session.Take(ceremonyKey),
		f.Text("name"),
		[]byte(f.Raw("response")),
		v.From(),
	)
	if err != nil {
		return f.Again(v, err, p.passkeyForm)
	}
	return p.added(v, codes, "The passkey “"+k.Name+"” is added. You can sign in with it.")
}

func (p *settingsPages) passkeyForm(v *page.Request, f *page.Form) error {
	if !p.Account.Passkeys.Passkeys() {
		return fault.Of(fault.RouteNotFound)
	}
	return v.ShowAs(f.Status, views.NewPasskeyPage(views.NewPasskey{
		Frame: scripted(v, "Add passkey"),
		Back:  toSecurity,
		Form: f.Fill(kit.Form{Failed: "The passkey isn’t added yet", Groups: []kit.FieldGroup{{Fields: []kit.Field{
			{
				Name:     "name",
				Label:    "Name",
				Hint:     "For example “Laptop” or “Blue key”.",
				Complete: "off",
			}}}}}),
		Passkey: views.Passkey{
			Start:  "/settings/security/ceremony",
			Action: "/settings/security/passkeys",
			Button: "Add passkey",
			Create: true,
		},
	}))
}

// named is the name of one of the reader's passkeys, or fault.NoRecord.
func (p *settingsPages) named(v *page.Request) (string, error) {
	have, err := p.Account.SecondFactors.Security(v.Ctx(), v.Person)
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

func (p *settingsPages) renamePasskey(v *page.Request) error {
	f := v.Form()
	err := p.Account.Passkeys.RenamePasskey(v.Ctx(), v.Person, v.Param("id"), f.Text("name"))
	if err != nil {
		return f.Again(v, err, p.renameForm)
	}
	return v.Done("/settings/security", "The passkey is called “"+f.Text("name")+"” now.")
}

func (p *settingsPages) renameForm(v *page.Request, f *page.Form) error {
	name, err := p.named(v)
	if err != nil {
		return err
	}
	return v.ShowAs(f.Status, kit.FormPage(kit.FormView{
		Frame:   v.Frame("Rename passkey"),
		Heading: kit.Heading{Title: "Rename “" + name + "”", Back: toSecurity},
		Form: f.Fill(kit.Form{
			Submit: "Rename passkey",
			Cancel: "/settings/security",
			Groups: []kit.FieldGroup{{Fields: []kit.Field{
				{
					Name:     "name",
					Label:    "Name",
					Value:    name,
					Complete: "off",
				}}}},
		}),
	}))
}

func (p *settingsPages) askRemovePasskey(v *page.Request) error {
	name, err := p.named(v)
	if err != nil {
		return err
	}
	return v.Confirm(
		http.StatusOK, "Remove the passkey “"+name+"”?",
		kit.Form{Submit: "Remove passkey", Danger: true, Cancel: "/settings/security"},
		"You can’t sign in with it anymore. If it’s your only second step, your recovery codes stop working, too.",
	)
}

func (p *settingsPages) removePasskey(v *page.Request) error {
	if err := p.Account.Passkeys.RemovePasskey(v.Ctx(), v.Person, v.Param("id"), v.From()); err != nil {
		return err
	}
	return p.removed(v, "Passkey removed.")
}

const ceremonyKey = "ceremony"

// passkeyCeremony answers a script with what it is to ask the browser for, and keeps in the
// session what the answer has to fit.
func passkeyCeremony(v *page.Request, options []byte, id string, err error) error {
	if err != nil {
		return err
	}
	v.Session.Keep(ceremonyKey, id)
	if err := v.Session.Commit(); err != nil {
		return err
	}
	v.Response().Header().Set("Cache-Control", "no-store")
	return v.Blob(http.StatusOK, "application/json", options)
}

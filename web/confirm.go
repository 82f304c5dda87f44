package web

import (
	"portal/api/clock"
	"portal/views"
)

// confirm asks who is signed in to show again that it is them. What can be done with an
// account that is not one's own asks for it, for 15 minutes.
func (p *Pages) confirm(v *visit) error {
	if v.fresh() {
		return v.redirect(v.onward())
	}
	return p.confirmForm(v, v.form())
}

// fresh tells whether nobody needs to be asked again.
func (v *visit) fresh() bool { return v.person.Fresh(clock.At(v.pages.Now())) }

// unlessFresh leads to the confirmation where it is needed.
func (v *visit) unlessFresh() error {
	if v.fresh() {
		return nil
	}
	return lead{"/confirm"}
}

func (p *Pages) confirmed(v *visit) error {
	f := v.form()
	proof, err := p.Account.ConfirmByPassword(v.ctx(), v.person, f.raw("password"), f.text("code"), v.from())
	if f.refused(err) {
		return p.confirmForm(v, f)
	}
	if err != nil {
		return err
	}
	return v.begin(proof, v.onward())
}

func (p *Pages) confirmedByPasskey(v *visit) error { return p.prove(v, p.confirmForm) }

func (p *Pages) confirmForm(v *visit, f *form) error {
	have, err := p.Account.Security(v.ctx(), v.person)
	if err != nil {
		return err
	}
	fields := []views.Field{{Name: "password", Label: "Password", Kind: "password", Complete: "current-password"}}
	if have.Second() {
		fields = append(fields, codeField(have))
	}
	page := views.SignIn{Frame: v.scripted("Confirm it is you"), Email: v.person.Email, Form: f.fill(views.Form{
		Action: "/confirm", Submit: "Confirm", Failed: "You are not confirmed yet", Groups: []views.FieldGroup{{Fields: append(fields, nextField())}}})}
	if len(have.Passkeys) > 0 && p.Account.Passkeys() {
		page.Passkey = &views.Passkey{Start: "/confirm/passkey/start", Action: "/confirm/passkey", Button: "Use a passkey", Next: f.text("next")}
	}
	return v.showAs(f.status, views.AgainPage(page))
}

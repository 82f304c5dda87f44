package web

import (
	"net/http"

	"portal/api/account"
	"portal/views"
)

// confirm asks who is signed in to show again that it is them, for a page that is only
// shown to who has done so within account.FreshTime.
func (p *Pages) confirm(v *visit) error {
	if v.fresh() {
		return v.redirect(onward(v))
	}
	return p.confirmForm(v, v.form(), "")
}

func (p *Pages) confirmed(v *visit) error {
	f := v.form()
	if err := p.proveAgain(v, f); f.refused(err) {
		return p.confirmForm(v, f, "")
	} else if err != nil {
		return err
	}
	return v.redirect(onward(v))
}

// proveAgain checks what shows that the reader is who is signed in: a passkey, or the password
// with a code where there is a second factor. The session goes on under a new token, and
// forms that were opened before are still taken.
func (p *Pages) proveAgain(v *visit, f *form) error {
	proof, err := p.proofOf(v, f)
	if err != nil {
		return err
	}
	token, err := v.renewKeepingForms()
	if err != nil {
		return err
	}
	begun, err := p.Account.Begin(v.ctx(), proof, token, v.from())
	if err != nil {
		return err
	}
	v.remember(begun.Device)
	v.person, err = p.People.Visitor(v.ctx(), token, v.from())
	return err
}

func (p *Pages) proofOf(v *visit, f *form) (*account.Proof, error) {
	if response := f.raw("response"); response != "" {
		return p.Account.PasskeyProof(v.ctx(), v.person, v.take(ceremonyKey), []byte(response), v.from())
	}
	return p.Account.ConfirmByPassword(v.ctx(), v.person, f.raw("password"), f.text("code"), v.from())
}

// confirmForm asks for what shows who the reader is. A form that is held goes on from here
// to its own address, a page is led back to.
func (p *Pages) confirmForm(v *visit, f *form, held string) error {
	have, err := p.Account.Security(v.ctx(), v.person)
	if err != nil {
		return err
	}
	fields := []views.Field{{Name: "password", Label: "Password", Kind: "password", Complete: "current-password"}}
	if have.Second() {
		fields = append(fields, codeField(have))
	}
	action, passkey, status := "/confirm", "/confirm/passkey", f.status
	if held == "" {
		fields = append(fields, nextField())
	} else {
		fields = append(fields, views.Field{Name: views.HeldField, Kind: "hidden", Value: held})
		action = v.Request().URL.Path
		passkey = action
		if status == http.StatusOK { // the form was not taken yet
			status = http.StatusForbidden
		}
	}
	page := views.SignIn{Frame: scripted(v, "Confirm it is you"), Email: v.person.Email, Form: f.fill(views.Form{
		Action: action, Submit: "Confirm", Failed: "You are not confirmed yet", Groups: []views.FieldGroup{{Fields: fields}}})}
	if len(have.Passkeys) > 0 && p.Account.Passkeys() {
		page.Passkey = &views.Passkey{Start: "/confirm/passkey/start", Action: passkey, Button: "Use a passkey", Next: f.text("next"), Held: held}
	}
	return v.showAs(status, views.AgainPage(page))
}

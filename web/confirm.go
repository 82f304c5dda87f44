package web

import (
	"crypto/subtle"
	"encoding/base64"
	"net/http"
	"net/url"
	"strings"

	"portal/api/account"
	"portal/api/clock"
	"portal/views"
)

// confirm asks who is signed in to show again that it is them, for a page that is only
// shown to who has done so within account.FreshTime.
func (p *Pages) confirm(v *visit) error {
	if v.fresh() {
		return v.redirect(v.onward())
	}
	return p.confirmForm(v, v.form(), "")
}

// fresh tells whether nobody needs to be asked again.
func (v *visit) fresh() bool { return v.person.Fresh(clock.At(v.pages.Now())) }

func (p *Pages) confirmed(v *visit) error {
	f := v.form()
	if err := v.prove(f); f.refused(err) {
		return p.confirmForm(v, f, "")
	} else if err != nil {
		return err
	}
	return v.redirect(v.onward())
}

// confirmedOrAsked tells whether who asks for a route that needs it has shown lately who
// they are. Otherwise a page leads to the confirmation and back; to a form the confirmation
// is the answer, which holds what was typed and goes on with it.
func (v *visit) confirmedOrAsked() (sure bool, err error) {
	switch r := v.Request(); {
	case !v.route.asksAgain:
		return true, nil
	case r.Method != http.MethodPost, r.Header.Get("Accept") == "application/json": // a script follows where it is led
		if !v.fresh() {
			err = lead{"/confirm"}
		}
		return err == nil, err
	}
	f := v.form()
	held, waits := f.held()
	if v.fresh() {
		if waits {
			v.Request().PostForm = held
		}
		return true, nil
	}
	if !waits {
		return false, v.pages.confirmForm(v, blank(url.Values{}), hold(f.values))
	}
	if err := v.prove(f); f.refused(err) {
		return false, v.pages.confirmForm(v, f, f.raw(views.HeldField))
	} else if err != nil {
		return false, err
	}
	v.Request().PostForm = held
	return true, v.permitted() // as it is now
}

// hold is a form as a hidden field of another one. Passwords are never sent back.
func hold(sent url.Values) string {
	kept := url.Values{}
	for name, values := range sent {
		if name != views.TokenField && name != views.HeldField && !strings.Contains(name, "password") {
			kept[name] = values
		}
	}
	return base64.RawURLEncoding.EncodeToString([]byte(kept.Encode()))
}

// held is the form that waits in another one.
func (f *form) held() (sent url.Values, waits bool) {
	text, err := base64.RawURLEncoding.DecodeString(f.raw(views.HeldField))
	if err != nil || len(f.values[views.HeldField]) == 0 {
		return nil, false
	}
	sent, err = url.ParseQuery(string(text))
	return sent, err == nil
}

// prove checks what shows that the reader is who is signed in: a passkey, or the password
// with a code where there is a second factor. The session goes on under a new token, and
// forms that were opened before are still taken.
func (v *visit) prove(f *form) error {
	proof, err := v.proof(f)
	if err != nil {
		return err
	}
	earlier := v.tokenOf(v.knownSecret())
	token, err := v.renew()
	if err != nil {
		return err
	}
	begun, err := v.pages.Account.Begin(v.ctx(), proof, token, v.from())
	if err != nil {
		return err
	}
	v.remember(begun.Device)
	v.keep(earlierKey, earlier)
	v.person, err = v.pages.People.Visitor(v.ctx(), token, v.from())
	return err
}

func (v *visit) proof(f *form) (*account.Proof, error) {
	if response := f.raw("response"); response != "" {
		return v.pages.Account.PasskeyProof(v.ctx(), v.person, v.take(ceremonyKey), []byte(response), v.from())
	}
	return v.pages.Account.ConfirmByPassword(v.ctx(), v.person, f.raw("password"), f.text("code"), v.from())
}

// earlierKey is where a session keeps the token that its forms had before its reader
// confirmed who they are.
const earlierKey = "earlier_token"

// earlier tells whether a form was opened before the reader confirmed who they are.
func (v *visit) earlier(sent string) bool {
	kept := v.kept(earlierKey)
	return kept != "" && subtle.ConstantTimeCompare([]byte(sent), []byte(kept)) == 1
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
	page := views.SignIn{Frame: v.scripted("Confirm it is you"), Email: v.person.Email, Form: f.fill(views.Form{
		Action: action, Submit: "Confirm", Failed: "You are not confirmed yet", Groups: []views.FieldGroup{{Fields: fields}}})}
	if len(have.Passkeys) > 0 && p.Account.Passkeys() {
		page.Passkey = &views.Passkey{Start: "/confirm/passkey/start", Action: passkey, Button: "Use a passkey", Next: f.text("next"), Held: held}
	}
	return v.showAs(status, views.AgainPage(page))
}

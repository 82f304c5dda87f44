package account

import (
	"net/http"
	"slices"
	"strings"

	"portal/api/account"
	views "portal/views/account"
	"portal/views/kit"
	"portal/web/page"
)

// confirm asks somebody who is signed in to show again that it is them, for a page that is only
// shown to somebody who has done so within account.FreshTime.
func (p *signInPages) confirm(v *page.Request) error {
	if v.Fresh() {
		return v.SeeOther(onward(v))
	}
	return p.confirmForm(v, v.Form(), "")
}

func (p *signInPages) confirmed(v *page.Request) error {
	f := v.Form()
	if err := p.proveAgain(v, f); f.Refused(err) {
		return p.confirmForm(v, f, "")
	} else if err != nil {
		return err
	}
	return v.SeeOther(onward(v))
}

// proveAgain checks what shows that the reader is the signed-in user: a passkey, or the password
// with a code where there is a second factor. The session goes on under a new token, and
// forms that were opened before are still taken.
func (p *signInPages) proveAgain(v *page.Request, f *page.Form) error {
	var proof *account.Proof
	var err error
	if response := f.Raw("response"); response != "" {
		ceremony := v.Session.Take(ceremonyKey)
		proof, err = p.Account.Passkeys.PasskeyProof(v.Ctx(), v.Person, ceremony, []byte(response), v.From())
	} else {
		proof, err = p.Account.SignIns.ConfirmByPassword(v.Ctx(), v.Person, f.Raw("password"), f.Text("code"), v.From())
	}
	if err != nil {
		return err
	}
	token, err := v.Session.RenewKeepingForms()
	if err != nil {
		return err
	}
	begun, err := p.Account.Sessions.Begin(v.Ctx(), proof, token, v.From())
	if err != nil {
		return err
	}
	v.Remember(begun.Device)
	v.Person, err = p.People.Visitor(v.Ctx(), token, v.From())
	return err
}

// confirmForm asks the reader to show again that it is them. A form that is held goes on from here
// to its own address, a page is led back to.
func (p *signInPages) confirmForm(v *page.Request, f *page.Form, held string) error {
	have, err := p.Account.SecondFactors.Security(v.Ctx(), v.Person)
	if err != nil {
		return err
	}
	fields := []kit.Field{currentPassword()}
	if have.Second() {
		fields = append(fields, codeField(have))
	}
	action, passkey, status := "/confirm", "/confirm/passkey", f.Status
	if held == "" {
		fields = append(fields, nextField())
	} else {
		fields = append(fields, kit.Field{Name: kit.HeldField, Kind: "hidden", Value: held})
		action = v.Request().URL.Path
		passkey = action
		if status == http.StatusOK { // the form was not taken yet
			status = http.StatusForbidden
		}
	}
	wanted := onward(v)
	if held != "" {
		wanted = v.Request().URL.Path
	}
	view := views.SignIn{Frame: scripted(v, "Confirm it’s you"), Email: v.Person.Email, Form: f.Fill(kit.Form{
		Action:   action,
		Submit:   "Confirm",
		Failed:   "You’re not confirmed yet",
		Brief:    true,
		Cancel:   cancelled(wanted),
		Username: v.Person.Email,
		Groups:   []kit.FieldGroup{{Fields: fields}},
	})}
	view.Title = "Enter your password to " + purpose(wanted)
	if len(have.Passkeys) > 0 && p.Account.Passkeys.Passkeys() {
		view.Passkey = &views.Passkey{
			Start:  "/confirm/passkey/start",
			Action: passkey,
			Button: "Use a passkey",
			Next:   f.Text("next"),
			Held:   held,
		}
	}
	return v.ShowAs(status, views.AgainPage(view))
}

// purposes are what an address that asks for the password again does, the first that fits.
var purposes = []struct{ address, does string }{
	{"/keys/*/roll", "roll an API key"},
	{"/keys", "create an API key"},
	{"/keys/new", "create an API key"},
	{"/docs/key", "create an API key"},
	{"/*/webhooks/new", "add an endpoint"},
	{"/*/webhooks/*/edit", "change an endpoint"},
	{"/*/webhooks/*/rotate", "rotate a signing secret"},
	{"/*/leases/*/sign", "sign a lease"},
	{"/*/ledger/*/refund", "refund a payment"},
	{"/*/settings/payments/connect", "set up online payments"},
	{"/team/invite", "invite a member"},
	{"/team/members/*", "change a role"},
	{"/settings/export", "download your data"},
	{"/settings/close", "close the account"},
	{"/settings/email", "change your email address"},
	{"/settings/security/app", "set up an authenticator app"},
	{"/settings/security/app/remove", "remove your authenticator app"},
	{"/settings/security/codes", "create new recovery codes"},
	{"/settings/security/passkeys/*/remove", "remove a passkey"},
	{"/settings/security/*", "add a passkey"},
}

// purpose is what an address does, for the reader who has to show again that it is them.
func purpose(address string) string {
	at, _, _ := strings.Cut(address, "?")
	parts := strings.Split(at, "/")
	for _, p := range purposes {
		// in a pattern, * is any one part
		if slices.EqualFunc(strings.Split(p.address, "/"), parts, func(want, is string) bool {
			return want == "*" || want == is
		}) {
			return p.does
		}
	}
	return "continue"
}

// cancelled is where somebody goes who does not confirm: the list or the record that an address belongs to.
func cancelled(address string) string {
	at, _, _ := strings.Cut(address, "?")
	for _, section := range []string{"/keys", "/team", "/settings/security", "/settings", "/docs"} {
		if at == section || strings.HasPrefix(at, section+"/") {
			return section
		}
	}
	for _, task := range []string{"/new", "/edit", "/rotate", "/sign"} {
		if before, found := strings.CutSuffix(at, task); found {
			return before
		}
	}
	return "/"
}

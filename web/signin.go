package web

import (
	"context"

	"portal/api/account"
	"portal/views"
)

// signIns are the ways in, and the ways to confirm who one is.
type signIns interface {
	SignIn(ctx context.Context, email, plain string, from account.Client) (*account.Proof, error)
	SecondByCode(ctx context.Context, v *account.Visitor, code string, from account.Client) (*account.Proof, error)
	ConfirmByPassword(ctx context.Context, v *account.Visitor, plain, code string, from account.Client) (*account.Proof, error)
	Security(ctx context.Context, v *account.Visitor) (account.Security, error)
}

// signIn asks who it is. Who is signed in already goes on.
func (p *Pages) signIn(v *visit) error {
	if entered(v) {
		return v.redirect(onward(v))
	}
	return p.signInForm(v, v.form())
}

func (p *Pages) enter(v *visit) error {
	f := v.form()
	proof, err := p.Account.SignIn(v.ctx(), f.text("email"), f.raw("password"), v.from())
	if f.refused(err) {
		return p.signInForm(v, f)
	}
	if err != nil {
		return err
	}
	return p.begin(v, proof, onward(v))
}

func (p *Pages) signInForm(v *visit, f *form) error {
	page := views.SignIn{Frame: scripted(v, "Sign in"), Form: f.fill(views.Form{Action: "/sign-in", Submit: "Sign in", Failed: "You are not signed in yet",
		Groups: []views.FieldGroup{{Fields: []views.Field{
			{Name: "email", Label: "E-mail address", Kind: "email", Mode: "email", Complete: "username"},
			{Name: "password", Label: "Password", Kind: "password", Complete: "current-password"},
			nextField(),
		}}}})}
	if p.Account.Passkeys() {
		page.Passkey = &views.Passkey{Start: "/sign-in/passkey/start", Action: "/sign-in/passkey", Button: "Sign in with a passkey", Next: f.text("next")}
	}
	return v.showAs(f.status, views.SignInPage(page))
}

// startPasskey tells a script what to ask the browser of a guest for.
func (p *Pages) startPasskey(v *visit) error {
	options, ceremony, err := p.Account.StartPasskeySignIn(v.ctx(), v.from())
	return passkeyCeremony(v, options, ceremony, err)
}

func (p *Pages) enterByPasskey(v *visit) error {
	f := v.form()
	proof, err := p.Account.PasskeySignIn(v.ctx(), v.take(ceremonyKey), []byte(f.raw("response")), v.from())
	if f.refused(err) {
		return p.signInForm(v, f)
	}
	if err != nil {
		return err
	}
	return p.begin(v, proof, onward(v))
}

// waiting is a page for who knows the password and has yet to show the second factor.
func waiting(page handler) handler {
	return func(v *visit) error {
		switch {
		case v.person == nil:
			return stranger
		case !v.person.Pending:
			return v.redirect(onward(v))
		}
		return page(v)
	}
}

func (p *Pages) second(v *visit) error { return p.secondForm(v, v.form()) }

func (p *Pages) enterByCode(v *visit) error {
	f := v.form()
	proof, err := p.Account.SecondByCode(v.ctx(), v.person, f.text("code"), v.from())
	if f.refused(err) {
		return p.secondForm(v, f)
	}
	if err != nil {
		return err
	}
	return p.begin(v, proof, onward(v))
}

func (p *Pages) secondForm(v *visit, f *form) error {
	have, err := p.Account.Security(v.ctx(), v.person)
	if err != nil {
		return err
	}
	page := views.SignIn{Frame: scripted(v, "Confirm it is you"), Email: v.person.Email,
		Form: f.fill(views.Form{Action: "/sign-in/second", Submit: "Go on", Failed: "You are not signed in yet",
			Groups: []views.FieldGroup{{Fields: []views.Field{codeField(have), nextField()}}}})}
	if len(have.Passkeys) > 0 && p.Account.Passkeys() {
		page.Passkey = &views.Passkey{Start: "/sign-in/second/passkey/start", Action: "/sign-in/second/passkey", Button: "Use a passkey", Next: f.text("next")}
	}
	return v.showAs(f.status, views.SecondPage(page))
}

// codeField asks for what the person has: where there is no app it is a recovery code.
func codeField(have account.Security) views.Field {
	if have.TOTPSince == nil {
		return views.Field{Name: "code", Label: "Recovery code", Hint: "One of those that you were shown once. It works a single time.", Complete: "off", Code: true}
	}
	return views.Field{Name: "code", Label: "Code", Hint: "The six digits of your authenticator app, or a recovery code.", Complete: "one-time-code", Code: true}
}

// startProof tells a script which passkeys to ask for, of who waits for the second factor
// or confirms that it is them.
func (p *Pages) startProof(v *visit) error {
	options, ceremony, err := p.Account.StartPasskeyProof(v.ctx(), v.person)
	return passkeyCeremony(v, options, ceremony, err)
}

func (p *Pages) enterBySecondPasskey(v *visit) error { return p.prove(v, p.secondForm) }

// prove signs in anew by a passkey, or shows the form again.
func (p *Pages) prove(v *visit, again func(*visit, *form) error) error {
	f := v.form()
	proof, err := p.Account.PasskeyProof(v.ctx(), v.person, v.take(ceremonyKey), []byte(f.raw("response")), v.from())
	if f.refused(err) {
		return again(v, f)
	}
	if err != nil {
		return err
	}
	return p.begin(v, proof, onward(v))
}

// signOut ends the session, also one that waits for the second factor.
func (p *Pages) signOut(v *visit) error {
	if v.person != nil {
		if err := p.stopDocKey(v); err != nil { // it ends within a day by itself
			p.Log.Error("the key of the documentation was not revoked", "request_id", v.id, "error", err)
		}
		if err := p.Account.SignOut(v.ctx(), v.person, v.from()); err != nil {
			return err
		}
		if err := v.leave(); err != nil {
			return err
		}
	}
	return v.redirect("/sign-in")
}

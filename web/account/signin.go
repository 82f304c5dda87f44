package account

import (
	"portal/api/account"
	views "portal/views/account"
	"portal/views/kit"
	"portal/web/page"
)

// signInPages is the pages on which people sign up, sign in and show again that it is them.
type signInPages struct{ *Section }

func (p *signInPages) routes() []page.Route {
	return []page.Route{
		page.Get("/sign-in", page.Guest, p.signIn),
		page.Post("/sign-in", page.Guest, p.enter),
		page.Post("/sign-in/passkey/start", page.Guest, p.startPasskey),
		page.Post("/sign-in/passkey", page.Guest, p.enterByPasskey),
		page.Get("/sign-in/second", page.Guest, waiting(page.Asks(p.secondForm))),
		page.Post("/sign-in/second", page.Guest, waiting(p.enterByCode)),
		page.Post("/sign-in/second/passkey/start", page.Guest, waiting(p.startProof)),
		page.Post("/sign-in/second/passkey", page.Guest, waiting(p.enterBySecondPasskey)),
		page.Post("/sign-out", page.Guest, p.signOut),
		page.Get("/sign-up", page.Guest, p.signUp),
		page.Post("/sign-up", page.Guest, p.beginSignUp),
		page.Get("/sign-up/sent", page.Guest, p.signUpSent),
		page.Get("/reset", page.Guest, page.Asks(p.resetForm)),
		page.Post("/reset", page.Guest, p.askReset),
		page.Get("/reset/sent", page.Guest, p.resetSent),
		page.Get("/confirm", page.SignedIn, p.confirm),
		page.Post("/confirm", page.SignedIn, p.confirmed),
		page.Post("/confirm/passkey/start", page.SignedIn, p.startProof),
		page.Post("/confirm/passkey", page.SignedIn, p.confirmed),
		page.Get("/verify/:token", page.Guest, p.verify).Unlisted(),
		page.Post("/verify/:token", page.Guest, p.finishSignUp).Unlisted(),
		page.Get("/reset/:token", page.Guest, page.Asks(p.resettingForm)).Unlisted(),
		page.Post("/reset/:token", page.Guest, p.setPassword).Unlisted(),
		page.Get("/join/:token", page.Guest, page.Asks(p.joinForm)).Unlisted(),
		page.Post("/join/:token", page.Guest, p.accept).Unlisted(),
		page.Get("/team/invite", page.Owner, page.Asks(p.inviteForm)).Confirmed(),
		page.Post("/team/invite", page.Owner, p.sendInvitation).Confirmed().Once(),
		page.Get("/team/invitations/:id/withdraw", page.Owner, p.askWithdrawInvitation),
		page.Post("/team/invitations/:id/withdraw", page.Owner, p.withdrawInvitation),
	}
}

// signIn asks who it is. Who is signed in already goes on.
func (p *signInPages) signIn(v *page.Request) error {
	if entered(v) {
		return v.SeeOther(onward(v))
	}
	return p.signInForm(v, v.Form())
}

func (p *signInPages) enter(v *page.Request) error {
	f := v.Form()
	proof, err := p.Account.SignIns.SignIn(v.Ctx(), f.Text("email"), f.Raw("password"), v.From())
	if err != nil {
		return f.Again(v, err, p.signInForm)
	}
	v.Session.Outlast(f.Text("keep") == "on")
	return p.begin(v, proof, onward(v))
}

func (p *signInPages) signInForm(v *page.Request, f *page.Form) error {
	view := views.SignIn{
		Frame: scripted(v, "Sign in"),
		Form: f.Fill(kit.Form{
			Action: "/sign-in",
			Submit: "Sign in",
			Failed: "You’re not signed in yet",
			Brief:  true,
			Groups: []kit.FieldGroup{{Fields: []kit.Field{
				emailField("Email address", "username"),
				currentPassword(),
				{
					Name:    "keep",
					Label:   "Keep me signed in",
					Hint:    "Otherwise you’re signed out when you close the browser.",
					Kind:    "checkbox",
					Checked: f.Text("keep") == "on",
				},
				nextField(),
			}}},
		}),
	}
	if p.Account.Passkeys.Passkeys() {
		view.Passkey = &views.Passkey{
			Start:  "/sign-in/passkey/start",
			Action: "/sign-in/passkey",
			Button: "Sign in with a passkey",
			Next:   f.Text("next"),
			Keeps:  true,
		}
	}
	return v.ShowAs(f.Status, views.SignInPage(view))
}

// startPasskey tells a script what to ask the browser of a guest for.
func (p *signInPages) startPasskey(v *page.Request) error {
	options, ceremony, err := p.Account.Passkeys.StartPasskeySignIn(v.Ctx(), v.From())
	return passkeyCeremony(v, options, ceremony, err)
}

func (p *signInPages) enterByPasskey(v *page.Request) error {
	f := v.Form()
	proof, err := p.Account.Passkeys.PasskeySignIn(
		v.Ctx(),
		v.Session.Take(ceremonyKey),
		[]byte(f.Raw("response")),
		v.From(),
	)
	if err != nil {
		return f.Again(v, err, p.signInForm)
	}
	v.Session.Outlast(f.Text("keep") == "on")
	return p.begin(v, proof, onward(v))
}

// waiting is a page for somebody who knows the password and has yet to show the second factor.
func waiting(view page.Handler) page.Handler {
	return func(v *page.Request) error {
		switch {
		case v.Person == nil:
			return page.Stranger
		case !v.Person.Pending:
			return v.SeeOther(onward(v))
		}
		return view(v)
	}
}

func (p *signInPages) enterByCode(v *page.Request) error {
	f := v.Form()
	proof, err := p.Account.SignIns.SecondByCode(v.Ctx(), v.Person, f.Text("code"), v.From())
	if err != nil {
		return f.Again(v, err, p.secondForm)
	}
	return p.begin(v, proof, onward(v))
}

func (p *signInPages) secondForm(v *page.Request, f *page.Form) error {
	have, err := p.Account.SecondFactors.Security(v.Ctx(), v.Person)
	if err != nil {
		return err
	}
	view := views.SignIn{Frame: scripted(v, "Confirm it’s you"), Email: v.Person.Email,
		Form: f.Fill(kit.Form{
			Action: "/sign-in/second",
			Submit: "Continue",
			Failed: "You’re not signed in yet",
			Brief:  true,
			Groups: []kit.FieldGroup{{Fields: []kit.Field{codeField(have), nextField()}}},
		})}
	if len(have.Passkeys) > 0 && p.Account.Passkeys.Passkeys() {
		view.Passkey = &views.Passkey{
			Start:  "/sign-in/second/passkey/start",
			Action: "/sign-in/second/passkey",
			Button: "Use a passkey",
			Next:   f.Text("next"),
		}
	}
	return v.ShowAs(f.Status, views.SecondPage(view))
}

// codeField asks for what the person has: where there is no app it is a recovery code.
func codeField(have account.Security) kit.Field {
	if have.TOTPSince == nil {
		return kit.Field{
			Name:     "code",
			Label:    "Recovery code",
			Hint:     "One of the codes you saved. Each works once.",
			Complete: "off",
			Code:     true,
		}
	}
	return kit.Field{
		Name:     "code",
		Label:    "Code",
		Hint:     "The six digits from your authenticator app, or a recovery code.",
		Complete: "one-time-code",
		Code:     true,
	}
}

// startProof tells a script which passkeys to ask for, of users who wait for the second factor
// or confirms that it is them.
func (p *signInPages) startProof(v *page.Request) error {
	options, ceremony, err := p.Account.Passkeys.StartPasskeyProof(v.Ctx(), v.Person)
	return passkeyCeremony(v, options, ceremony, err)
}

func (p *signInPages) enterBySecondPasskey(v *page.Request) error {
	f := v.Form()
	proof, err := p.Account.Passkeys.PasskeyProof(
		v.Ctx(),
		v.Person,
		v.Session.Take(ceremonyKey),
		[]byte(f.Raw("response")),
		v.From(),
	)
	if err != nil {
		return f.Again(v, err, p.secondForm)
	}
	return p.begin(v, proof, onward(v))
}

// signOut ends the session, also one that waits for the second factor.
func (p *signInPages) signOut(v *page.Request) error {
	if v.Person != nil {
		if p.SigningOut != nil {
			if err := p.SigningOut(v); err != nil { // it ends within a day by itself
				p.Log.Error("the key of the documentation was not revoked", "request_id", v.ID, "error", err)
			}
		}
		if err := p.Account.Sessions.SignOut(v.Ctx(), v.Person, v.From()); err != nil {
			return err
		}
		if err := v.Session.Leave(); err != nil {
			return err
		}
	}
	return v.SeeOther("/sign-in")
}

package account

import (
	"portal/api/account"
	"portal/api/secret"
	views "portal/views/account"
	"portal/views/kit"
	"portal/web/page"
)

// claimKey is where the session keeps that this browser signed somebody up.
const claimKey = "claim"

func (p *signInPages) signUp(v *page.Request) error {
	if entered(v) {
		return v.SeeOther("/overview")
	}
	return p.signUpForm(v, v.Form())
}

// beginSignUp answers the same whether or not the address has an account.
func (p *signInPages) beginSignUp(v *page.Request) error {
	f := v.Form()
	in := account.SignUp{
		Email:       f.Text("email"),
		AccountName: f.Text("account_name"),
		Password:    f.Raw("password"),
	}
	claim, err := p.Account.SignUps.SignUp(v.Ctx(), in, v.From())
	if err != nil {
		return f.Again(v, err, p.signUpForm)
	}
	v.Session.Keep(claimKey, claim)
	return v.SeeOther("/sign-up/sent")
}

func (p *signInPages) signUpForm(v *page.Request, f *page.Form) error {
	return v.ShowAs(f.Status, views.SignUpPage(views.SignIn{
		Frame: v.Open("Sign up", "Create an account to test the API for rental portfolios."),
		Form: f.Fill(
			kit.Form{
				Action: "/sign-up",
				Submit: "Create account",
				Brief:  true,
				Groups: []kit.FieldGroup{{Fields: []kit.Field{
					emailField("Email address", "username"),
					{
						Name:     "account_name",
						Label:    "Account name",
						Hint:     "Your business, or your own name. Tenants see it in emails.",
						Complete: "organization",
					},
					newPassword("Password"),
				}}},
			},
		),
	}))
}

// newPassword asks for a password that is to be.
func newPassword(label string) kit.Field {
	return kit.Field{
		Name:     "password",
		Label:    label,
		Hint:     secret.PasswordHint,
		Kind:     "password",
		Complete: "new-password",
	}
}

func (p *signInPages) signUpSent(v *page.Request) error {
	return v.Show(views.WordsPage(views.Words{
		Frame: v.Frame("Check your email"),
		Words: p.sent(
			"We sent you an email. Open the link in it within 24 hours to finish signing up.",
			"If it doesn’t arrive within a few minutes, check your spam folder, or check the address and sign up "+
				"again.",
		),
		Links: []kit.Link{{Name: "Sign up again", Path: "/sign-up"}, {Name: "Sign in", Path: "/sign-in"}},
	}))
}

// sent says what to do now that an email was written.
func (p *signInPages) sent(words ...string) []string {
	if p.Mails != nil && !p.Mails.Sends() {
		words = append(
			words,
			"No mail server is set up. Whoever runs this service can read the email with portal mail list and "+
				"portal mail show ID.",
		)
	}
	return words
}

// verify shows what the link of a sign-up would make.
func (p *signInPages) verify(v *page.Request) error {
	return p.verifyForm(v, v.Form(), v.Session.Kept(claimKey) == "")
}

// finishSignUp makes the account. Another browser than that which signed up has to know
// the password.
func (p *signInPages) finishSignUp(v *page.Request) error {
	f := v.Form()
	in := account.Verify{Claim: v.Session.Kept(claimKey), Password: f.Raw("password")}
	proof, err := p.Account.SignUps.Verify(v.Ctx(), v.Param("token"), in, v.From())
	if f.Refused(err) {
		return p.verifyForm(v, f, true)
	}
	if err != nil {
		return deadLink(v, err)
	}
	v.Session.Take(claimKey)
	v.Say(kit.Done, "Your account is ready. Here’s what’s next.")
	return p.begin(v, proof, "/overview")
}

func (p *signInPages) verifyForm(v *page.Request, f *page.Form, ask bool) error {
	u, err := p.Account.SignUps.SignUpOf(v.Ctx(), v.Param("token"))
	if err != nil {
		return deadLink(v, err)
	}
	fields := []kit.Field{
		fixedEmail(u.Email),
		{
			Name:  "account_name",
			Label: "Account name",
			Value: u.AccountName,
			Fixed: true,
		},
	}
	if ask {
		fields = append(fields, kit.Field{
			Name:     "password",
			Label:    "Password",
			Hint:     "The one you chose when you signed up.",
			Kind:     "password",
			Complete: "current-password",
		})
	}
	return f.Show(v, kit.Heading{Title: "Confirm your email address"}, kit.Form{
		Submit: "Confirm address",
		Failed: "The address isn’t confirmed yet",
		Groups: []kit.FieldGroup{{Fields: fields}},
	})
}

// askReset answers the same whether or not the address has an account.
func (p *signInPages) askReset(v *page.Request) error {
	f := v.Form()
	err := p.Account.Passwords.AskReset(v.Ctx(), f.Text("email"), v.From())
	if err != nil {
		return f.Again(v, err, p.resetForm)
	}
	return v.SeeOther("/reset/sent")
}

func (p *signInPages) resetForm(v *page.Request, f *page.Form) error {
	return v.ShowAs(f.Status, views.FormPage(kit.FormView{
		Frame:   v.Frame("Choose a new password"),
		Heading: kit.Heading{Title: "Choose a new password", Back: kit.Link{Name: "Sign in", Path: "/sign-in"}},
		Words:   []string{"We’ll email you a link to choose one."},
		Form: f.Fill(
			kit.Form{
				Action: "/reset",
				Submit: "Send link",
				Brief:  true,
				Groups: []kit.FieldGroup{{Fields: []kit.Field{emailField("Email address", "username")}}},
			},
		),
	}))
}

func (p *signInPages) resetSent(v *page.Request) error {
	return v.Show(views.WordsPage(views.Words{
		Frame: v.Frame("Check your email"),
		Words: p.sent(
			"If an account uses this address, we sent a link to it. The link works for one hour.",
			"If it doesn’t arrive within a few minutes, check your spam folder, or check the address and request a "+
				"new link.",
		),
		Links: []kit.Link{{Name: "Ask again", Path: "/reset"}, {Name: "Sign in", Path: "/sign-in"}},
	}))
}

func (p *signInPages) setPassword(v *page.Request) error {
	f := v.Form()
	proof, err := p.Account.Passwords.Reset(v.Ctx(), v.Param("token"), f.Raw("password"), v.From())
	if err != nil {
		return deadLink(v, f.Again(v, err, p.resettingForm))
	}
	v.Say(kit.Done, "Password changed. You’re signed out on all other devices.")
	return p.begin(v, proof, "/overview")
}

func (p *signInPages) resettingForm(v *page.Request, f *page.Form) error {
	email, err := p.Account.Passwords.ResetOf(v.Ctx(), v.Param("token"))
	if err != nil {
		return deadLink(v, err)
	}
	return v.ShowAs(f.Status, views.FormPage(kit.FormView{
		Frame:   v.Frame("Choose a new password"),
		Heading: kit.Heading{Title: "Choose a new password"},
		Words:   []string{"You’ll be signed out on every device."},
		Form: f.Fill(kit.Form{Submit: "Change password", Brief: true, Groups: []kit.FieldGroup{{Fields: []kit.Field{
			fixedEmail(email),
			newPassword("New password"),
		}}}}),
	}))
}

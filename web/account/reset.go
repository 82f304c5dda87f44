package account

import (
	views "portal/views/account"
	"portal/views/kit"
	"portal/web/page"
)

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
			kit.Form{Action: "/reset", Submit: "Send link", Brief: true, Groups: []kit.FieldGroup{{Fields: []kit.Field{emailField("Email address", "username")}}}},
		),
	}))
}

func (p *signInPages) resetSent(v *page.Request) error {
	return v.Show(views.WordsPage(views.Words{
		Frame: v.Frame("Check your email"),
		Words: p.sent(
			"If an account uses this address, we sent a link to it. The link works for one hour.",
			"If it doesn’t arrive within a few minutes, check your spam folder, or check the address and request a new link.",
		),
		Links: []kit.Link{{Name: "Ask again", Path: "/reset"}, {Name: "Sign in", Path: "/sign-in"}},
	}))
}

func (p *signInPages) setPassword(v *page.Request) error {
	f := v.Form()
	proof, err := p.Account.Passwords.Reset(v.Ctx(), v.Param("token"), f.Raw("password"), v.From())
	if f.Refused(err) {
		return p.resettingForm(v, f)
	}
	if err != nil {
		return deadLink(v, err)
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

package account

import (
	views "portal/views/account"
	"portal/views/kit"
	"portal/web/page"
)

func (p *signInPages) reset(v *page.Request) error { return p.resetForm(v, v.Form()) }

// askReset answers the same whether or not the address has an account.
func (p *signInPages) askReset(v *page.Request) error {
	f := v.Form()
	err := p.Account.Passwords.AskReset(v.Ctx(), f.Text("email"), v.From())
	if f.Refused(err) {
		return p.resetForm(v, f)
	}
	if err != nil {
		return err
	}
	return v.SeeOther("/reset/sent")
}

func (p *signInPages) resetForm(v *page.Request, f *page.Form) error {
	return v.ShowAs(f.Status, views.FormPage(kit.FormView{
		Frame:   v.Frame("Choose a new password"),
		Heading: kit.Heading{Title: "Choose a new password", Back: kit.Link{Name: "Sign in", Path: "/sign-in"}},
		Words:   []string{"We email you a link to choose one."},
		Form: f.Fill(
			kit.Form{Action: "/reset", Submit: "Send link", Brief: true, Groups: []kit.FieldGroup{{Fields: []kit.Field{
				{
					Name:     "email",
					Label:    "Email address",
					Kind:     "email",
					Mode:     "email",
					Complete: "username",
				}}}}},
		),
	}))
}

func (p *signInPages) resetSent(v *page.Request) error {
	return v.Show(views.WordsPage(views.Words{
		Frame: v.Frame("Check your email"),
		Words: p.sent(
			"If somebody signs in here with this address, we have sent a link to it. It works for an hour.",
			"If nothing has come after a few minutes, look into the spam folder, or ask for a link again: perhaps the address was mistyped.",
		),
		Links: []kit.Link{{Name: "Ask again", Path: "/reset"}, {Name: "Sign in", Path: "/sign-in"}},
	}))
}

// resetting is what the link in the email opens.
func (p *signInPages) resetting(v *page.Request) error { return p.resettingForm(v, v.Form()) }

func (p *signInPages) setPassword(v *page.Request) error {
	f := v.Form()
	proof, err := p.Account.Passwords.Reset(v.Ctx(), v.Param("token"), f.Raw("password"), v.From())
	if f.Refused(err) {
		return p.resettingForm(v, f)
	}
	if err != nil {
		return deadLink(v, err)
	}
	v.Say(kit.Done, "Your password is changed. All other sessions were ended.")
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
		Words:   []string{"All sessions on every device end when you change it."},
		Form: f.Fill(kit.Form{Submit: "Change password", Brief: true, Groups: []kit.FieldGroup{{Fields: []kit.Field{
			{
				Name:     "email",
				Label:    "Email address",
				Value:    email,
				Kind:     "email",
				Complete: "username",
				Fixed:    true,
			},
			newPassword("New password"),
		}}}}),
	}))
}

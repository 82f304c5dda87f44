package web

import (
	"context"

	"portal/api/account"
	"portal/views"
)

// lostPasswords let people choose a new password by a link.
type lostPasswords interface {
	AskReset(ctx context.Context, email string, from account.Client) error
	ResetOf(ctx context.Context, token string) (email string, err error)
	Reset(ctx context.Context, token, plain string, from account.Client) (*account.Proof, error)
}

func (p *Pages) reset(v *visit) error { return p.resetForm(v, v.form()) }

// askReset says the same whoever has an account.
func (p *Pages) askReset(v *visit) error {
	f := v.form()
	err := p.Account.AskReset(v.ctx(), f.text("email"), v.from())
	if f.refused(err) {
		return p.resetForm(v, f)
	}
	if err != nil {
		return err
	}
	return v.redirect("/reset/sent")
}

func (p *Pages) resetForm(v *visit, f *form) error {
	return v.showAs(f.status, views.FormPage(views.FormView{Frame: v.frame("Choose a new password"),
		Heading: views.Heading{Title: "Choose a new password", Back: views.Link{Name: "Sign in", Path: "/sign-in"}},
		Words:   []string{"We send you a link by which you can choose one."},
		Form: f.fill(views.Form{Action: "/reset", Submit: "Send the link", Failed: "Nothing was sent yet", Groups: []views.FieldGroup{{Fields: []views.Field{
			{Name: "email", Label: "E-mail address", Kind: "email", Mode: "email", Complete: "username"}}}}})}))
}

func (p *Pages) resetSent(v *visit) error {
	return v.show(views.WordsPage(views.Words{Frame: v.frame("Look into your mail"), Words: p.sent("If somebody signs in here with this address, we have sent a link to it. It works for an hour.",
		"If nothing has come after a few minutes, look into the spam folder, or ask for a link again: perhaps the address was mistyped."), Links: []views.Link{{Name: "Ask again", Path: "/reset"}, {Name: "Sign in", Path: "/sign-in"}}}))
}

// resetting is what the link in the e-mail opens.
func (p *Pages) resetting(v *visit) error { return p.resettingForm(v, v.form()) }

func (p *Pages) setPassword(v *visit) error {
	f := v.form()
	proof, err := p.Account.Reset(v.ctx(), v.Param("token"), f.raw("password"), v.from())
	if f.refused(err) {
		return p.resettingForm(v, f)
	}
	if err != nil {
		return deadLink(v, err)
	}
	v.say(views.Done, "Your password is changed. All other sessions were ended.")
	return p.begin(v, proof, "/overview")
}

func (p *Pages) resettingForm(v *visit, f *form) error {
	email, err := p.Account.ResetOf(v.ctx(), v.Param("token"))
	if err != nil {
		return deadLink(v, err)
	}
	return v.showAs(f.status, views.FormPage(views.FormView{Frame: v.frame("Choose a new password"), Heading: views.Heading{Title: "Choose a new password"},
		Words: []string{"All sessions end when it is changed, on every device."},
		Form: f.fill(views.Form{Submit: "Change the password", Groups: []views.FieldGroup{{Fields: []views.Field{
			{Name: "email", Label: "E-mail address", Value: email, Kind: "email", Complete: "username", Fixed: true}, newPassword("New password")}}}})}))
}

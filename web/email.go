package web

import (
	"portal/api/account"
	"portal/api/fault"
	"portal/views"
)

func (p *Pages) email(v *visit) error { return p.emailForm(v, v.form()) }

// askEmail says the same whoever has the address.
func (p *Pages) askEmail(v *visit) error {
	f := v.form()
	err := p.Account.AskEmail(v.ctx(), v.person, f.text("email"), v.from())
	if f.refused(err) {
		return p.emailForm(v, f)
	}
	if err != nil {
		return err
	}
	return v.done("/settings/security", "We have sent an e-mail to "+f.text("email")+". Your address changes once you open the link in it, within 24 hours.")
}

func (p *Pages) emailForm(v *visit, f *form) error {
	return v.showAs(f.status, views.FormPage(views.FormView{Frame: v.frame("Change your e-mail address"), Heading: views.Heading{Title: "Change your e-mail address", Back: toSecurity},
		Words: []string{"You sign in with " + v.person.Email + " until the new address is confirmed."},
		Form: f.fill(views.Form{Action: "/settings/email", Submit: "Send the link", Cancel: "/settings/security", Groups: []views.FieldGroup{{Fields: []views.Field{
			{Name: "email", Label: "New e-mail address", Kind: "email", Mode: "email", Complete: "email"}}}}})}))
}

// mailedChange shows what a link about a change of address does, and does it.
type mailedChange struct {
	title, button string
	words         func(account.EmailChange) []string
	of            func(v *visit, token string) (account.EmailChange, error)
	do            func(v *visit, token string) error
	done          views.Words
}

func (p *Pages) newAddress() mailedChange {
	return mailedChange{title: "Confirm your new e-mail address", button: "Confirm the address",
		words: func(c account.EmailChange) []string {
			return []string{"From now on you sign in with " + c.To + " instead of " + c.From + ".", "All sessions end, on every device."}
		},
		of: func(v *visit, token string) (account.EmailChange, error) { return p.Account.EmailOf(v.ctx(), token) },
		do: func(v *visit, token string) error { return p.Account.ChangeEmail(v.ctx(), token, v.from()) },
		done: views.Words{Frame: views.Frame{Title: "Your e-mail address is changed"},
			Words: []string{"All sessions were ended. Sign in with the new address."}, Links: []views.Link{{Name: "Sign in", Path: "/sign-in"}}}}
}

func (p *Pages) oldAddress() mailedChange {
	return mailedChange{title: "Take the change back", button: "Take it back",
		words: func(c account.EmailChange) []string {
			return []string{"You sign in with " + c.To + " again, instead of " + c.From + ".",
				"All sessions end. The password, and whatever was added for signing in since, does not work any more: we send you a link by which you choose a new password."}
		},
		of: func(v *visit, token string) (account.EmailChange, error) { return p.Account.UndoOf(v.ctx(), token) },
		do: func(v *visit, token string) error { return p.Account.UndoEmail(v.ctx(), token, v.from()) },
		done: views.Words{Frame: views.Frame{Title: "The change is taken back"},
			Words: []string{"All sessions were ended. We have sent you a link by which you choose a new password; it works for an hour."}, Links: []views.Link{{Name: "Ask for another link", Path: "/reset"}}}}
}

func (c mailedChange) ask(v *visit) error {
	change, err := c.of(v, v.Param("token"))
	if err != nil {
		return deadLink(v, err)
	}
	return v.show(views.ConfirmPage(views.Confirm{Frame: v.frame(c.title), Title: c.title, Words: c.words(change), Form: views.Form{Submit: c.button}}))
}

// answer leaves nobody signed in: the session of this browser is over, too.
func (c mailedChange) answer(v *visit) error {
	err := c.do(v, v.Param("token"))
	if fault.Is(err, fault.NoRecord) {
		return deadLink(v, err)
	}
	if err != nil {
		return err
	}
	if v.person != nil {
		if err := v.leave(); err != nil {
			return err
		}
	}
	page := c.done
	page.Frame = v.frame(page.Title)
	return v.show(views.WordsPage(page))
}

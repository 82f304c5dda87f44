package account

import (
	"context"
	"net/http"

	"portal/api/account"
	views "portal/views/account"
	"portal/views/kit"
	"portal/web/page"
)

// askEmail answers the same whether or not an account has the address.
func (p *settingsPages) askEmail(v *page.Request) error {
	f := v.Form()
	err := p.Account.Emails.AskEmail(v.Ctx(), v.Person, f.Text("email"), v.From())
	if err != nil {
		return f.Again(v, err, p.emailForm)
	}
	return v.Done(
		"/settings/security",
		"We sent an email to "+f.Text("email")+
			". Open the link in it within 24 hours to change your address.",
	)
}

func (p *settingsPages) emailForm(v *page.Request, f *page.Form) error {
	return f.Show(v, kit.Heading{Title: "Change your email address", Back: toSecurity}, kit.Form{
		Action: "/settings/email",
		Submit: "Send link",
		Cancel: "/settings/security",
		Groups: []kit.FieldGroup{{Fields: []kit.Field{emailField("New email address", "email")}}},
	}, "You sign in with "+v.Person.Email+" until you confirm the new address.")
}

// emailLinkPage shows what a link about a change of address does, and does it.
type emailLinkPage struct {
	title, button string
	words         func(account.EmailChange) []string
	of            func(ctx context.Context, token string) (account.EmailChange, error)
	do            func(ctx context.Context, token string, from account.Client) error
	done          views.Words
}

func (p *settingsPages) newAddress() emailLinkPage {
	return emailLinkPage{
		title:  "Confirm your new email address",
		button: "Confirm address",
		words: func(c account.EmailChange) []string {
			return []string{
				"From now on you sign in with " + c.To + " instead of " + c.From + ".",
				"You’ll be signed out on every device.",
			}
		},
		of: p.Account.Emails.EmailOf,
		do: p.Account.Emails.ChangeEmail,
		done: views.Words{
			Frame: kit.Frame{Title: "Email address changed"},
			Words: []string{"You’re signed out on every device. Sign in with the new address."},
			Links: []kit.Link{{Name: "Sign in", Path: "/sign-in"}},
		},
	}
}

func (p *settingsPages) oldAddress() emailLinkPage {
	return emailLinkPage{
		title:  "Undo the change",
		button: "Undo change",
		words: func(c account.EmailChange) []string {
			return []string{
				"You sign in with " + c.To + " again, instead of " + c.From + ".",
				"You’ll be signed out on every device. Your password and any sign-in method added since then stop " +
					"working. We’ll email you a link to choose a new password.",
			}
		},
		of: p.Account.Emails.UndoOf,
		do: p.Account.Emails.UndoEmail,
		done: views.Words{
			Frame: kit.Frame{Title: "Change undone"},
			Words: []string{
				"You’re signed out on every device. We sent you a link to choose a new password. It works for one hour.",
			},
			Links: []kit.Link{{Name: "Request a new link", Path: "/reset"}},
		},
	}
}

func (c emailLinkPage) ask(v *page.Request) error {
	change, err := c.of(v.Ctx(), v.Param("token"))
	if err != nil {
		return deadLink(v, err)
	}
	return v.Confirm(http.StatusOK, c.title, kit.Form{Submit: c.button}, c.words(change)...)
}

// answer leaves nobody signed in: the session of this browser is over, too.
func (c emailLinkPage) answer(v *page.Request) error {
	if err := c.do(v.Ctx(), v.Param("token"), v.From()); err != nil {
		return deadLink(v, err)
	}
	if v.Person != nil {
		if err := v.Session.Leave(); err != nil {
			return err
		}
	}
	view := c.done
	view.Frame = v.Frame(view.Title)
	return v.Show(views.WordsPage(view))
}

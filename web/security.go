package web

import (
	"context"

	"portal/api/account"
	"portal/views"
)

// factors are what people have for signing in besides a password.
type factors interface {
	StartTOTP(v *account.Visitor) (account.TOTPSetup, error)
	TOTPSetup(v *account.Visitor, sealed string) (account.TOTPSetup, error)
	AddTOTP(ctx context.Context, v *account.Visitor, sealed, code string, from account.Client) (recovery []string, err error)
	RemoveTOTP(ctx context.Context, v *account.Visitor, from account.Client) error
	NewRecoveryCodes(ctx context.Context, v *account.Visitor, from account.Client) ([]string, error)
	RemovePasskey(ctx context.Context, v *account.Visitor, passkeyID string, from account.Client) error
}

var toSecurity = views.Link{Name: "Sign-in and security", Path: "/settings/security"}

func (p *Pages) security(v *visit) error {
	have, err := p.Account.Security(v.ctx(), v.person)
	if err != nil {
		return err
	}
	page := views.Security{Frame: v.frame("Sign-in and security"), Tabs: settingsTabs(v, "/settings/security"), Email: v.person.Email,
		App: have.TOTPSince != nil, AppSince: v.timeOr(have.TOTPSince, "never"), Second: have.Second(), Codes: have.RecoveryCodes, Possible: p.Account.Passkeys()}
	for _, k := range have.Passkeys {
		page.Passkeys = append(page.Passkeys, views.HeldPasskey{ID: k.ID, Name: k.Name, Copied: k.ClonedAt != nil, Added: v.time(k.CreatedAt), LastUse: v.timeOr(k.LastUsedAt, "never")})
	}
	return v.show(views.SecurityPage(page))
}

// totpKey is where the session keeps the sealed secret of an app that is being set up.
const totpKey = "totp"

// app shows what an authenticator app needs. Loading the page again shows the same.
func (p *Pages) app(v *visit) error {
	if sealed := v.kept(totpKey); sealed != "" {
		if setup, err := p.Account.TOTPSetup(v.person, sealed); err == nil {
			return p.appForm(v, v.form(), setup)
		}
	}
	setup, err := p.Account.StartTOTP(v.person)
	if err != nil {
		return err
	}
	v.keep(totpKey, setup.Sealed)
	return p.appForm(v, v.form(), setup)
}

func (p *Pages) addApp(v *visit) error {
	f, sealed := v.form(), v.kept(totpKey)
	codes, err := p.Account.AddTOTP(v.ctx(), v.person, sealed, f.text("code"), v.from())
	if f.refused(err) {
		setup, gone := p.Account.TOTPSetup(v.person, sealed)
		if gone != nil {
			return gone
		}
		return p.appForm(v, f, setup)
	}
	if err != nil {
		return err
	}
	v.take(totpKey)
	return p.added(v, codes, "The authenticator app is set up. Its codes are asked for from now on.")
}

func (p *Pages) appForm(v *visit, f *form, setup account.TOTPSetup) error {
	code, err := draw(setup.URI)
	if err != nil {
		return err
	}
	return v.showAs(f.status, views.AppPage(views.App{Frame: v.frame("Set up an authenticator app"), Back: toSecurity, Secret: grouped(setup.Secret), Code: code, URI: setup.URI,
		Form: f.fill(views.Form{Action: "/settings/security/app", Submit: "Set up the app", Cancel: "/settings/security", Failed: "The app is not set up yet", Groups: []views.FieldGroup{{Fields: []views.Field{
			{Name: "code", Label: "Code of the app", Hint: "The six digits that it shows now.", Mode: "numeric", Complete: "one-time-code", Short: true, Code: true}}}}})}))
}

// added shows new recovery codes, where there are some, this one time.
func (p *Pages) added(v *visit, codes []string, what string) error {
	if codes == nil {
		return v.done("/settings/security", what)
	}
	v.seenAt(toSecurity.Path, "That form was sent before, and its recovery codes are made. They are not shown again; make new ones if you have not kept them.")
	f := v.frame("Your recovery codes")
	f.Said = append(f.Said, views.Said{Tone: views.Done, Text: what})
	return v.show(views.CodesPage(views.Codes{Frame: f, Codes: codes, Back: toSecurity}))
}

func (p *Pages) askRemoveApp(v *visit) error {
	return showConfirm(v, "Remove the authenticator app?", "Its codes are not asked for any more when you sign in. Without another second factor your recovery codes go, too.",
		views.Form{Submit: "Remove the app", Danger: true, Cancel: "/settings/security"})
}

func (p *Pages) removeApp(v *visit) error {
	if err := p.Account.RemoveTOTP(v.ctx(), v.person, v.from()); err != nil {
		return err
	}
	return p.removed(v, "The authenticator app is removed.")
}

// removed warns who has no second factor any more.
func (p *Pages) removed(v *visit, what string) error {
	have, err := p.Account.Security(v.ctx(), v.person)
	if err != nil {
		return err
	}
	if have.Second() {
		return v.done("/settings/security", what)
	}
	v.say(views.Warned, what+" Nothing but your password is asked for now when you sign in.")
	return v.redirect("/settings/security")
}

func (p *Pages) askCodes(v *visit) error {
	return showConfirm(v, "Make new recovery codes?", "The codes that you have do not work any more then.", views.Form{Submit: "Make new codes", Cancel: "/settings/security"})
}

func (p *Pages) newCodes(v *visit) error {
	codes, err := p.Account.NewRecoveryCodes(v.ctx(), v.person, v.from())
	if err != nil {
		return err
	}
	return p.added(v, codes, "The earlier codes do not work any more.")
}

// showConfirm is a page that asks before something is done, at its own address.
func showConfirm(v *visit, title, words string, f views.Form) error {
	return v.show(views.ConfirmPage(views.Confirm{Frame: v.frame(title), Title: title, Words: []string{words}, Form: f}))
}

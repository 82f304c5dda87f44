package account

import (
	"cmp"
	"fmt"
	"net/http"
	"strings"

	goqr "github.com/piglig/go-qr"

	"portal/api/account"
	views "portal/views/account"
	"portal/views/kit"
	"portal/web/page"
)

var toSecurity = kit.Link{Name: "Sign-in and security", Path: "/settings/security"}

// settingsPages is the pages on which people look after themselves.
type settingsPages struct{ *Section }

func (p *settingsPages) routes() []page.Route {
	return append(p.paymentRoutes(),
		page.Get("/email/:token", page.Guest, p.newAddress().ask).Unlisted(),
		page.Post("/email/:token", page.Guest, p.newAddress().answer).Unlisted(),
		page.Get("/email/undo/:token", page.Guest, p.oldAddress().ask).Unlisted(),
		page.Post("/email/undo/:token", page.Guest, p.oldAddress().answer).Unlisted(),
		page.Get("/settings", page.SignedIn, page.Asks(p.settingsForm)),
		page.Post("/settings", page.Owner, p.saveSettings),
		page.Get("/{mode}"+leaseDetailsAt, page.Owner, page.Asks(p.leaseDetailsForm)),
		page.Post("/{mode}"+leaseDetailsAt, page.Owner, p.saveLeaseDetails),
		page.Get("/{mode}"+rentAt, page.Member, p.rent),
		page.Get("/{mode}"+rentAt+"/on", page.Owner, p.previewRent),
		page.Post("/{mode}"+rentAt+"/on", page.Owner, p.startRent),
		page.Get("/{mode}"+rentAt+"/off", page.Owner, p.stopRent),
		page.Post("/{mode}"+rentAt+"/off", page.Owner, p.stopRent),
		page.Post("/{mode}"+rentAt+"/emails", page.Owner, p.saveRentEmails),
		page.Get("/settings/mail", page.Member, p.notices),
		page.Post("/settings/mail", page.Member, p.chooseNotices),
		page.Post(leaseRecordsAt, page.Owner, p.chooseLeaseRecords),
		page.Get("/settings/export", page.Owner, p.exportData).Confirmed(),
		page.Get("/settings/close", page.Owner, p.closeAccount).Confirmed(),
		page.Post("/settings/close", page.Owner, p.closeAccount).Confirmed(),
		page.Get("/settings/password", page.SignedIn, page.Asks(p.passwordForm)),
		page.Post("/settings/password", page.SignedIn, p.changePassword),
		page.Get("/settings/email", page.SignedIn, page.Asks(p.emailForm)).Confirmed(),
		page.Post("/settings/email", page.SignedIn, p.askEmail).Confirmed(),
		page.Get("/settings/security", page.SignedIn, p.security),
		page.Get("/settings/security/app", page.SignedIn, p.app).Confirmed(),
		page.Post("/settings/security/app", page.SignedIn, p.addApp).Confirmed(),
		page.Get("/settings/security/app/remove", page.SignedIn, p.askRemoveApp).Confirmed(),
		page.Post("/settings/security/app/remove", page.SignedIn, p.removeApp).Confirmed(),
		page.Get("/settings/security/codes", page.SignedIn, p.askCodes).Confirmed(),
		page.Post("/settings/security/codes", page.SignedIn, p.newCodes).Confirmed().Once(),
		page.Get("/settings/sessions", page.SignedIn, p.sessionsOf),
		page.Get("/settings/sessions/others", page.SignedIn, p.askEndOthers),
		page.Post("/settings/sessions/others", page.SignedIn, p.endOthers),
		page.Post("/settings/sessions/:id/end", page.SignedIn, p.endSession),
		page.Get("/settings/security/passkeys/new", page.SignedIn, page.Asks(p.passkeyForm)).Confirmed(),
		page.Post("/settings/security/ceremony", page.SignedIn, p.startNewPasskey).Confirmed(),
		page.Post("/settings/security/passkeys", page.SignedIn, p.addPasskey).Confirmed(),
		page.Get("/settings/security/passkeys/:id", page.SignedIn, page.Asks(p.renameForm)),
		page.Post("/settings/security/passkeys/:id", page.SignedIn, p.renamePasskey),
		page.Get("/settings/security/passkeys/:id/remove", page.SignedIn, p.askRemovePasskey).Confirmed(),
		page.Post("/settings/security/passkeys/:id/remove", page.SignedIn, p.removePasskey).Confirmed(),
	)
}

func (p *settingsPages) security(v *page.Request) error {
	have, err := p.Account.SecondFactors.Security(v.Ctx(), v.Person)
	if err != nil {
		return err
	}
	view := views.Security{
		Frame:    v.Frame("Sign-in and security"),
		Tabs:     settingsTabs(v, "/settings/security"),
		Email:    v.Person.Email,
		App:      have.TOTPSince != nil,
		AppSince: v.TimeOr(have.TOTPSince, "never"),
		Second:   have.Second(),
		Codes:    have.RecoveryCodes,
		Possible: p.Account.Passkeys.Passkeys(),
	}
	for _, k := range have.Passkeys {
		view.Passkeys = append(view.Passkeys, views.HeldPasskey{
			ID:      k.ID,
			Name:    k.Name,
			Copied:  k.ClonedAt != nil,
			Added:   v.Time(k.CreatedAt),
			LastUse: v.TimeOr(k.LastUsedAt, "never"),
		})
	}
	return v.Show(views.SecurityPage(view))
}

// totpKey is where the session keeps the sealed secret of an app that is being set up.
const totpKey = "totp"

// app shows what an authenticator app needs. Loading the page again shows the same.
func (p *settingsPages) app(v *page.Request) error {
	if sealed := v.Session.Kept(totpKey); sealed != "" {
		if setup, err := p.Account.SecondFactors.TOTPSetup(v.Person, sealed); err == nil {
			return p.appForm(v, v.Form(), setup)
		}
	}
	setup, err := p.Account.SecondFactors.StartTOTP(v.Person)
	if err != nil {
		return err
	}
	v.Session.Keep(totpKey, setup.Sealed)
	return p.appForm(v, v.Form(), setup)
}

func (p *settingsPages) addApp(v *page.Request) error {
	f, sealed := v.Form(), v.Session.Kept(totpKey)
	codes, err := p.Account.SecondFactors.AddTOTP(v.Ctx(), v.Person, sealed, f.Text("code"), v.From())
	if f.Refused(err) {
		setup, gone := p.Account.SecondFactors.TOTPSetup(v.Person, sealed)
		if gone != nil {
			return gone
		}
		return p.appForm(v, f, setup)
	}
	if err != nil {
		return err
	}
	v.Session.Take(totpKey)
	return p.added(v, codes, "Authenticator app set up. You’ll need its codes to sign in.")
}

func (p *settingsPages) appForm(v *page.Request, f *page.Form, setup account.TOTPSetup) error {
	code, err := draw(setup.URI)
	if err != nil {
		return err
	}
	return v.ShowAs(f.Status, views.AppPage(views.App{
		Frame:  v.Frame("Set up an authenticator app"),
		Back:   toSecurity,
		Secret: grouped(setup.Secret),
		Code:   code,
		URI:    setup.URI,
		Form: f.Fill(kit.Form{
			Action: "/settings/security/app",
			Submit: "Set up app",
			Cancel: "/settings/security",
			Failed: "The app isn’t set up yet",
			Groups: []kit.FieldGroup{{Fields: []kit.Field{
				{
					Name:     "code",
					Label:    "Code from the app",
					Hint:     "The six digits it shows now.",
					Mode:     "numeric",
					Complete: "one-time-code",
					Short:    true,
					Code:     true,
				}}}},
		}),
	}))
}

// added shows new recovery codes, where there are some, this one time.
func (p *settingsPages) added(v *page.Request, codes []string, what string) error {
	if codes == nil {
		return v.Done("/settings/security", what)
	}
	v.SeenAt(
		toSecurity.Path,
		"That form was sent before, and its recovery codes were created. We can’t show them again. If you didn’t "+
			"save them, create new ones.",
	)
	f := v.Frame("Your recovery codes")
	f.Said = append(f.Said, kit.Toast{Tone: kit.Done, Text: what})
	return v.Show(views.CodesPage(views.Codes{Frame: f, Codes: codes, Back: toSecurity}))
}

func (p *settingsPages) askRemoveApp(v *page.Request) error {
	return v.Confirm(
		http.StatusOK, "Remove the authenticator app?",
		kit.Form{Submit: "Remove app", Danger: true, Cancel: "/settings/security"},
		"You won’t need its codes to sign in. If it’s your only second step, your recovery codes stop working, too.",
	)
}

func (p *settingsPages) removeApp(v *page.Request) error {
	if err := p.Account.SecondFactors.RemoveTOTP(v.Ctx(), v.Person, v.From()); err != nil {
		return err
	}
	return p.removed(v, "Authenticator app removed.")
}

// removed warns who has no second factor any more.
func (p *settingsPages) removed(v *page.Request, what string) error {
	have, err := p.Account.SecondFactors.Security(v.Ctx(), v.Person)
	if err != nil {
		return err
	}
	if have.Second() {
		return v.Done("/settings/security", what)
	}
	v.Say(kit.Warned, what+" You now sign in with your password only.")
	return v.SeeOther("/settings/security")
}

func (p *settingsPages) askCodes(v *page.Request) error {
	return v.Confirm(http.StatusOK, "Create new recovery codes?", kit.Form{
		Submit: "Create new codes",
		Cancel: "/settings/security",
	}, "Your current codes stop working.")
}

func (p *settingsPages) newCodes(v *page.Request) error {
	codes, err := p.Account.SecondFactors.NewRecoveryCodes(v.Ctx(), v.Person, v.From())
	if err != nil {
		return err
	}
	return p.added(v, codes, "Your previous codes no longer work.")
}

// quiet is the empty margin of a code, in modules (ISO/IEC 18004).
const quiet = 4

// draw makes a code of a text that cameras read: a path of its dark runs, row by row.
func draw(text string) (views.QR, error) {
	code, err := goqr.EncodeText(text, goqr.Medium)
	if err != nil {
		return views.QR{}, fmt.Errorf("draw a code: %w", err)
	}
	var b strings.Builder
	for y := range code.Size() {
		for x := 0; x < code.Size(); x++ {
			from := x
			for code.Module(x, y) {
				x++
			}
			if x > from {
				fmt.Fprintf(&b, "M%d %dh%dv1h-%dz", from+quiet, y+quiet, x-from, x-from)
			}
		}
	}
	return views.QR{Size: code.Size() + 2*quiet, Path: b.String()}, nil
}

// grouped is a secret as one types it: four characters at a time.
func grouped(s string) string {
	var b strings.Builder
	for i, r := range s {
		if i > 0 && i%4 == 0 {
			b.WriteByte(' ')
		}
		b.WriteRune(r)
	}
	return b.String()
}

func (p *settingsPages) sessionsOf(v *page.Request) error {
	all, err := p.Account.Sessions.Sessions(v.Ctx(), v.Person)
	if err != nil {
		return err
	}
	view := views.Sessions{Frame: v.Frame("Sessions"), Tabs: settingsTabs(v, "/settings/sessions")}
	for _, s := range all {
		view.Sessions = append(view.Sessions, views.Session{
			ID:      s.ID,
			Current: s.Current,
			Browser: cmp.Or(account.Browser(s.UserAgent), "Unknown browser"),
			Address: cmp.Or(s.Address, "unknown"),
			Began:   v.Time(s.CreatedAt),
			Seen:    v.Time(s.LastSeenAt),
		})
	}
	return v.Show(views.SessionsPage(view))
}

func (p *settingsPages) endSession(v *page.Request) error {
	if v.Param("id") == v.Person.SessionID {
		return (&signInPages{p.Section}).signOut(v)
	}
	if err := p.Account.Sessions.EndSession(v.Ctx(), v.Person, v.Param("id"), v.From()); err != nil {
		return err
	}
	return v.Done("/settings/sessions", "Session ended. That device is signed out.")
}

func (p *settingsPages) askEndOthers(v *page.Request) error {
	return v.Confirm(http.StatusOK, "End all other sessions?", kit.Form{
		Submit: "End other sessions", Danger: true, Cancel: "/settings/sessions",
	}, "You stay signed in on this browser only.")
}

func (p *settingsPages) endOthers(v *page.Request) error {
	if err := p.Account.Sessions.EndOtherSessions(v.Ctx(), v.Person, v.From()); err != nil {
		return err
	}
	return v.Done("/settings/sessions", "All other sessions ended.")
}

package account

import (
	"cmp"

	"portal/api/account"
	views "portal/views/account"
	"portal/views/kit"
	"portal/web/page"
)

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
	return showConfirm(v, "End all other sessions?", "You stay signed in on this browser only.",
		kit.Form{Submit: "End other sessions", Danger: true, Cancel: "/settings/sessions"})
}

func (p *settingsPages) endOthers(v *page.Request) error {
	if err := p.Account.Sessions.EndOtherSessions(v.Ctx(), v.Person, v.From()); err != nil {
		return err
	}
	return v.Done("/settings/sessions", "All other sessions ended.")
}

package web

import (
	"cmp"
	"context"

	"portal/api/account"
	"portal/views"
)

// sessionList is where somebody is signed in.
type sessionList interface {
	Sessions(ctx context.Context, v *account.Visitor) ([]account.Session, error)
	EndSession(ctx context.Context, v *account.Visitor, sessionID string, from account.Client) error
	EndOtherSessions(ctx context.Context, v *account.Visitor, from account.Client) error
}

func (p *Pages) sessionsOf(v *visit) error {
	all, err := p.Account.Sessions(v.ctx(), v.person)
	if err != nil {
		return err
	}
	page := views.Sessions{Frame: v.frame("Sessions"), Tabs: settingsTabs(v, "/settings/sessions")}
	for _, s := range all {
		page.Sessions = append(page.Sessions, views.Session{ID: s.ID, Current: s.Current, Browser: cmp.Or(account.Browser(s.UserAgent), "Unknown browser"),
			Address: cmp.Or(s.Address, "unknown"), Began: v.time(s.CreatedAt), Seen: v.time(s.LastSeenAt)})
	}
	return v.show(views.SessionsPage(page))
}

func (p *Pages) endSession(v *visit) error {
	if v.Param("id") == v.person.SessionID {
		return p.signOut(v)
	}
	if err := p.Account.EndSession(v.ctx(), v.person, v.Param("id"), v.from()); err != nil {
		return err
	}
	return v.done("/settings/sessions", "The session is ended. Whoever has it is signed out.")
}

func (p *Pages) askEndOthers(v *visit) error {
	return showConfirm(v, "End all other sessions?", "Everywhere but in this browser you have to sign in again.",
		views.Form{Submit: "End the other sessions", Danger: true, Cancel: "/settings/sessions"})
}

func (p *Pages) endOthers(v *visit) error {
	if err := p.Account.EndOtherSessions(v.ctx(), v.person, v.from()); err != nil {
		return err
	}
	return v.done("/settings/sessions", "All other sessions are ended.")
}

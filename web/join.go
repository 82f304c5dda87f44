package web

import (
	"context"
	"net/url"

	"portal/api/access"
	"portal/api/account"
	"portal/api/fault"
	"portal/views"
)

// invitations ask people into a team.
type invitations interface {
	Invitations(ctx context.Context, v *account.Visitor) ([]account.Invitation, error)
	Invite(ctx context.Context, v *account.Visitor, email string, role access.Role, from account.Client) (account.Invitation, error)
	WithdrawInvitation(ctx context.Context, v *account.Visitor, invitationID string, from account.Client) error
	InvitationOf(ctx context.Context, token string) (account.InvitationPage, error)
	Accept(ctx context.Context, v *account.Visitor, token string, from account.Client) error
	AcceptNew(ctx context.Context, token, plain string, from account.Client) (*account.Proof, error)
}

func (p *Pages) invite(v *visit) error { return p.inviteForm(v, v.form()) }

func (p *Pages) sendInvitation(v *visit) error {
	f := v.form()
	i, err := p.Account.Invite(v.ctx(), v.person, f.text("email"), access.Role(f.text("role")), v.from())
	if f.refused(err) {
		return p.inviteForm(v, f)
	}
	if err != nil {
		return err
	}
	return v.done("/team", "An invitation is sent to "+i.Email+". Its link works for seven days.")
}

func (p *Pages) inviteForm(v *visit, f *form) error {
	return v.showAs(f.status, views.FormPage(views.FormView{Frame: v.frame("Invite somebody"), Heading: views.Heading{Title: "Invite somebody", Back: toTeam},
		Form: f.fill(views.Form{Action: "/team/invite", Submit: "Send the invitation", Cancel: "/team", Failed: "Nothing was sent yet", Groups: []views.FieldGroup{{Fields: []views.Field{
			{Name: "email", Label: "E-mail address", Kind: "email", Mode: "email", Complete: "off"}, roleField(access.Manager)}}}})}))
}

// askWithdrawInvitation is for an invitation that is open.
func (p *Pages) askWithdrawInvitation(v *visit) error {
	all, err := p.Account.Invitations(v.ctx(), v.person)
	if err != nil {
		return err
	}
	for _, i := range all {
		if i.ID == v.Param("id") {
			return showConfirm(v, "Withdraw the invitation of "+i.Email+"?", "The link in the e-mail opens nothing any more.",
				views.Form{Submit: "Withdraw the invitation", Danger: true, Cancel: "/team"})
		}
	}
	return fault.Of(fault.NoRecord)
}

func (p *Pages) withdrawInvitation(v *visit) error {
	if err := p.Account.WithdrawInvitation(v.ctx(), v.person, v.Param("id"), v.from()); err != nil {
		return err
	}
	return v.done("/team", "The invitation is withdrawn.")
}

// join is what the link of an invitation opens.
func (p *Pages) join(v *visit) error { return p.joinForm(v, v.form()) }

// joinForm shows what fits who looks: the invited person, signed in or not; somebody else;
// or somebody who is no user yet.
func (p *Pages) joinForm(v *visit, f *form) error {
	i, err := p.Account.InvitationOf(v.ctx(), v.Param("token"))
	if err != nil {
		return deadLink(v, err)
	}
	page := views.Join{Frame: v.frame("Join " + i.Account), Account: i.Account, Inviter: i.Inviter, Role: article(string(i.Role)), Email: i.Email}
	switch {
	case entered(v) && v.person.Email == i.Email:
		page.Form = new(f.fill(views.Form{Submit: "Join the team"}))
	case entered(v):
		page.Other = v.person.Email
	case i.HasUser:
		page.SignIn = "/sign-in?next=" + url.QueryEscape(v.Request().URL.Path)
	default:
		page.Form = new(f.fill(views.Form{Submit: "Join the team", Groups: []views.FieldGroup{{Fields: []views.Field{
			{Name: "email", Label: "E-mail address", Value: i.Email, Kind: "email", Complete: "username", Fixed: true}, newPassword("Password")}}}}))
	}
	return v.showAs(f.status, views.JoinPage(page))
}

func (p *Pages) accept(v *visit) error {
	if !entered(v) {
		return p.acceptNew(v)
	}
	f := v.form()
	err := p.Account.Accept(v.ctx(), v.person, v.Param("token"), v.from())
	if f.refused(err) {
		return p.joinForm(v, f)
	}
	if err != nil {
		return deadLink(v, err)
	}
	if err := p.goOn(v); err != nil {
		return err
	}
	return v.done("/overview", "You are in the team now.")
}

func (p *Pages) acceptNew(v *visit) error {
	f := v.form()
	proof, err := p.Account.AcceptNew(v.ctx(), v.Param("token"), f.raw("password"), v.from())
	if f.refused(err) {
		return p.joinForm(v, f)
	}
	if err != nil {
		return deadLink(v, err)
	}
	v.say(views.Done, "You are in the team now.")
	return p.begin(v, proof, "/overview")
}

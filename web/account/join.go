package account

import (
	"net/http"
	"net/url"

	"portal/api/access"
	"portal/api/fault"
	views "portal/views/account"
	"portal/views/kit"
	"portal/web/page"
)

func (p *signInPages) sendInvitation(v *page.Request) error {
	f := v.Form()
	i, err := p.Account.Invitations.Invite(v.Ctx(), v.Person, f.Text("email"), access.Role(f.Text("role")), v.From())
	if err != nil {
		return f.Again(v, err, p.inviteForm)
	}
	return v.Done("/team", "Invitation sent to "+i.Email+". The link works for 7 days.")
}

func (p *signInPages) inviteForm(v *page.Request, f *page.Form) error {
	return f.Show(v, kit.Heading{Title: "Invite a member", Back: toTeam}, kit.Form{
		Action: "/team/invite",
		Submit: "Send invitation",
		Cancel: "/team",
		Groups: []kit.FieldGroup{{Fields: []kit.Field{
			emailField("Email address", "off"),
			roleField(access.Manager),
		}}},
	}, "They’ll get an email with a link that works for 7 days.")
}

// askWithdrawInvitation is for an invitation that is open.
func (p *signInPages) askWithdrawInvitation(v *page.Request) error {
	all, err := p.Account.Invitations.Invitations(v.Ctx(), v.Person)
	if err != nil {
		return err
	}
	for _, i := range all {
		if i.ID == v.Param("id") {
			return v.Confirm(http.StatusOK, "Withdraw the invitation of "+i.Email+"?", kit.Form{
				Submit: "Withdraw invitation", Danger: true, Cancel: "/team",
			}, "The link in the email stops working.")
		}
	}
	return fault.Of(fault.NoRecord)
}

func (p *signInPages) withdrawInvitation(v *page.Request) error {
	if err := p.Account.Invitations.WithdrawInvitation(v.Ctx(), v.Person, v.Param("id"), v.From()); err != nil {
		return err
	}
	return v.Done("/team", "Invitation withdrawn.")
}

// joinForm shows what fits who looks: the invited person, signed in or not; somebody else;
// or somebody who is no user yet.
func (p *signInPages) joinForm(v *page.Request, f *page.Form) error {
	i, err := p.Account.Invitations.InvitationOf(v.Ctx(), v.Param("token"))
	if err != nil {
		return deadLink(v, err)
	}
	view := views.Join{
		Frame:   v.Frame("Join " + i.Account),
		Account: i.Account,
		Inviter: i.Inviter,
		Role:    article(string(i.Role)),
		Email:   i.Email,
	}
	switch {
	case entered(v) && v.Person.Email == i.Email:
		view.Form = new(f.Fill(kit.Form{Submit: "Join team"}))
	case entered(v):
		view.Other = v.Person.Email
	case i.HasUser:
		view.SignIn = "/sign-in?next=" + url.QueryEscape(v.Request().URL.Path)
	default:
		view.Form = new(
			f.Fill(kit.Form{Submit: "Join team", Brief: true, Groups: []kit.FieldGroup{{Fields: []kit.Field{
				fixedEmail(i.Email),
				newPassword("Password"),
			}}}}),
		)
	}
	return v.ShowAs(f.Status, views.JoinPage(view))
}

func (p *signInPages) accept(v *page.Request) error {
	if !entered(v) {
		return p.acceptNew(v)
	}
	f := v.Form()
	err := p.Account.Invitations.Accept(v.Ctx(), v.Person, v.Param("token"), v.From())
	if err != nil {
		return deadLink(v, f.Again(v, err, p.joinForm))
	}
	if err := p.goOn(v); err != nil {
		return err
	}
	return v.Done("/overview", "You joined the team.")
}

func (p *signInPages) acceptNew(v *page.Request) error {
	f := v.Form()
	proof, err := p.Account.Invitations.AcceptNew(v.Ctx(), v.Param("token"), f.Raw("password"), v.From())
	if err != nil {
		return deadLink(v, f.Again(v, err, p.joinForm))
	}
	v.Say(kit.Done, "You joined the team.")
	return p.begin(v, proof, "/overview")
}

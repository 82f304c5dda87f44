package web

import (
	"context"
	"strings"

	"portal/api/access"
	"portal/api/account"
	"portal/api/fault"
	"portal/views"
)

// teams are the accounts of a person, and who takes part in them.
type teams interface {
	Accounts(ctx context.Context, v *account.Visitor) ([]account.Membership, error)
	Switch(ctx context.Context, v *account.Visitor, accountID string) error
	Members(ctx context.Context, v *account.Visitor) ([]account.Member, error)
	SetRole(ctx context.Context, v *account.Visitor, userID string, role access.Role, keep bool, from account.Client) error
	RemoveMember(ctx context.Context, v *account.Visitor, userID string, keep bool, from account.Client) error
	Leave(ctx context.Context, v *account.Visitor, keep bool, from account.Client) error
}

var toTeam = views.Link{Name: "Team", Path: "/team"}

func (p *Pages) team(v *visit) error {
	members, err := p.Account.Members(v.ctx(), v.person)
	if err != nil {
		return err
	}
	open, err := p.Account.Invitations(v.ctx(), v.person)
	if err != nil {
		return err
	}
	page := views.Team{Frame: v.frame("Team"), Account: v.person.Account.Name, Owner: v.owns()}
	for _, m := range members {
		page.Members = append(page.Members, views.Member{ID: m.UserID, Email: m.Email, Role: string(m.Role), You: m.UserID == v.person.UserID, Second: m.Second, Since: v.time(m.Since)})
	}
	for _, i := range open {
		page.Invited = append(page.Invited, views.Invited{ID: i.ID, Email: i.Email, Role: string(i.Role), By: i.Inviter, Until: v.time(i.ExpiresAt)})
	}
	return v.show(views.TeamPage(page))
}

// someone is a member of the reader's team, or fault.NoRecord.
func (p *Pages) someone(v *visit) (account.Member, error) {
	members, err := p.Account.Members(v.ctx(), v.person)
	if err != nil {
		return account.Member{}, err
	}
	for _, m := range members {
		if m.UserID == v.Param("id") {
			return m, nil
		}
	}
	return account.Member{}, fault.Of(fault.NoRecord)
}

func (p *Pages) role(v *visit) error { return p.roleForm(v, v.form()) }

func (p *Pages) setRole(v *visit) error {
	f, role := v.form(), v.form().text("role")
	err := p.Account.SetRole(v.ctx(), v.person, v.Param("id"), access.Role(role), f.checked(keepKeys), v.from())
	if f.refused(err) {
		return p.roleForm(v, f)
	}
	if err != nil {
		return err
	}
	return v.done("/team", "The role is changed. It holds from the next page on.")
}

func (p *Pages) roleForm(v *visit, f *form) error {
	m, err := p.someone(v)
	if err != nil {
		return err
	}
	words, fields, err := p.keysOf(v, m.Email, "Who becomes a manager loses the API keys that they made: ")
	if err != nil {
		return err
	}
	return v.showAs(f.status, views.FormPage(views.FormView{Frame: v.frame("Change a role"), Heading: views.Heading{Title: "Role of " + m.Email, Back: toTeam}, Words: words,
		Form: f.fill(views.Form{Submit: "Change the role", Cancel: "/team", Groups: []views.FieldGroup{{Fields: append([]views.Field{roleField(m.Role)}, fields...)}}})}))
}

// roleField explains what each role may do.
func roleField(now access.Role) views.Field {
	return views.Field{Name: "role", Label: "Role", Kind: "radios", Choices: []views.Choice{
		{Value: string(access.Manager), Label: "Manager", Hint: "Works with properties, tenants, leases, tickets and the ledger.", Chosen: now == access.Manager},
		{Value: string(access.Owner), Label: "Owner", Hint: "Does all that, and looks after the team, the keys and the account itself.", Chosen: now == access.Owner},
	}}
}

func (p *Pages) askRemoveMember(v *visit) error {
	m, err := p.someone(v)
	if err != nil {
		return err
	}
	return p.asksAboutKeys(v, m.Email, "Remove "+m.Email+" from the team?", "They do not get into "+v.person.Account.Name+" any more, from their next page on.",
		views.Form{Submit: "Remove from the team", Danger: true, Cancel: "/team"})
}

func (p *Pages) removeMember(v *visit) error {
	if v.Param("id") == v.person.UserID {
		return p.leaveTeam(v)
	}
	if err := p.Account.RemoveMember(v.ctx(), v.person, v.Param("id"), v.form().checked(keepKeys), v.from()); err != nil {
		return err
	}
	return v.done("/team", "They are not in the team any more.")
}

func (p *Pages) askLeave(v *visit) error {
	return p.asksAboutKeys(v, v.person.Email, "Leave "+v.person.Account.Name+"?", "You do not get into the account any more, until an owner invites you again.",
		views.Form{Submit: "Leave the team", Danger: true, Cancel: "/team"})
}

// leaveTeam leads to what is left: another account, or none.
func (p *Pages) leaveTeam(v *visit) error {
	name := v.person.Account.Name
	if err := p.Account.Leave(v.ctx(), v.person, v.form().checked(keepKeys), v.from()); err != nil {
		return err
	}
	if err := p.goOn(v); err != nil {
		return err
	}
	return v.done("/overview", "You are not in the team of "+name+" any more.")
}

// accounts lets somebody look at another of their accounts.
func (p *Pages) accounts(v *visit) error {
	all, err := p.Account.Accounts(v.ctx(), v.person)
	if err != nil {
		return err
	}
	page := views.Accounts{Frame: v.frame("Switch account"), Several: len(all) > 1}
	field := views.Field{Name: "account", Label: "Account", Kind: "radios"}
	for _, a := range all {
		field.Choices = append(field.Choices, views.Choice{Value: a.AccountID, Label: a.Name, Hint: "You are " + article(string(a.Role)) + ".",
			Chosen: v.person.Account != nil && a.AccountID == v.person.Account.AccountID})
	}
	page.Form = views.Form{Action: "/accounts", Submit: "Switch", Cancel: "/overview", Groups: []views.FieldGroup{{Fields: []views.Field{field}}}}
	return v.show(views.AccountsPage(page))
}

// article is a word with the article before it.
func article(word string) string {
	if strings.ContainsAny(word[:1], "aeiou") {
		return "an " + word
	}
	return "a " + word
}

func (p *Pages) switchAccount(v *visit) error {
	if err := p.Account.Switch(v.ctx(), v.person, v.form().text("account")); err != nil {
		return err
	}
	if err := p.goOn(v); err != nil {
		return err
	}
	return v.redirect("/overview")
}

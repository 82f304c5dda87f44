package account

import (
	"net/http"
	"strings"

	"portal/api/access"
	"portal/api/account"
	"portal/api/developer"
	"portal/api/fault"
	views "portal/views/account"
	"portal/views/kit"
	"portal/web/listing"
	"portal/web/page"
)

var toTeam = kit.Link{Name: "Team", Path: "/team"}

// teamPages is the pages of a team.
type teamPages struct{ *Section }

func (p *teamPages) routes() []page.Route {
	return []page.Route{
		page.Get("/accounts", page.SignedIn, p.accounts),
		page.Post("/accounts", page.SignedIn, p.switchAccount),
		page.Get("/team", page.Member, p.team),
		page.Get("/team.csv", page.Member, p.exportTeam),
		page.Get("/team/members/:id", page.Owner, page.Asks(p.roleForm)).Confirmed(),
		page.Post("/team/members/:id", page.Owner, p.setRole).Confirmed(),
		page.Get("/team/members/:id/remove", page.Owner, p.askRemoveMember).ConfirmedWhen(p.removesOwner),
		page.Post("/team/members/:id/remove", page.Owner, p.removeMember).ConfirmedWhen(p.removesOwner),
		page.Get("/team/leave", page.Member, p.askLeave),
		page.Post("/team/leave", page.Member, p.leaveTeam),
	}
}

func (p *teamPages) team(v *page.Request) error {
	members, open, err := p.sortedTeam(v)
	if err != nil {
		return err
	}
	view := listing.List{
		Title: "Team", About: "Members of " + v.Person.Account.Name + ".", Path: "/team",
		Ask: "Sort the team", Orders: teamOrders,
	}.View(v)
	view.Grid = memberGrid(v, members)
	view.Parts = []kit.RelatedTable{{ID: "invitations", Title: "Invitations", Grid: invitationGrid(v, open)}}
	if v.Owns() {
		view.Primary = kit.Action{Name: "Invite member", Path: "/team/invite", Icon: "plus"}
	} else {
		view.Other = []kit.Action{{Name: "Leave team", Path: "/team/leave", How: kit.Asks}}
	}
	return v.Show(kit.ListingPage(view))
}

// someone is a member of the reader's team, or fault.NoRecord.
func (p *teamPages) someone(v *page.Request) (account.Member, error) {
	members, err := p.Account.Members.Members(v.Ctx(), v.Person)
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

func (p *teamPages) setRole(v *page.Request) error {
	f, role := v.Form(), v.Form().Text("role")
	err := p.Account.Members.SetRole(v.Ctx(), v.Person, v.Param("id"), access.Role(role), f.Checked(keepKeys), v.From())
	if err != nil {
		return f.Again(v, err, p.roleForm)
	}
	return v.Done("/team", "Role changed. It applies right away.")
}

func (p *teamPages) roleForm(v *page.Request, f *page.Form) error {
	m, err := p.someone(v)
	if err != nil {
		return err
	}
	words, fields, err := p.keysOf(v, m.Email, "Managers can’t have API keys. They lose the ones they created: ")
	if err != nil {
		return err
	}
	return v.ShowAs(f.Status, kit.FormPage(kit.FormView{
		Frame: v.Frame("Member " + m.Email),
		Heading: kit.Heading{
			Title: m.Email,
			About: "Two-step verification is " + strings.ToLower(secondSteps[m.Second].Text) + ".",
			Back:  toTeam,
		},
		Words: words,
		Form: f.Fill(kit.Form{
			Submit: "Change role",
			Cancel: "/team",
			Groups: []kit.FieldGroup{{Fields: append([]kit.Field{roleField(m.Role)}, fields...)}},
		}),
	}))
}

// roleField explains what each role may do.
func roleField(now access.Role) kit.Field {
	return kit.Field{
		Name:  "role",
		Label: "Role",
		Kind:  "radios",
		Choices: []kit.Choice{
			{
				Value:  string(access.Manager),
				Label:  "Manager",
				Hint:   "Works with properties, tenants, leases, tickets, and the ledger.",
				Chosen: now == access.Manager,
			},
			{
				Value:  string(access.Owner),
				Label:  "Owner",
				Hint:   "Does all that, and manages the team, API keys, and the account.",
				Chosen: now == access.Owner,
			},
		},
	}
}

// removesOwner reports whether another owner is removed, which takes their power over the
// account. Removing a manager, and leaving, only end something.
func (p *teamPages) removesOwner(v *page.Request) (bool, error) {
	m, err := p.someone(v)
	return m.Role == access.Owner && m.UserID != v.Person.UserID, err
}

func (p *teamPages) askRemoveMember(v *page.Request) error {
	m, err := p.someone(v)
	if err != nil {
		return err
	}
	return p.asksAboutKeys(v, m.Email, "Remove "+m.Email+
		" from the team?", "They lose access to "+v.Person.Account.Name+" right away.",
		kit.Form{Submit: "Remove from the team", Danger: true, Cancel: "/team"})
}

func (p *teamPages) removeMember(v *page.Request) error {
	if v.Param("id") == v.Person.UserID {
		return p.leaveTeam(v)
	}
	err := p.Account.Members.RemoveMember(v.Ctx(), v.Person, v.Param("id"), v.Form().Checked(keepKeys), v.From())
	if err != nil {
		return err
	}
	return v.Done("/team", "Removed from the team.")
}

func (p *teamPages) askLeave(v *page.Request) error {
	return p.asksAboutKeys(v, v.Person.Email, "Leave "+v.Person.Account.Name+
		"?", "You lose access to the account until an owner invites you again.",
		kit.Form{Submit: "Leave team", Danger: true, Cancel: "/team"})
}

// leaveTeam leads to what is left: another account, or none.
func (p *teamPages) leaveTeam(v *page.Request) error {
	name := v.Person.Account.Name
	if err := p.Account.Members.Leave(v.Ctx(), v.Person, v.Form().Checked(keepKeys), v.From()); err != nil {
		return err
	}
	if err := p.goOn(v); err != nil {
		return err
	}
	return v.Done("/overview", "You left the team of "+name+".")
}

// accounts lets somebody look at another of their accounts.
func (p *teamPages) accounts(v *page.Request) error {
	all, err := p.Account.Members.Accounts(v.Ctx(), v.Person)
	if err != nil {
		return err
	}
	view := views.Accounts{Frame: v.Frame("Switch account"), Several: len(all) > 1}
	field := kit.Field{Name: "account", Label: "Account", Kind: "radios"}
	for _, a := range all {
		field.Choices = append(field.Choices, kit.Choice{
			Value:  a.AccountID,
			Label:  a.Name,
			Hint:   "You are " + article(string(a.Role)) + ".",
			Chosen: v.Person.Account != nil && a.AccountID == v.Person.Account.AccountID,
		})
	}
	view.Form = kit.Form{
		Action: "/accounts",
		Submit: "Switch",
		Cancel: "/overview",
		Groups: []kit.FieldGroup{{Fields: []kit.Field{field}}},
	}
	return v.Show(views.AccountsPage(view))
}

// article is a word with the article before it.
func article(word string) string {
	if strings.ContainsAny(word[:1], "aeiou") {
		return "an " + word
	}
	return "a " + word
}

func (p *teamPages) switchAccount(v *page.Request) error {
	if err := p.Account.Members.Switch(v.Ctx(), v.Person, v.Form().Text("account")); err != nil {
		return err
	}
	if err := p.goOn(v); err != nil {
		return err
	}
	return v.SeeOther("/overview")
}

// keepKeys is the box that keeps the keys of somebody who leaves or is an owner no longer.
const keepKeys = "keep_keys"

// keysOf names the keys that a member made and that work, after some words, with a box to
// keep them; nothing where they made none. The key of the documentation in one of their
// sessions is not among them: it always ends.
func (p *teamPages) keysOf(v *page.Request, email, before string) (words []string, fields []kit.Field, err error) {
	if p.Keys == nil {
		return nil, nil, nil
	}
	all, err := p.Keys.AccountKeys(v.Ctx(), v.Member())
	if err != nil {
		return nil, nil, err
	}
	var names []string
	for i := range all {
		k := &all[i]
		state := k.State(p.Now())
		if k.Creator == email && !k.OfSession && (state == developer.KeyActive || state == developer.KeyEnding) {
			names = append(names, "“"+k.Name+"” ("+k.KeyPrefix+"…)")
		}
	}
	if len(names) == 0 {
		return nil, nil, nil
	}
	return []string{
			before + strings.Join(names, ", ") + ".",
		}, []kit.Field{
			{
				Name:  keepKeys,
				Label: "Keep these keys",
				Kind:  "checkbox",
				Hint: "They keep working with all their scopes. Otherwise they’re revoked right away, and you " +
					"can’t restore them.",
			},
		}, nil
}

// asksAboutKeys asks before a member goes, with the keys that they made.
func (p *teamPages) asksAboutKeys(v *page.Request, email, title, words string, f kit.Form) error {
	before := "The API keys they created are revoked: "
	if email == v.Person.Email {
		before = "The API keys you created are revoked: "
	}
	keys, fields, err := p.keysOf(v, email, before)
	if err != nil {
		return err
	}
	f.Groups = []kit.FieldGroup{{Fields: fields}}
	return v.Confirm(http.StatusOK, title, f, append([]string{words}, keys...)...)
}

package account

import (
	"portal/api/access"
	"portal/api/account"
	"portal/api/clock"
	"portal/views/kit"
	"portal/web/csvexport"
	"portal/web/listing"
	"portal/web/page"
)

// secondSteps are the tags of whether a member confirms a sign-in with a second step.
var secondSteps = map[bool]kit.Status{
	true:  {Tone: kit.Done, Text: "On"},
	false: {Tone: kit.Idle, Text: "Off"},
}

// roleNames are the roles as pages show them.
var roleNames = map[access.Role]string{access.Owner: "Owner", access.Manager: "Manager"}

// memberGrid is a table of members, with what an owner can do about each.
func memberGrid(v *page.Request, all []account.Member) kit.Grid {
	t := kit.Table{
		Caption: "Members",
		Columns: []kit.Column{
			{Name: "Email address"},
			{Name: "Role", Width: kit.Short, Card: kit.CardDetail},
			{Name: "Two-step verification", Width: kit.Medium, Card: kit.CardHidden},
			{Name: "Since", Width: kit.Short, Card: kit.CardAmount},
		},
	}
	if v.Owns() {
		t.Columns = append(t.Columns, actionColumn)
	}
	return kit.GridOf(t, all, func(m *account.Member) []kit.Cell {
		name, you := kit.Cell{Text: m.Email}, m.UserID == v.Person.UserID
		if you {
			name.Number = "you"
		}
		if v.Owns() {
			name.Path = "/team/members/" + m.UserID
		}
		line := []kit.Cell{name, {Text: roleNames[m.Role]}, {Status: secondSteps[m.Second]}, {Time: v.Time(m.Since)}}
		if v.Owns() {
			line = append(line, kit.Cell{Acts: memberActions(m, you)})
		}
		return line
	})
}

// memberActions are what an owner can do about a member.
func memberActions(m *account.Member, you bool) []kit.Action {
	if you {
		return []kit.Action{{Name: "Leave", Label: "Leave team", Path: "/team/leave", How: kit.Asks}}
	}
	return []kit.Action{{
		Name:  "Remove",
		Label: "Remove " + m.Email,
		Path:  "/team/members/" + m.UserID + "/remove",
		How:   kit.Asks,
	}}
}

// actionColumn holds what can be done with a line, at the end of the first line of its card.
var actionColumn = kit.Column{Name: "Actions", Width: kit.Narrow, Hidden: true, Right: true, Card: kit.CardStatus}

// invitationGrid is a table of the invitations that nobody has taken yet.
func invitationGrid(v *page.Request, all []account.Invitation) kit.Grid {
	t := kit.Table{
		Caption: "Pending invitations",
		Empty:   kit.Empty{Title: "No open invitations", Words: "An owner can invite people."},
		Columns: []kit.Column{
			{Name: "Email address"},
			{Name: "Role", Width: kit.Short, Card: kit.CardDetail},
			{Name: "Invited by", Card: kit.CardHidden},
			{Name: "Link ends", Width: kit.Short, Card: kit.CardAmount},
		},
	}
	if v.Owns() {
		t.Empty.Words = "People you invite get an email with a link that works for 7 days."
		t.Columns = append(t.Columns, actionColumn)
	}
	return kit.GridOf(t, all, func(n *account.Invitation) []kit.Cell {
		line := []kit.Cell{{Text: n.Email}, {Text: roleNames[n.Role]}, {Text: n.Inviter}, {Time: v.Time(n.ExpiresAt)}}
		if v.Owns() {
			line = append(line, kit.Cell{Acts: []kit.Action{{
				Name:  "Withdraw",
				Label: "Withdraw the invitation of " + n.Email,
				Path:  "/team/invitations/" + n.ID + "/withdraw",
				How:   kit.Asks,
			}}})
		}
		return line
	})
}

// teamOrders are the orders of a team.
var teamOrders = []string{"oldest", "newest", "name"}

// sortedTeam is the team in the order that the address asks for, and who is invited.
func (p *teamPages) sortedTeam(v *page.Request) ([]account.Member, []account.Invitation, error) {
	members, err := p.Account.Members.Members(v.Ctx(), v.Person)
	if err != nil {
		return nil, nil, err
	}
	open, err := p.Account.Invitations.Invitations(v.Ctx(), v.Person)
	order := v.Form().Among("sort", teamOrders)
	if order == "" {
		return members, open, err
	}
	listing.Sort(members, order, func(m *account.Member) (string, clock.Time) { return m.Email, m.Since })
	listing.Sort(open, order, func(n *account.Invitation) (string, string) { return n.Email, n.ID })
	return members, open, err
}

// teamRow is a line of the file of a team: a member or somebody who is invited.
type teamRow struct {
	*account.Member
	*account.Invitation
}

// exportTeam answers with the team as a file, the members before those who are invited.
func (p *teamPages) exportTeam(v *page.Request) error {
	members, open, err := p.sortedTeam(v)
	if err != nil {
		return err
	}
	var rows []teamRow
	for i := range members {
		rows = append(rows, teamRow{Member: &members[i]})
	}
	for i := range open {
		rows = append(rows, teamRow{Invitation: &open[i]})
	}
	return csvexport.ServeAll(v, p.Trail, "team", rows, teamColumns)
}

// teamColumns are those of a line of the file of a team. The link of an invitation is not among them.
func teamColumns(r *teamRow) csvexport.Cells {
	var since, invited, expires *clock.Time
	var email, role, status, second, inviter string
	switch {
	case r.Member != nil:
		m := r.Member
		email, role, status, since = m.Email, string(m.Role), "member", &m.Since
		second = map[bool]string{true: "on", false: "off"}[m.Second]
	case r.Invitation != nil:
		n := r.Invitation
		email, role, status, inviter = n.Email, string(n.Role), "invited", n.Inviter
		invited, expires = &n.CreatedAt, &n.ExpiresAt
	}
	return csvexport.Cells{
		"Email address", email, "Role", role, "Status", status, "Two-step verification", second,
		"Since (UTC)", since, "Invited (UTC)", invited, "Invited by", inviter, "Link ends (UTC)", expires,
	}
}

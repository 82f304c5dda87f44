package account

import (
	"portal/api/access"
	"portal/api/account"
	"portal/views/kit"
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

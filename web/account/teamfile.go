package account

import (
	"portal/api/account"
	"portal/api/clock"
	"portal/web/csvexport"
	"portal/web/listing"
	"portal/web/page"
)

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
	listing.Sort(open, order, func(n *account.Invitation) (string, clock.Time) { return n.Email, n.CreatedAt })
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
	return csvexport.ServeAll(v, p.Trail, "team", rows, teamColumns())
}

// teamColumns are those of the file of a team. The link of an invitation is not among them.
func teamColumns() []csvexport.Column[teamRow] {
	type value = csvexport.Value
	column := func(
		name string, of func(*account.Member) value, or func(*account.Invitation) value,
	) csvexport.Column[teamRow] {
		return csvexport.Column[teamRow]{Name: name, Of: func(r *teamRow) value {
			switch {
			case r.Member != nil && of != nil:
				return of(r.Member)
			case r.Invitation != nil && or != nil:
				return or(r.Invitation)
			}
			return value{}
		}}
	}
	return []csvexport.Column[teamRow]{
		column("Email address",
			func(m *account.Member) value { return csvexport.Text(m.Email) },
			func(n *account.Invitation) value { return csvexport.Text(n.Email) }),
		column("Role",
			func(m *account.Member) value { return csvexport.Text(m.Role) },
			func(n *account.Invitation) value { return csvexport.Text(n.Role) }),
		column("Status",
			func(*account.Member) value { return csvexport.Text("member") },
			func(*account.Invitation) value { return csvexport.Text("invited") }),
		column("Two-step verification",
			func(m *account.Member) value {
				return csvexport.Text(map[bool]string{true: "on", false: "off"}[m.Second])
			}, nil),
		column("Since (UTC)", func(m *account.Member) value { return csvexport.Of(m.Since) }, nil),
		column("Invited (UTC)", nil, func(n *account.Invitation) value { return csvexport.Of(n.CreatedAt) }),
		column("Invited by", nil, func(n *account.Invitation) value { return csvexport.Text(n.Inviter) }),
		column("Link ends (UTC)", nil, func(n *account.Invitation) value { return csvexport.Of(n.ExpiresAt) }),
	}
}

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

package db

import (
	"context"
	"strconv"
	"strings"

	"portal/api/access"
	"portal/api/clock"
	"portal/api/fault"
	"portal/api/portfolio"
)

// decisionColumns are those of what came of an application.
const decisionColumns = `COALESCE(a.decision, ''), a.decided_at, a.tenant_id`

// Application reads the application of an invitation, or fault.NotFound.
func (d *DB) Application(ctx context.Context, in access.Portfolio, invitationID string) (a portfolio.Application, err error) {
	found, err := d.one(ctx, `SELECT `+applicationColumns+`, `+decisionColumns+`
		FROM applications a
		WHERE portfolio_id = $1 AND invitation_id = $2`, []any{in.ID, invitationID},
		&a.CreatedAt, &a.FirstName, &a.LastName, &a.Email, &a.Phone, &a.MoveInDate, &a.Adults, &a.Children, &a.Pets, &a.MonthlyIncome, &a.Notes,
		&a.Decision, &a.DecidedAt, &a.TenantID)
	if err == nil && !found {
		err = fault.NotFound("application")
	}
	return a, err
}

// DecideApplication notes a decision about an application that has none, and tells whether
// it had none.
func (d *DB) DecideApplication(ctx context.Context, in access.Portfolio, invitationID string, decision portfolio.Decision, tenantID *string, at clock.Time) (bool, error) {
	n, err := d.exec(ctx, `UPDATE applications
		SET decision = $3, decided_at = $4, tenant_id = $5
		WHERE portfolio_id = $1 AND invitation_id = $2 AND decision IS NULL`, in.ID, invitationID, string(decision), int64(at), tenantID)
	return n == 1, err
}

// columnsOf are columns of a table by its name in a query.
func columnsOf(table, columns string) string {
	names := strings.Split(columns, ",")
	for i := range names {
		names[i] = table + "." + strings.TrimSpace(names[i])
	}
	return strings.Join(names, ", ")
}

// applicantColumns are those of an invitation, of its home, and of who applied.
var applicantColumns = columnsOf("i", invitationColumns) +
	", p.street_address, p.street_address_2, p.city, p.state, p.postal_code, p.unit_count, u.unit_number, u.status" +
	", a.created_at, COALESCE(a.first_name, ''), COALESCE(a.last_name, ''), " + decisionColumns

// home joins an invitation with its home.
const home = `
	JOIN properties p ON p.portfolio_id = i.portfolio_id AND p.id = i.property_id
	JOIN units u ON u.portfolio_id = i.portfolio_id AND u.id = i.unit_id`

const answered = "applications a ON a.portfolio_id = i.portfolio_id AND a.invitation_id = i.id"

// Applicants reads applicants, the newest first. Of an application it reads who sent it and
// what came of it.
func (d *DB) Applicants(ctx context.Context, in access.Portfolio, f portfolio.ApplicantFilter, now clock.Time) ([]portfolio.Applicant, error) {
	end := f.Before
	if end == "" {
		end = "lead_~"
	}
	args := []any{in.ID, end, int64(f.Limit)}
	from := d.applicantsOf(f.Standing, now, &args)
	found, read := []portfolio.Applicant{}, readApplicant(in.Mode)
	err := d.each(ctx, "SELECT "+applicantColumns+from+`
		LIMIT $3 + 0`, args, func(s scan) error {
		found = append(found, portfolio.Applicant{})
		return read(s, &found[len(found)-1])
	})
	return found, err
}

// applicantsOf are those of a standing, from the index that has them in their order.
func (d *DB) applicantsOf(of portfolio.Standing, now clock.Time, args *[]any) string {
	and := func(condition string, value any) string {
		*args = append(*args, value)
		return " AND " + condition + " $" + strconv.Itoa(len(*args))
	}
	switch of {
	case portfolio.ToDecide, portfolio.HasAccepted, portfolio.HasDeclined:
		which := " AND a.decision IS NULL"
		if of != portfolio.ToDecide {
			which = and("a.decision =", string(of))
		}
		return " FROM applications a" + d.by("applications_decision") + " JOIN invitations i ON i.portfolio_id = a.portfolio_id AND i.id = a.invitation_id" + home +
			" WHERE a.portfolio_id = $1 AND a.invitation_id < $2" + which + " ORDER BY a.invitation_id DESC"
	case "":
		return " FROM invitations i" + home + " LEFT JOIN " + answered + " WHERE i.portfolio_id = $1 AND i.id < $2 ORDER BY i.id DESC"
	}
	which := and("i.status =", string(of))
	if of == portfolio.Standing(portfolio.InvitationSent) || of == portfolio.Standing(portfolio.InvitationOpened) {
		which += and("i.expires_at >", int64(now))
	}
	return " FROM invitations i" + d.by("invitations_standing") + home + " LEFT JOIN " + answered + " WHERE i.portfolio_id = $1 AND i.id < $2" + which + " ORDER BY i.id DESC"
}

func readApplicant(mode access.Mode) func(scan, *portfolio.Applicant) error {
	return func(s scan, v *portfolio.Applicant) error {
		i, p, u, a := &v.Invitation, &v.Property, &v.Unit, portfolio.Application{}
		var sent *clock.Time
		err := s(append(invitationInto(i), &p.StreetAddress, &p.StreetAddress2, &p.City, &p.State, &p.PostalCode, &p.UnitCount, &u.UnitNumber, &u.Status,
			&sent, &a.FirstName, &a.LastName, &a.Decision, &a.DecidedAt, &a.TenantID)...)
		i.Object, i.Mode, i.Currency, p.ID, u.ID = "tenant_invitation", mode, portfolio.Currency, i.PropertyID, i.UnitID
		if sent != nil {
			a.CreatedAt, v.Application = *sent, &a
		}
		return err
	}
}

// Applicant reads the applicant of an invitation, or fault.NotFound.
func (d *DB) Applicant(ctx context.Context, in access.Portfolio, invitationID string) (v portfolio.Applicant, err error) {
	found, read := false, readApplicant(in.Mode)
	err = d.each(ctx, "SELECT "+applicantColumns+" FROM invitations i"+home+" LEFT JOIN "+answered+" WHERE i.portfolio_id = $1 AND i.id = $2", []any{in.ID, invitationID}, func(s scan) error {
		found = true
		return read(s, &v)
	})
	if err != nil || !found {
		if err == nil {
			err = fault.NotFound("invitation")
		}
		return v, err
	}
	if v.Application != nil {
		*v.Application, err = d.Application(ctx, in, invitationID)
	}
	return v, err
}

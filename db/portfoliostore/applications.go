package portfoliostore

import (
	"context"
	"strconv"

	"portal/api/access"
	"portal/api/clock"
	"portal/api/fault"
	"portal/api/id"
	"portal/api/portfolio"
	"portal/api/portfolio/lease/application"
	"portal/db"
	"portal/db/rows"
)

// decisionColumns are those of what came of an application.
const decisionColumns = `COALESCE(a.decision, ''), a.decided_at, a.tenant_id`

// Application reads the application of an invitation, or fault.NotFound.
func (s *Store) Application(
	ctx context.Context, in access.Portfolio, invitationID string,
) (a application.Application, err error) {
	found, err := s.db.One(
		ctx,
		`SELECT `+applicationTable.Columns+`, `+decisionColumns+`
		FROM applications a
		WHERE portfolio_id = $1 AND invitation_id = $2`,
		[]any{in.ID, invitationID},
		append(applicationTable.Targets(&a), &a.Decision, &a.DecidedAt, &a.TenantID)...,
	)
	if err == nil && !found {
		err = fault.NotFound("application")
	}
	return a, err
}

// DecideApplication notes a decision about an application that has none, and reports whether
// it had none.
func (s *Store) DecideApplication(
	ctx context.Context,
	in access.Portfolio,
	invitationID string,
	decision application.Decision,
	tenantID *string,
	at clock.Time,
) (bool, error) {
	n, err := s.db.Exec(ctx, `UPDATE applications
		SET decision = $3, decided_at = $4, tenant_id = $5
		WHERE portfolio_id = $1 AND invitation_id = $2 AND decision IS NULL`, in.ID, invitationID, string(decision), int64(at), tenantID)
	return n == 1, err
}

// applicantColumns are those of an invitation, of its home, and of the person who applied.
var applicantColumns = invitationTable.Of("i") +
	", p.street_address, p.street_address_2, p.city, p.state, p.postal_code, p.unit_count, u.unit_number, u.status" +
	", a.created_at, COALESCE(a.first_name, ''), COALESCE(a.last_name, ''), " + decisionColumns

// home joins an invitation with its home.
const home = `
	JOIN properties p ON p.portfolio_id = i.portfolio_id AND p.id = i.property_id
	JOIN units u ON u.portfolio_id = i.portfolio_id AND u.id = i.unit_id`

const answered = "applications a ON a.portfolio_id = i.portfolio_id AND a.invitation_id = i.id"

// Applicants reads applicants, the newest first unless they are to ascend. Of an application it reads who sent it and
// what came of it.
func (s *Store) Applicants(
	ctx context.Context, in access.Portfolio, f application.ApplicantFilter, now clock.Time,
) ([]application.Applicant, error) {
	after, end, order := rows.SpanFrom(id.Invitation, nil, nil, f.Before, f.Ascending)
	args := []any{in.ID, after, end, int64(f.Limit)}
	from := s.applicantsOf(f.Standing, now, order, &args)
	found, read := []application.Applicant{}, readApplicant(in.Mode)
	err := s.db.Each(ctx, "SELECT "+applicantColumns+from+`
		LIMIT $4`, args, func(scan db.Scan) error {
		found = append(found, application.Applicant{})
		return read(scan, &found[len(found)-1])
	})
	return found, err
}

// applicantsOf are those of a standing, from the index that has them in their order.
func (s *Store) applicantsOf(of application.Standing, now clock.Time, order string, args *[]any) string {
	and := func(condition string, value any) string {
		*args = append(*args, value)
		return " AND " + condition + " $" + strconv.Itoa(len(*args))
	}
	switch of {
	case application.ToDecide, application.HasAccepted, application.HasDeclined:
		which := " AND a.decision IS NULL"
		if of != application.ToDecide {
			which = and("a.decision =", string(of))
		}
		return " FROM applications a" + s.db.IndexedBy("applications_decision") +
			" JOIN invitations i ON i.portfolio_id = a.portfolio_id AND i.id = a.invitation_id" + home +
			" WHERE a.portfolio_id = $1 AND a.invitation_id > $2 AND a.invitation_id < $3" + which + " ORDER BY a.invitation_" + order
	case "":
		return " FROM invitations i" + home + " LEFT JOIN " + answered +
			" WHERE i.portfolio_id = $1 AND i.id > $2 AND i.id < $3 ORDER BY i." + order
	}
	which := and("i.status =", string(of))
	if of == application.Standing(application.InvitationSent) ||
		of == application.Standing(application.InvitationOpened) {
		which += and("i.expires_at >", int64(now))
	}
	return " FROM invitations i" + s.db.IndexedBy("invitations_standing") + home + " LEFT JOIN " + answered +
		" WHERE i.portfolio_id = $1 AND i.id > $2 AND i.id < $3" + which + " ORDER BY i." + order
}

func readApplicant(mode access.Mode) func(db.Scan, *application.Applicant) error {
	return func(scan db.Scan, v *application.Applicant) error {
		i, p, u, a := &v.Invitation, &v.Property, &v.Unit, application.Application{}
		var sent *clock.Time
		err := scan(
			append(
				invitationTable.Targets(i),
				&p.StreetAddress,
				&p.StreetAddress2,
				&p.City,
				&p.State,
				&p.PostalCode,
				&p.UnitCount,
				&u.UnitNumber,
				&u.Status,
				&sent,
				&a.FirstName,
				&a.LastName,
				&a.Decision,
				&a.DecidedAt,
				&a.TenantID,
			)...)
		i.Object, i.Mode, i.Currency, p.ID, u.ID = "tenant_invitation", mode, portfolio.Currency, i.PropertyID, i.UnitID
		if sent != nil {
			a.CreatedAt, v.Application = *sent, &a
		}
		return err
	}
}

// Applicant reads the applicant of an invitation, or fault.NotFound.
func (s *Store) Applicant(
	ctx context.Context, in access.Portfolio, invitationID string,
) (v application.Applicant, err error) {
	found, read := false, readApplicant(in.Mode)
	err = s.db.Each(ctx, "SELECT "+applicantColumns+" FROM invitations i"+home+" LEFT JOIN "+answered+
		" WHERE i.portfolio_id = $1 AND i.id = $2", []any{in.ID, invitationID}, func(scan db.Scan) error {
		found = true
		return read(scan, &v)
	})
	if err != nil || !found {
		if err == nil {
			err = fault.NotFound("invitation")
		}
		return v, err
	}
	if v.Application != nil {
		*v.Application, err = s.Application(ctx, in, invitationID)
	}
	return v, err
}

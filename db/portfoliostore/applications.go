package portfoliostore

import (
	"context"
	"fmt"
	"strconv"
	"strings"

	"portal/api/access"
	"portal/api/clock"
	"portal/api/id"
	"portal/api/money"
	"portal/api/onetimecode"
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
	err = rows.Find(ctx, s.db, "application", `SELECT `+applicationTable.Columns+`, `+decisionColumns+`
		FROM applications a
		WHERE portfolio_id = $1 AND invitation_id = $2`,
		[]any{in.ID, invitationID},
		append(applicationTable.Targets(&a), &a.Decision, &a.DecidedAt, &a.TenantID)...,
	)
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
	return s.db.Changes(ctx, `UPDATE applications
		SET decision = $3, decided_at = $4, tenant_id = $5
		WHERE portfolio_id = $1 AND invitation_id = $2
			AND decision IS NULL`, in.ID, invitationID, string(decision), int64(at), tenantID)
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
	return rows.All(ctx, s.db, "SELECT "+applicantColumns+from+`
		LIMIT $4`, args, readApplicant(in.Mode))
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
		invitationTable.Complete(i, mode)
		p.ID, u.ID = i.PropertyID, i.UnitID
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
	query := "SELECT " + applicantColumns + " FROM invitations i" + home + " LEFT JOIN " + answered +
		" WHERE i.portfolio_id = $1 AND i.id = $2"
	v, err = rows.Only(ctx, s.db, "invitation", query, []any{in.ID, invitationID}, readApplicant(in.Mode))
	if err == nil && v.Application != nil {
		*v.Application, err = s.Application(ctx, in, invitationID)
	}
	return v, err
}

var invitationTable = rows.NewTable(
	"invitations",
	append(recordColumns(func(i *application.Invitation) *portfolio.Record { return &i.Record }),
		rows.At("unit_id", func(r *application.Invitation) *string { return &r.UnitID }),
		rows.At("property_id", func(r *application.Invitation) *string { return &r.PropertyID }),
		rows.At("email", func(r *application.Invitation) *string { return &r.Email }),
		rows.At("first_name", func(r *application.Invitation) **string { return &r.FirstName }),
		rows.At("last_name", func(r *application.Invitation) **string { return &r.LastName }),
		rows.At("phone", func(r *application.Invitation) **string { return &r.Phone }),
		rows.At("message", func(r *application.Invitation) **string { return &r.Message }),
		rows.At("desired_move_in_date", func(r *application.Invitation) **clock.Date { return &r.DesiredMoveInDate }),
		rows.At("offered_rent", func(r *application.Invitation) **money.Cents { return &r.OfferedRent }),
		rows.At("status", func(r *application.Invitation) *application.InvitationStatus { return &r.Status }),
		rows.At("email_status", func(r *application.Invitation) *application.EmailStatus { return &r.EmailStatus }),
		rows.At("expires_at", func(r *application.Invitation) *clock.Time { return &r.ExpiresAt }),
	)...,
).Completed(func(i *application.Invitation, mode access.Mode) {
	i.Object, i.Mode, i.Currency = "tenant_invitation", mode, portfolio.Currency
})

// AddInvitation writes a new invitation with the hashes of its links.
func (s *Store) AddInvitation(
	ctx context.Context, in access.Portfolio, i *application.Invitation, l application.Links,
) error {
	return invitationTable.Add(ctx, s.db, i,
		"portfolio_id", in.ID, "apply_hash", l.Apply, "unsubscribe_hash", l.Unsubscribe)
}

// Invitation reads one invitation, or fault.NotFound.
func (s *Store) Invitation(ctx context.Context, in access.Portfolio, id string) (application.Invitation, error) {
	return invitationTable.Record(ctx, s.db, "invitation", in, id)
}

// Applying finds the invitation that the hash of an apply link opens, and whose it
// is, or fault.NotFound. Like Unsubscribing it sees all portfolios: the hash is what
// names one.
func (s *Store) Applying(ctx context.Context, hash []byte) (in access.Portfolio, i application.Invitation, err error) {
	err = rows.Find(ctx, s.db, "invitation", `SELECT portfolio_id,
		(SELECT mode FROM portfolios p WHERE p.id = portfolio_id),
		(SELECT ahead_days FROM portfolios p WHERE p.id = portfolio_id), `+invitationTable.Columns+`
		FROM invitations
		WHERE apply_hash = $1`, []any{hash}, append([]any{&in.ID, &in.Mode, &in.Ahead}, invitationTable.Targets(&i)...)...)
	invitationTable.Complete(&i, in.Mode)
	return in, i, err
}

// Unsubscribing finds which portfolio's invitations to which address the hash of a
// link stops, or fault.NotFound.
func (s *Store) Unsubscribing(ctx context.Context, hash []byte) (in access.Portfolio, email string, err error) {
	err = rows.Find(ctx, s.db, "invitation", `SELECT p.id, p.mode, p.ahead_days, i.email
		FROM invitations i
		JOIN portfolios p ON p.id = i.portfolio_id
		WHERE i.unsubscribe_hash = $1`, []any{hash}, &in.ID, &in.Mode, &in.Ahead, &email)
	return in, email, err
}

// open is the condition of an invitation that can still be answered.
var open = rows.OneOf("status", application.OpenInvitations())

// Invited reports whether an invitation of a unit to an address is open.
func (s *Store) Invited(ctx context.Context, in access.Portfolio, unitID, email string, now clock.Time) (bool, error) {
	return s.db.Has(ctx, `SELECT 1
		FROM invitations
		WHERE portfolio_id = $1 AND unit_id = $2 AND lower(email) = $3 AND `+open+` AND expires_at > $4
		LIMIT 1`, []any{in.ID, unitID, strings.Map(rows.Lower, email), int64(now.Later(in.Ahead))})
}

// MoveInvitation moves an invitation that is open and has not expired, and tells
// whether it did. One that is there already does not move.
func (s *Store) MoveInvitation(
	ctx context.Context, in access.Portfolio, id string, to application.InvitationStatus, now clock.Time,
) (bool, error) {
	return s.db.Changes(ctx, `UPDATE invitations
		SET status = $3, version = version + 1, updated_at = $4
		WHERE portfolio_id = $1 AND id = $2 AND `+open+` AND status <> $3
			AND expires_at > $5`, in.ID, id, string(to), int64(now), int64(now.Later(in.Ahead)))
}

// ExpireInvitations writes down which invitations have expired, and tells how many.
func (s *Store) ExpireInvitations(ctx context.Context, in access.Portfolio, now clock.Time) (int64, error) {
	expired := " WHERE portfolio_id = $1 AND " + open + " AND expires_at <= $2"
	args := []any{in.ID, int64(now.Later(in.Ahead))}
	some, err := s.db.Has(ctx, "SELECT 1 FROM invitations"+expired+" LIMIT 1", args)
	if err != nil || !some { // even an update of nothing would wait for other writes
		return 0, err
	}
	return s.db.Exec(ctx, `UPDATE invitations
		SET `+rows.Is("status", application.InvitationExpired)+`, version = version + 1, updated_at = $3`+expired,
		append(args, int64(now))...)
}

// SetEmailStatus changes how far the email of an invitation has come; what changes
// nothing leaves its version.
func (s *Store) SetEmailStatus(
	ctx context.Context, in access.Portfolio, id string, to application.EmailStatus, at clock.Time,
) error {
	return s.db.Run(ctx, `UPDATE invitations
		SET email_status = $3, version = version + 1, updated_at = $4
		WHERE portfolio_id = $1 AND id = $2 AND email_status <> $3`, in.ID, id, string(to), int64(at))
}

// applicationTable has what an applicant writes, and where in an application its values are.
var applicationTable = rows.NewTable(
	"applications",
	rows.At("created_at", func(r *application.Application) *clock.Time { return &r.CreatedAt }),
	rows.At("first_name", func(r *application.Application) *string { return &r.FirstName }),
	rows.At("last_name", func(r *application.Application) *string { return &r.LastName }),
	rows.At("email", func(r *application.Application) *string { return &r.Email }),
	rows.At("phone", func(r *application.Application) *string { return &r.Phone }),
	rows.At("move_in_date", func(r *application.Application) *clock.Date { return &r.MoveInDate }),
	rows.At("adults", func(r *application.Application) *int { return &r.Adults }),
	rows.At("children", func(r *application.Application) *int { return &r.Children }),
	rows.At("pets", func(r *application.Application) **string { return &r.Pets }),
	rows.At("monthly_income", func(r *application.Application) *money.Cents { return &r.MonthlyIncome }),
	rows.At("notes", func(r *application.Application) **string { return &r.Notes }),
)

// AddApplication writes the application of an invitation, which takes one.
func (s *Store) AddApplication(
	ctx context.Context, in access.Portfolio, invitationID string, a *application.Application,
) error {
	return applicationTable.Add(ctx, s.db, a, "portfolio_id", in.ID, "invitation_id", invitationID)
}

// Landlord reads whose portfolio it is: the account with its members' addresses.
func (s *Store) Landlord(ctx context.Context, in access.Portfolio) (l portfolio.Landlord, err error) {
	var zone string
	err = s.db.Each(ctx, `SELECT a.id, a.name, a.time_zone, u.email, m.role, m.notices
		FROM portfolios p
		JOIN accounts a ON a.id = p.account_id
		JOIN members m ON m.account_id = a.id
		JOIN users u ON u.id = m.user_id
		WHERE p.id = $1
		ORDER BY m.created_at, u.id`, []any{in.ID}, func(scan db.Scan) error {
		l.Readers = append(l.Readers, portfolio.Reader{})
		r := &l.Readers[len(l.Readers)-1]
		return scan(&l.AccountID, &l.Name, &zone, &r.Email, &r.Role, &r.Chosen)
	})
	if err != nil {
		return l, err
	}
	if l.AccountID == "" {
		return l, fmt.Errorf("portfolio %d has no member", in.ID)
	}
	l.Zone, err = clock.Zone(zone)
	return l, err
}

// Unsubscribed reports whether an address wants no invitations from a portfolio.
func (s *Store) Unsubscribed(ctx context.Context, in access.Portfolio, email string) (bool, error) {
	return s.db.Has(ctx, "SELECT 1 FROM mail_suppressions WHERE portfolio_id = $1 AND email = $2", []any{
		in.ID, strings.Map(rows.Lower, email),
	})
}

// Unsubscribe keeps invitations of a portfolio from an address, as often as it is
// asked to.
func (s *Store) Unsubscribe(ctx context.Context, in access.Portfolio, email string, at clock.Time) error {
	return s.db.Run(ctx, `INSERT INTO mail_suppressions (portfolio_id, email, created_at)
		VALUES ($1, $2, $3)
		ON CONFLICT (portfolio_id, email) DO NOTHING`, in.ID, strings.Map(rows.Lower, email), int64(at))
}

// PutCode takes the place of an earlier code of the subject. The column signer_id has whatever a code is for: its
// name is from the time when signers alone had codes, and nodes of that version write it.
func (s *Store) PutCode(ctx context.Context, in access.Portfolio, c onetimecode.Code) error {
	return s.db.Run(ctx, `INSERT INTO signing_codes (signer_id, portfolio_id, mac, expires_at, tries)
		VALUES ($1, $2, $3, $4, $5)
		ON CONFLICT (signer_id) DO UPDATE
		SET mac = excluded.mac, expires_at = excluded.expires_at, tries = excluded.tries`,
		c.Subject, in.ID, c.MAC, c.ExpiresAt, c.Tries)
}

// TryCode counts a try at the code of a subject, and gives its MAC: "" where there is none, it has expired,
// or was tried too often.
func (s *Store) TryCode(
	ctx context.Context, in access.Portfolio, subject string, now clock.Time,
) (mac string, err error) {
	err = s.db.Atomically(ctx, func(ctx context.Context) error {
		_, err := s.db.One(ctx, `UPDATE signing_codes
			SET tries = tries - 1
			WHERE portfolio_id = $1 AND signer_id = $2 AND tries > 0 AND expires_at > $3
			RETURNING mac`, []any{in.ID, subject, int64(now)}, &mac)
		return err
	})
	return mac, err
}

// UseCode deletes a code, and reports whether it was there.
func (s *Store) UseCode(ctx context.Context, in access.Portfolio, subject, mac string) (bool, error) {
	return s.db.Changes(ctx, "DELETE FROM signing_codes WHERE portfolio_id = $1 AND signer_id = $2 AND mac = $3",
		in.ID, subject, mac)
}

// DropCode deletes the code of a subject, if there is one.
func (s *Store) DropCode(ctx context.Context, in access.Portfolio, subject string) error {
	return s.db.Run(ctx, "DELETE FROM signing_codes WHERE portfolio_id = $1 AND signer_id = $2", in.ID, subject)
}

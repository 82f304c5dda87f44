package portfoliostore

import (
	"context"
	"fmt"
	"strings"

	"portal/api/access"
	"portal/api/clock"
	"portal/api/fault"
	"portal/api/portfolio"
	"portal/api/portfolio/lease/application"
	"portal/db"
	"portal/db/rows"
)

const invitationColumns = `id, version, created_at, updated_at, unit_id, property_id, email, first_name, last_name, phone, message,
	desired_move_in_date, offered_rent, status, email_status, expires_at`

func invitationInto(i *application.Invitation) []any {
	return []any{
		&i.ID,
		&i.Version,
		&i.CreatedAt,
		&i.UpdatedAt,
		&i.UnitID,
		&i.PropertyID,
		&i.Email,
		&i.FirstName,
		&i.LastName,
		&i.Phone,
		&i.Message,
		&i.DesiredMoveInDate,
		&i.OfferedRent,
		&i.Status,
		&i.EmailStatus,
		&i.ExpiresAt,
	}
}

func readInvitation(mode access.Mode) func(db.Scan, *application.Invitation) error {
	return func(scan db.Scan, i *application.Invitation) error {
		i.Object, i.Mode, i.Currency = "tenant_invitation", mode, portfolio.Currency
		return scan(invitationInto(i)...)
	}
}

// AddInvitation writes a new invitation with the hashes of its links.
func (s Invitations) AddInvitation(
	ctx context.Context, in access.Portfolio, i *application.Invitation, l application.Links,
) error {
	_, err := s.db.Exec(
		ctx,
		`INSERT INTO invitations (portfolio_id, `+
			invitationColumns+`, apply_hash, unsubscribe_hash)
		VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18, $19)`,
		in.ID,
		i.ID,
		i.Version,
		i.CreatedAt,
		i.UpdatedAt,
		i.UnitID,
		i.PropertyID,
		i.Email,
		i.FirstName,
		i.LastName,
		i.Phone,
		i.Message,
		i.DesiredMoveInDate,
		i.OfferedRent,
		i.Status,
		i.EmailStatus,
		i.ExpiresAt,
		l.Apply,
		l.Unsubscribe,
	)
	return err
}

// Invitation reads one invitation, or fault.NotFound.
func (s Invitations) Invitation(ctx context.Context, in access.Portfolio, id string) (application.Invitation, error) {
	i, found, err := rows.Record(ctx, s.db, invitationColumns, "invitations", in, id, readInvitation(in.Mode))
	if err == nil && !found {
		err = fault.NotFound("invitation")
	}
	return i, err
}

// Applying finds the invitation that the hash of an apply link opens, and whose it
// is, or fault.NotFound. Like Unsubscribing it sees all portfolios: the hash is what
// names one.
func (s Invitations) Applying(
	ctx context.Context, hash []byte,
) (in access.Portfolio, i application.Invitation, err error) {
	found, err := s.db.One(ctx, `SELECT portfolio_id, (SELECT mode FROM portfolios p WHERE p.id = portfolio_id), `+
		invitationColumns+`
		FROM invitations
		WHERE apply_hash = $1`, []any{hash}, append([]any{&in.ID, &in.Mode}, invitationInto(&i)...)...)
	i.Object, i.Mode, i.Currency = "tenant_invitation", in.Mode, portfolio.Currency
	if err == nil && !found {
		err = fault.NotFound("invitation")
	}
	return in, i, err
}

// Unsubscribing finds which portfolio's invitations to which address the hash of a
// link stops, or fault.NotFound.
func (s Invitations) Unsubscribing(ctx context.Context, hash []byte) (in access.Portfolio, email string, err error) {
	found, err := s.db.One(ctx, `SELECT p.id, p.mode, i.email
		FROM invitations i
		JOIN portfolios p ON p.id = i.portfolio_id
		WHERE i.unsubscribe_hash = $1`, []any{hash}, &in.ID, &in.Mode, &email)
	if err == nil && !found {
		err = fault.NotFound("invitation")
	}
	return in, email, err
}

// open is the condition of an invitation that can still be answered.
var open = rows.OneOf("status", application.OpenInvitations())

// Invited reports whether an invitation of a unit to an address is open.
func (s Invitations) Invited(
	ctx context.Context, in access.Portfolio, unitID, email string, now clock.Time,
) (bool, error) {
	var one int
	return s.db.One(ctx, `SELECT 1
		FROM invitations
		WHERE portfolio_id = $1 AND unit_id = $2 AND lower(email) = $3 AND `+open+` AND expires_at > $4
		LIMIT 1`, []any{in.ID, unitID, strings.Map(rows.Lower, email), int64(now)}, &one)
}

// MoveInvitation moves an invitation that is open and has not expired, and tells
// whether it did. One that is there already does not move.
func (s Invitations) MoveInvitation(
	ctx context.Context, in access.Portfolio, id string, to application.InvitationStatus, now clock.Time,
) (bool, error) {
	n, err := s.db.Exec(ctx, `UPDATE invitations
		SET status = $3, version = version + 1, updated_at = $4
		WHERE portfolio_id = $1 AND id = $2 AND `+open+` AND status <> $3 AND expires_at > $4`, in.ID, id, string(to), int64(now))
	return n == 1, err
}

// ExpireInvitations writes down which invitations have expired, and tells how many.
func (s Invitations) ExpireInvitations(ctx context.Context, in access.Portfolio, now clock.Time) (int64, error) {
	return s.db.Exec(ctx, `UPDATE invitations
		SET `+rows.Is("status", application.InvitationExpired)+`, version = version + 1, updated_at = $2
		WHERE portfolio_id = $1 AND `+open+` AND expires_at <= $2`, in.ID, int64(now))
}

// SetEmailStatus changes how far the email of an invitation has come; what changes
// nothing leaves its version.
func (s Invitations) SetEmailStatus(
	ctx context.Context, in access.Portfolio, id string, to application.EmailStatus, at clock.Time,
) error {
	_, err := s.db.Exec(ctx, `UPDATE invitations
		SET email_status = $3, version = version + 1, updated_at = $4
		WHERE portfolio_id = $1 AND id = $2 AND email_status <> $3`, in.ID, id, string(to), int64(at))
	return err
}

const applicationColumns = `created_at, first_name, last_name, email, phone, move_in_date, adults, children, pets, monthly_income, notes`

// AddApplication writes the application of an invitation, which takes one.
func (s Invitations) AddApplication(
	ctx context.Context, in access.Portfolio, invitationID string, a *application.Application,
) error {
	_, err := s.db.Exec(
		ctx,
		`INSERT INTO applications (portfolio_id, invitation_id, `+applicationColumns+`)
		VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13)`,
		in.ID,
		invitationID,
		a.CreatedAt,
		a.FirstName,
		a.LastName,
		a.Email,
		a.Phone,
		a.MoveInDate,
		a.Adults,
		a.Children,
		a.Pets,
		a.MonthlyIncome,
		a.Notes,
	)
	return err
}

// Landlord reads whose portfolio it is: the account with its members' addresses.
func (s Invitations) Landlord(ctx context.Context, in access.Portfolio) (l portfolio.Landlord, err error) {
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
func (s Invitations) Unsubscribed(ctx context.Context, in access.Portfolio, email string) (bool, error) {
	var one int
	return s.db.One(ctx, "SELECT 1 FROM mail_suppressions WHERE portfolio_id = $1 AND email = $2", []any{
		in.ID,
		strings.Map(rows.Lower, email),
	}, &one)
}

// Unsubscribe keeps invitations of a portfolio from an address, as often as it is
// asked to.
func (s Invitations) Unsubscribe(ctx context.Context, in access.Portfolio, email string, at clock.Time) error {
	_, err := s.db.Exec(ctx, `INSERT INTO mail_suppressions (portfolio_id, email, created_at)
		VALUES ($1, $2, $3)
		ON CONFLICT (portfolio_id, email) DO NOTHING`, in.ID, strings.Map(rows.Lower, email), int64(at))
	return err
}

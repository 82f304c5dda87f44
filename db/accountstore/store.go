// Package accountstore keeps people, their sessions, accounts and teams, in the database of
// package db.
//
// It knows no rules and no HTTP.
package accountstore

import (
	"context"
	"fmt"

	"portal/api/access"
	"portal/api/account"
	"portal/api/clock"
	"portal/api/developer"
	"portal/db"
	"portal/db/mailstore"
	"portal/db/retentionstore"
	"portal/db/rows"
	"portal/db/servicestore"
)

var _ account.Store = (*Store)(nil)

// Store keeps users, how they sign in, their accounts and who takes part in them.
type Store struct {
	db *db.DB
	servicestore.Trail
	mailstore.Store         // runs transactions, and counts the emails to an address
	retentionstore.Accounts // closes accounts
}

// New is the store over a database.
func New(d *db.DB) *Store {
	return &Store{d, servicestore.NewTrail(d), mailstore.New(d), retentionstore.New(d)}
}

var userTable = rows.NewTable(
	"users",
	rows.At("id", func(r *developer.User) *string { return &r.ID }),
	rows.At("email", func(r *developer.User) *string { return &r.Email }),
	rows.At("password_hash", func(r *developer.User) *string { return &r.PasswordHash }),
	rows.At("role", func(r *developer.User) *developer.UserRole { return &r.Role }),
	rows.At("created_at", func(r *developer.User) *clock.Time { return &r.CreatedAt }),
)

var accountTable = rows.NewTable(
	"accounts",
	rows.At("id", func(r *developer.Account) *string { return &r.ID }),
	rows.At("name", func(r *developer.Account) *string { return &r.Name }),
	rows.At("time_zone", func(r *developer.Account) *string { return &r.TimeZone }),
	rows.At("plan", func(r *developer.Account) *developer.Tier { return &r.Plan.Tier }),
	rows.At("sustained", func(r *developer.Account) **int { return &r.Plan.Sustained }),
	rows.At("burst", func(r *developer.Account) **int { return &r.Plan.Burst }),
	rows.At("unit_ceiling", func(r *developer.Account) **int { return &r.Plan.Units }),
	rows.At("created_at", func(r *developer.Account) *clock.Time { return &r.CreatedAt }),
)

// AddUser adds a user; false says that the email address is taken.
func (s *Store) AddUser(ctx context.Context, u developer.User) (bool, error) {
	return userTable.AddOr(ctx, s.db, "ON CONFLICT (email) DO NOTHING", &u)
}

// User finds a user by email address in lower case.
func (s *Store) User(ctx context.Context, email string) (developer.User, bool, error) {
	return userTable.First(db.Prompt(ctx), s.db, "WHERE email = $1", email)
}

// AddAccount adds an account.
func (s *Store) AddAccount(ctx context.Context, a developer.Account) error {
	return accountTable.Add(ctx, s.db, &a)
}

// AddPortfolio adds the portfolio of a mode to an account.
func (s *Store) AddPortfolio(ctx context.Context, accountID string, mode access.Mode) (access.Portfolio, error) {
	_, err := s.db.Exec(ctx, "INSERT INTO portfolios (account_id, mode) VALUES ($1, $2)", accountID, mode)
	if err != nil {
		return access.Portfolio{}, err
	}
	return s.PortfolioOf(ctx, accountID, mode)
}

// AutoChargeSince is since when the ledger of a portfolio charges by itself, nil where it does not.
func (s *Store) AutoChargeSince(ctx context.Context, in access.Portfolio) (since *clock.Time, err error) {
	_, err = s.db.One(ctx, "SELECT auto_charge_since FROM portfolios WHERE id = $1", []any{in.ID}, &since)
	return since, err
}

// SetAutoChargeSince has the ledger of a portfolio charge by itself from a moment on, or not where that is nil.
func (s *Store) SetAutoChargeSince(ctx context.Context, in access.Portfolio, since *clock.Time) error {
	return s.db.Run(ctx, "UPDATE portfolios SET auto_charge_since = $2 WHERE id = $1", in.ID, since)
}

// RentNotices reports whether tenants of a portfolio get emails about rent where the ledger charges by itself.
func (s *Store) RentNotices(ctx context.Context, in access.Portfolio) (bool, error) {
	return s.db.Has(ctx, "SELECT 1 FROM portfolios WHERE id = $1 AND rent_notices = 1", []any{in.ID})
}

// SetRentNotices has tenants of a portfolio get emails about rent from now on, or no longer. What there was to tell
// before is not told any more.
func (s *Store) SetRentNotices(ctx context.Context, in access.Portfolio, on bool) error {
	err := s.db.Run(ctx, "UPDATE portfolios SET rent_notices = $2 WHERE id = $1", in.ID, rows.Bit(on))
	if err != nil {
		return err
	}
	return s.db.Run(ctx, "DELETE FROM rent_news WHERE portfolio_id = $1", in.ID)
}

var portfolioTable = rows.NewTable(
	"portfolios",
	rows.Read("id", func(p *access.Portfolio) *int64 { return &p.ID }),
	rows.Read("mode", func(p *access.Portfolio) *access.Mode { return &p.Mode }),
	rows.Read("ahead_days", func(p *access.Portfolio) *int { return &p.Ahead }),
)

// PortfolioOf finds the portfolio of a mode of an account; each account has both.
func (s *Store) PortfolioOf(ctx context.Context, accountID string, mode access.Mode) (access.Portfolio, error) {
	p, found, err := portfolioTable.First(db.Prompt(ctx), s.db, "WHERE account_id = $1 AND mode = $2",
		accountID, string(mode))
	if err == nil && !found {
		err = fmt.Errorf("account %s has no %s portfolio", accountID, mode)
	}
	return p, err
}

// PortfoliosOf are the portfolios of an account, in the order in which they were added.
func (s *Store) PortfoliosOf(ctx context.Context, accountID string) ([]access.Portfolio, error) {
	return portfolioTable.All(db.Prompt(ctx), s.db, "WHERE account_id = $1 ORDER BY id", accountID)
}

// SetMember adds a member to an account or changes the role of one.
func (s *Store) SetMember(ctx context.Context, accountID, userID string, role access.Role, at clock.Time) error {
	return s.db.Run(ctx, `INSERT INTO members (account_id, user_id, role, created_at)
		VALUES ($1, $2, $3, $4)
		ON CONFLICT (account_id, user_id) DO UPDATE SET role = excluded.role`, accountID, userID, role, at)
}

// AccountsOf are the open accounts that a user owns, the one they joined first first.
func (s *Store) AccountsOf(ctx context.Context, userID string) ([]developer.Account, error) {
	return rows.All(db.Prompt(ctx), s.db, `SELECT `+accountTable.Of("a")+`
		FROM members m
		JOIN accounts a ON a.id = m.account_id
		WHERE m.user_id = $1 AND m.role = 'owner' AND a.closed_at IS NULL
		ORDER BY m.created_at, a.id`, []any{userID}, accountTable.Scan)
}

// SetPlan puts an account on a plan.
func (s *Store) SetPlan(ctx context.Context, accountID string, p developer.Plan) error {
	return s.db.Run(ctx, `UPDATE accounts
		SET plan = $2, sustained = $3, burst = $4, unit_ceiling = $5
		WHERE id = $1`, accountID, p.Tier, p.Sustained, p.Burst, p.Units)
}

// LockAccount lets other transactions that lock the account wait until this one
// ends. On SQLite there are no others.
func (s *Store) LockAccount(ctx context.Context, accountID string) error {
	return s.db.Run(ctx, "UPDATE accounts SET name = name WHERE id = $1", accountID)
}

// IsMember reports whether a user takes part in an account.
func (s *Store) IsMember(ctx context.Context, accountID, userID string) (bool, error) {
	query := "SELECT 1 FROM members WHERE account_id = $1 AND user_id = $2"
	return s.db.Has(db.Prompt(ctx), query, []any{accountID, userID})
}

// AccountByID finds an account.
func (s *Store) AccountByID(ctx context.Context, id string) (developer.Account, bool, error) {
	return accountTable.First(db.Prompt(ctx), s.db, "WHERE id = $1", id)
}

const holders = `SELECT a.id, a.name, a.plan, u.id, u.email, m.role
	FROM users u
	JOIN members m ON m.user_id = u.id
	JOIN accounts a ON a.id = m.account_id
	WHERE `

func (s *Store) holders(ctx context.Context, which string, args ...any) ([]developer.AccountMember, error) {
	return rows.All(ctx, s.db, holders+which, args, func(scan db.Scan, h *developer.AccountMember) error {
		return scan(&h.AccountID, &h.Account, &h.Plan, &h.UserID, &h.Email, &h.Role)
	})
}

// Holders are the people whose email address begins with a text, in the order of the
// addresses.
func (s *Store) Holders(ctx context.Context, f developer.MemberFilter) ([]developer.AccountMember, error) {
	least, end, which := f.Email, f.Email+"\U0010ffff", "u.email >= $1 AND u.email < $2"
	args := []any{least, end, int64(f.Limit)}
	if account, user := f.Position(); user != "" {
		var at string
		found, err := s.db.One(ctx, "SELECT email FROM users WHERE id = $1", []any{user}, &at)
		if err != nil || !found {
			return nil, err
		}
		// The position is a bound of the index too. The address may have changed to one outside the search.
		if f.Descending {
			which = "u.email >= $1 AND u.email <= $2 AND (u.email < $4 OR a.id < $5)"
			args = []any{least, min(end, at), int64(f.Limit), at, account}
		} else {
			which = "u.email >= $1 AND u.email < $2 AND (u.email > $4 OR a.id > $5)"
			args = []any{max(least, at), end, int64(f.Limit), at, account}
		}
	}
	order := " ORDER BY u.email, a.id LIMIT $3"
	if f.Descending {
		order = " ORDER BY u.email DESC, a.id DESC LIMIT $3"
	}
	return s.holders(ctx, which+order, args...)
}

// HoldersOf are the people of an account, the longest there first.
func (s *Store) HoldersOf(ctx context.Context, accountID string) ([]developer.AccountMember, error) {
	return s.holders(ctx, "m.account_id = $1 ORDER BY m.created_at, u.id", accountID)
}

// Notices are those that a member has chosen, nil before they did.
func (s *Store) Notices(ctx context.Context, accountID, userID string) (*string, error) {
	return rows.Only(ctx, s.db, "member", `SELECT notices
		FROM members
		WHERE account_id = $1 AND user_id = $2`, []any{accountID, userID}, rows.Value[*string])
}

// SetNotices keeps which notices a member wants.
func (s *Store) SetNotices(ctx context.Context, accountID, userID, chosen string) error {
	return s.db.Run(
		ctx,
		"UPDATE members SET notices = $3 WHERE account_id = $1 AND user_id = $2",
		accountID,
		userID,
		chosen,
	)
}

// LeaseRecordMail reports whether a member wants the day's lease records.
func (s *Store) LeaseRecordMail(ctx context.Context, accountID, userID string) (bool, error) {
	wanted, err := rows.Only(ctx, s.db, "member", `SELECT evidence_mail
		FROM members
		WHERE account_id = $1 AND user_id = $2`, []any{accountID, userID}, rows.Value[int])
	return wanted == 1, err
}

// SetLeaseRecordMail keeps whether a member wants the day's lease records.
func (s *Store) SetLeaseRecordMail(ctx context.Context, accountID, userID string, wanted bool) error {
	return s.db.Run(
		ctx,
		"UPDATE members SET evidence_mail = $3 WHERE account_id = $1 AND user_id = $2",
		accountID,
		userID,
		rows.Bit(wanted),
	)
}

// Memberships are the open accounts that a user takes part in, the oldest membership
// first.
func (s *Store) Memberships(ctx context.Context, userID string) ([]account.Membership, error) {
	return rows.All(db.Prompt(ctx), s.db, `SELECT `+membershipColumns+`
		FROM members m
		JOIN accounts a ON a.id = m.account_id
		JOIN portfolios l ON l.account_id = a.id AND l.mode = 'live'
		JOIN portfolios t ON t.account_id = a.id AND t.mode = 'test'
		WHERE m.user_id = $1 AND a.closed_at IS NULL
		ORDER BY m.created_at, a.id`, []any{userID}, func(scan db.Scan, into *account.Membership) error {
		var m membership
		err := scan(m.into()...)
		if err == nil {
			*into = *m.membership()
		}
		return err
	})
}

// Members are those of an account, the longest there first.
func (s *Store) Members(ctx context.Context, accountID string) ([]account.Member, error) {
	return rows.All(ctx, s.db, `SELECT u.id, u.email, m.role, m.created_at,
			CASE WHEN u.totp_secret IS NOT NULL OR EXISTS (SELECT 1 FROM passkeys k WHERE k.user_id = u.id)
				THEN 1 ELSE 0 END
		FROM members m
		JOIN users u ON u.id = m.user_id
		WHERE m.account_id = $1
		ORDER BY m.created_at, u.id`, []any{accountID}, func(scan db.Scan, m *account.Member) error {
		return scan(&m.UserID, &m.Email, &m.Role, &m.Since, (*rows.BitInto)(&m.Second))
	})
}

// RemoveMember ends the part of a user in an account.
func (s *Store) RemoveMember(ctx context.Context, accountID, userID string) error {
	return s.db.Run(ctx, "DELETE FROM members WHERE account_id = $1 AND user_id = $2", accountID, userID)
}

// RenameAccount gives an account a name and a time zone.
func (s *Store) RenameAccount(ctx context.Context, accountID, name, timeZone string) error {
	return s.db.Run(ctx, "UPDATE accounts SET name = $2, time_zone = $3 WHERE id = $1", accountID, name, timeZone)
}

var invitationTable = rows.NewTable(
	"member_invitations",
	rows.At("id", func(r *account.Invitation) *string { return &r.ID }),
	rows.At("account_id", func(r *account.Invitation) *string { return &r.AccountID }),
	rows.At("email", func(r *account.Invitation) *string { return &r.Email }),
	rows.At("role", func(r *account.Invitation) *access.Role { return &r.Role }),
	rows.At("invited_by", func(r *account.Invitation) *string { return &r.InvitedBy }),
	rows.At("created_at", func(r *account.Invitation) *clock.Time { return &r.CreatedAt }),
	rows.At("expires_at", func(r *account.Invitation) *clock.Time { return &r.ExpiresAt }),
)

// invitedQuery finds invitations of people who are owners still.
var invitedQuery = `SELECT ` + invitationTable.Of("i") + `, a.name, u.email
	FROM member_invitations i
	JOIN accounts a ON a.id = i.account_id
	JOIN users u ON u.id = i.invited_by
	JOIN members o ON o.account_id = i.account_id AND o.user_id = i.invited_by AND o.role = 'owner'
	WHERE a.closed_at IS NULL AND `

func invitedInto(i *account.Invitation) []any {
	return append(invitationTable.Targets(i), &i.Account, &i.Inviter)
}

// PutInvitation takes the place of an earlier invitation of the address to the account.
func (s *Store) PutInvitation(ctx context.Context, i *account.Invitation, tokenHash []byte) error {
	replace := "ON CONFLICT (account_id, email) DO UPDATE SET token_hash = excluded.token_hash, " +
		invitationTable.Excluded("account_id", "email")
	_, err := invitationTable.AddOr(ctx, s.db, replace, i, "token_hash", tokenHash)
	return err
}

// TeamInvitations are those of an account that are open, the oldest first.
func (s *Store) TeamInvitations(ctx context.Context, accountID string, now clock.Time) ([]account.Invitation, error) {
	return rows.All(ctx, s.db, invitedQuery+"i.account_id = $1 AND i.expires_at > $2 ORDER BY i.id", []any{
		accountID, int64(now),
	}, func(scan db.Scan, i *account.Invitation) error { return scan(invitedInto(i)...) })
}

// TeamInvitation finds an open invitation by its token.
func (s *Store) TeamInvitation(
	ctx context.Context, tokenHash []byte, now clock.Time,
) (i account.Invitation, found bool, err error) {
	found, err = s.db.One(ctx, invitedQuery+"i.token_hash = $1 AND i.expires_at > $2", []any{
		tokenHash, int64(now),
	}, invitedInto(&i)...)
	return i, found, err
}

// TakeInvitation deletes an invitation of an account and reports whether it was there.
func (s *Store) TakeInvitation(ctx context.Context, accountID, id string) (bool, error) {
	return s.db.Changes(ctx, "DELETE FROM member_invitations WHERE account_id = $1 AND id = $2", accountID, id)
}

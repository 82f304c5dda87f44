package accountstore

import (
	"context"
	"fmt"

	"portal/api/access"
	"portal/api/clock"
	"portal/api/developer"
	"portal/db"
	"portal/db/rows"
)

// userTable has the columns of users, and where in one their values are.
var userTable = rows.NewTable(
	"users",
	rows.At("id", func(r *developer.User) *string { return &r.ID }),
	rows.At("email", func(r *developer.User) *string { return &r.Email }),
	rows.At("password_hash", func(r *developer.User) *string { return &r.PasswordHash }),
	rows.At("role", func(r *developer.User) *developer.UserRole { return &r.Role }),
	rows.At("created_at", func(r *developer.User) *clock.Time { return &r.CreatedAt }),
)

// accountTable has the columns of accounts, and where in one their values are.
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
	n, err := userTable.Add(ctx, s.db, &u, "ON CONFLICT (email) DO NOTHING")
	return n == 1, err
}

// User finds a user by email address in lower case.
func (s *Store) User(ctx context.Context, email string) (u developer.User, found bool, err error) {
	found, err = s.db.One(
		ctx,
		"SELECT "+userTable.Columns+" FROM users WHERE email = $1",
		[]any{email},
		userTable.Targets(&u)...,
	)
	return u, found, err
}

// AddAccount adds an account.
func (s *Store) AddAccount(ctx context.Context, a developer.Account) error {
	_, err := accountTable.Add(ctx, s.db, &a, "")
	return err
}

// AddPortfolio adds the portfolio of a mode to an account.
func (s *Store) AddPortfolio(ctx context.Context, accountID string, mode access.Mode) (access.Portfolio, error) {
	_, err := s.db.Exec(ctx, "INSERT INTO portfolios (account_id, mode) VALUES ($1, $2)", accountID, mode)
	if err != nil {
		return access.Portfolio{}, err
	}
	return s.PortfolioOf(ctx, accountID, mode)
}

// PortfolioOf finds the portfolio of a mode of an account; each account has both.
func (s *Store) PortfolioOf(ctx context.Context, accountID string, mode access.Mode) (access.Portfolio, error) {
	p := access.Portfolio{Mode: mode}
	found, err := s.db.One(ctx, "SELECT id FROM portfolios WHERE account_id = $1 AND mode = $2", []any{
		accountID, string(mode),
	}, &p.ID)
	if err == nil && !found {
		err = fmt.Errorf("account %s has no %s portfolio", accountID, mode)
	}
	return p, err
}

// PortfoliosOf are the portfolios of an account, in the order in which they were added.
func (s *Store) PortfoliosOf(ctx context.Context, accountID string) (all []access.Portfolio, err error) {
	err = s.db.Each(ctx, "SELECT id, mode FROM portfolios WHERE account_id = $1 ORDER BY id", []any{
		accountID,
	}, func(scan db.Scan) error {
		all = append(all, access.Portfolio{})
		p := &all[len(all)-1]
		return scan(&p.ID, &p.Mode)
	})
	return all, err
}

// SetMember adds a member to an account or changes the role of one.
func (s *Store) SetMember(ctx context.Context, accountID, userID string, role access.Role, at clock.Time) error {
	_, err := s.db.Exec(ctx, `INSERT INTO members (account_id, user_id, role, created_at)
		VALUES ($1, $2, $3, $4)
		ON CONFLICT (account_id, user_id) DO UPDATE SET role = excluded.role`, accountID, userID, role, at)
	return err
}

// AccountsOf are the open accounts that a user owns, the one they joined first first.
func (s *Store) AccountsOf(ctx context.Context, userID string) (all []developer.Account, err error) {
	err = s.db.Each(ctx, `SELECT `+accountTable.Of("a")+`
		FROM members m
		JOIN accounts a ON a.id = m.account_id
		WHERE m.user_id = $1 AND m.role = 'owner' AND a.closed_at IS NULL
		ORDER BY m.created_at, a.id`, []any{userID}, func(scan db.Scan) error {
		all = append(all, developer.Account{})
		return accountTable.Scan(scan, &all[len(all)-1])
	})
	return all, err
}

// SetPlan puts an account on a plan.
func (s *Store) SetPlan(ctx context.Context, accountID string, p developer.Plan) error {
	_, err := s.db.Exec(ctx, `UPDATE accounts
		SET plan = $2, sustained = $3, burst = $4, unit_ceiling = $5
		WHERE id = $1`, accountID, p.Tier, p.Sustained, p.Burst, p.Units)
	return err
}

// LockAccount lets other transactions that lock the account wait until this one
// ends. On SQLite there are no others.
func (s *Store) LockAccount(ctx context.Context, accountID string) error {
	_, err := s.db.Exec(ctx, "UPDATE accounts SET name = name WHERE id = $1", accountID)
	return err
}

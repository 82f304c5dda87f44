package accountstore

import (
	"context"
	"fmt"

	"portal/api/access"
	"portal/api/clock"
	"portal/api/developer"
	"portal/db"
)

// AddUser adds a user; false says that the email address is taken.
func (s Accounts) AddUser(ctx context.Context, u developer.User) (bool, error) {
	n, err := s.db.Exec(ctx, `INSERT INTO users (id, email, password_hash, role, created_at)
		VALUES ($1, $2, $3, $4, $5)
		ON CONFLICT (email) DO NOTHING`, u.ID, u.Email, u.PasswordHash, u.Role, u.CreatedAt)
	return n == 1, err
}

// User finds a user by email address in lower case.
func (s Accounts) User(ctx context.Context, email string) (u developer.User, found bool, err error) {
	found, err = s.db.One(ctx, `SELECT id, email, password_hash, role, created_at
		FROM users
		WHERE email = $1`, []any{email}, &u.ID, &u.Email, &u.PasswordHash, &u.Role, &u.CreatedAt)
	return u, found, err
}

// AddAccount adds an account.
func (s Accounts) AddAccount(ctx context.Context, a developer.Account) error {
	_, err := s.db.Exec(
		ctx,
		`INSERT INTO accounts (id, name, time_zone, plan, sustained, burst, unit_ceiling, created_at)
		VALUES ($1, $2, $3, $4, $5, $6, $7, $8)`,
		a.ID,
		a.Name,
		a.TimeZone,
		a.Plan.Tier,
		a.Plan.Sustained,
		a.Plan.Burst,
		a.Plan.Units,
		a.CreatedAt,
	)
	return err
}

// AddPortfolio adds the portfolio of a mode to an account.
func (s Accounts) AddPortfolio(ctx context.Context, accountID string, mode access.Mode) (access.Portfolio, error) {
	_, err := s.db.Exec(ctx, "INSERT INTO portfolios (account_id, mode) VALUES ($1, $2)", accountID, mode)
	if err != nil {
		return access.Portfolio{}, err
	}
	return s.PortfolioOf(ctx, accountID, mode)
}

// PortfolioOf finds the portfolio of a mode of an account; each account has both.
func (s Accounts) PortfolioOf(ctx context.Context, accountID string, mode access.Mode) (access.Portfolio, error) {
	p := access.Portfolio{Mode: mode}
	found, err := s.db.One(ctx, "SELECT id FROM portfolios WHERE account_id = $1 AND mode = $2", []any{
		accountID,
		string(mode),
	}, &p.ID)
	if err == nil && !found {
		err = fmt.Errorf("account %s has no %s portfolio", accountID, mode)
	}
	return p, err
}

// PortfoliosOf are the portfolios of an account, in the order in which they were added.
func (s Accounts) PortfoliosOf(ctx context.Context, accountID string) (all []access.Portfolio, err error) {
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
func (s Accounts) SetMember(ctx context.Context, accountID, userID string, role access.Role, at clock.Time) error {
	_, err := s.db.Exec(ctx, `INSERT INTO members (account_id, user_id, role, created_at)
		VALUES ($1, $2, $3, $4)
		ON CONFLICT (account_id, user_id) DO UPDATE SET role = excluded.role`, accountID, userID, role, at)
	return err
}

// AccountsOf are the open accounts that a user owns, the one they joined first first.
func (s Accounts) AccountsOf(ctx context.Context, userID string) (all []developer.Account, err error) {
	err = s.db.Each(ctx, `SELECT a.id, a.name, a.time_zone, a.plan, a.sustained, a.burst, a.unit_ceiling, a.created_at
		FROM members m
		JOIN accounts a ON a.id = m.account_id
		WHERE m.user_id = $1 AND m.role = 'owner' AND a.closed_at IS NULL
		ORDER BY m.created_at, a.id`, []any{userID}, func(scan db.Scan) error {
		all = append(all, developer.Account{})
		a := &all[len(all)-1]
		return scan(
			&a.ID,
			&a.Name,
			&a.TimeZone,
			&a.Plan.Tier,
			&a.Plan.Sustained,
			&a.Plan.Burst,
			&a.Plan.Units,
			&a.CreatedAt,
		)
	})
	return all, err
}

// SetPlan puts an account on a plan.
func (s Accounts) SetPlan(ctx context.Context, accountID string, p developer.Plan) error {
	_, err := s.db.Exec(ctx, `UPDATE accounts
		SET plan = $2, sustained = $3, burst = $4, unit_ceiling = $5
		WHERE id = $1`, accountID, p.Tier, p.Sustained, p.Burst, p.Units)
	return err
}

// LockAccount lets other transactions that lock the account wait until this one
// ends. On SQLite there are no others.
func (s Accounts) LockAccount(ctx context.Context, accountID string) error {
	_, err := s.db.Exec(ctx, "UPDATE accounts SET name = name WHERE id = $1", accountID)
	return err
}

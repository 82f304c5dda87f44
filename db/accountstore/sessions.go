package accountstore

import (
	"context"
	"time"

	"portal/api/access"
	"portal/api/account"
	"portal/api/clock"
	"portal/api/developer"
	"portal/db"
	"portal/db/rows"
)

// Throttle extends the deadline of a subject by a span, counted from now if the deadline has
// passed, and returns the new one.
func (s *Store) Throttle(ctx context.Context, subject string, now, span clock.Time) (until clock.Time, err error) {
	err = s.db.Atomically(ctx, func(ctx context.Context) error {
		_, err := s.db.One(ctx, `INSERT INTO throttles (subject, until)
			VALUES ($1, CAST($2 AS BIGINT) + CAST($3 AS BIGINT))
			ON CONFLICT (subject) DO UPDATE SET until = CAST($3 AS BIGINT)
				+ CASE WHEN throttles.until > CAST($2 AS BIGINT) THEN throttles.until ELSE CAST($2 AS BIGINT) END
			RETURNING until`, []any{subject, int64(now), int64(span)}, &until)
		return err
	})
	return until, err
}

// PageSessions keeps the sessions of the pages' session manager, an scs.CtxStore whose tokens
// come hashed. Of whom a session is, and how long it lasts, is written by the other
// methods: the manager neither moves it to another person nor prolongs it, and one that
// has ended it does not bring back, however late a page is done.
type PageSessions struct {
	db  *db.DB
	now clock.Clock
}

// NewPageSessions is the store of the session manager.
func NewPageSessions(d *db.DB, now clock.Clock) *PageSessions { return &PageSessions{d, now} }

// visitTime is how long a session lasts in which nobody signs in.
const visitTime = 24 * time.Hour

// alive is a session that may be used at the moment $2.
const alive = "s.ended IS NULL AND s.expires_at > $2 AND (s.last_seen_at IS NULL OR s.last_seen_at + s.idle_time > $2)"

// FindCtx reads what the manager keeps of a session.
func (s *PageSessions) FindCtx(ctx context.Context, tokenHash string) ([]byte, bool, error) {
	return rows.First(db.Prompt(ctx), s.db, `SELECT s.data
		FROM sessions s
		WHERE s.token_hash = $1 AND s.data IS NOT NULL AND `+alive,
		[]any{tokenHash, int64(clock.At(s.now()))}, rows.Value[[]byte])
}

// CommitCtx writes what the manager keeps of a session.
func (s *PageSessions) CommitCtx(ctx context.Context, tokenHash string, data []byte, expiry time.Time) error {
	now := s.now()
	if last := now.Add(visitTime); expiry.After(last) {
		expiry = last
	}
	return s.db.Run(ctx, `INSERT INTO sessions (token_hash, data, created_at, expires_at)
		VALUES ($1, $2, $3, $4)
		ON CONFLICT (token_hash) DO UPDATE SET data = excluded.data WHERE sessions.ended IS NULL`,
		tokenHash, data, clock.At(now), clock.At(expiry))
}

// DeleteCtx ends a session.
func (s *PageSessions) DeleteCtx(ctx context.Context, tokenHash string) error {
	return s.db.Run(
		ctx,
		"UPDATE sessions SET ended = 'deleted', data = NULL WHERE token_hash = $1 AND ended IS NULL",
		tokenHash,
	)
}

// Find is FindCtx for a manager without a context.
func (s *PageSessions) Find(tokenHash string) ([]byte, bool, error) {
	return s.FindCtx(context.Background(), tokenHash)
}

// Commit is CommitCtx for a manager without a context.
func (s *PageSessions) Commit(tokenHash string, data []byte, expiry time.Time) error {
	return s.CommitCtx(context.Background(), tokenHash, data, expiry)
}

// Delete is DeleteCtx for a manager without a context.
func (s *PageSessions) Delete(tokenHash string) error {
	return s.DeleteCtx(context.Background(), tokenHash)
}

// sessionColumns are what is known of a session besides its token.
const sessionColumns = `created_at, expires_at, id, user_id, account_id, pending, authenticated_at, last_seen_at,
	idle_time,
	address, user_agent`

// AddSession begins the session of a person; false says that the token is in use.
func (s *Store) AddSession(ctx context.Context, n *account.NewSession) (bool, error) {
	var current *string
	if n.AccountID != "" {
		current = &n.AccountID
	}
	return s.db.Changes(
		ctx,
		`INSERT INTO sessions (token_hash, `+sessionColumns+`)
		VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12)
		ON CONFLICT (token_hash) DO NOTHING`,
		n.TokenHash,
		n.CreatedAt,
		n.ExpiresAt,
		n.ID,
		n.UserID,
		current,
		n.Pending,
		n.AuthenticatedAt,
		n.CreatedAt,
		int64(n.IdleTime),
		n.Address,
		n.UserAgent,
	)
}

// ContinueSession puts what is known of a session beside another token. It takes one that
// the manager has just deleted, as it does with the token that it renews.
func (s *Store) ContinueSession(ctx context.Context, sessionID, tokenHash string) (there bool, err error) {
	err = s.db.Atomically(ctx, func(ctx context.Context) error {
		n, err := s.db.Exec(ctx, `UPDATE sessions
			SET ended = 'revoked', data = NULL
			WHERE id = $1 AND (ended IS NULL OR ended = 'deleted')`, sessionID)
		if there = n == 1; err != nil || !there {
			return err
		}
		n, err = s.db.Exec(
			ctx,
			`INSERT INTO sessions (token_hash, `+sessionColumns+`)
			SELECT CAST($2 AS TEXT), `+sessionColumns+`
			FROM sessions
			WHERE id = $1
			ON CONFLICT (token_hash) DO NOTHING`,
			sessionID,
			tokenHash,
		)
		if there = n == 1; err != nil || !there {
			return err
		}
		return s.db.Run(
			ctx, "UPDATE sessions SET id = NULL WHERE id = $1 AND token_hash <> $2", sessionID, tokenHash,
		)
	})
	return there, err
}

// Visitor finds whose session it is, and their current account: that of the session, or
// the one they have been in for longest.
func (s *Store) Visitor(ctx context.Context, tokenHash string, now clock.Time) (account.Visitor, bool, error) {
	return s.visitor(ctx, alive, tokenHash, now)
}

// FormerVisitor is the visitor of a session that is over and had both factors. Its row is there
// until it would have expired.
func (s *Store) FormerVisitor(ctx context.Context, tokenHash string, now clock.Time) (account.Visitor, bool, error) {
	return s.visitor(ctx, "NOT s.pending AND NOT ("+alive+")", tokenHash, now)
}

func (s *Store) visitor(
	ctx context.Context, which, tokenHash string, now clock.Time,
) (v account.Visitor, found bool, err error) {
	var m membership
	found, err = s.db.One(
		db.Prompt(ctx),
		`SELECT COALESCE(s.id, ''), s.user_id, u.email, u.role, s.pending, s.authenticated_at, s.created_at,
			s.last_seen_at, s.expires_at,
			`+membershipColumns+`
		FROM sessions s
		JOIN users u ON u.id = s.user_id
		LEFT JOIN members m ON m.user_id = u.id AND NOT s.pending AND m.account_id = (
			SELECT n.account_id
			FROM members n
			JOIN accounts b ON b.id = n.account_id
			WHERE n.user_id = u.id AND b.closed_at IS NULL
			ORDER BY CASE WHEN n.account_id = s.account_id THEN 0 ELSE 1 END, n.created_at, n.account_id
			LIMIT 1)
		LEFT JOIN accounts a ON a.id = m.account_id
		LEFT JOIN portfolios l ON l.account_id = a.id AND l.mode = 'live'
		LEFT JOIN portfolios t ON t.account_id = a.id AND t.mode = 'test'
		WHERE s.token_hash = $1 AND `+which,
		[]any{tokenHash, int64(now)},
		append([]any{
			&v.SessionID, &v.UserID, &v.Email, &v.Role, &v.Pending, &v.AuthenticatedAt,
			&v.CreatedAt, &v.LastSeenAt, &v.ExpiresAt,
		}, m.into()...)...)
	v.Account = m.membership()
	return v, found, err
}

const membershipColumns = "a.id, a.name, a.time_zone, a.plan, a.sustained, a.burst, a.unit_ceiling, m.role, " +
	"m.created_at, l.id, t.id, t.ahead_days"

// membership is a row of which all columns may be NULL.
type membership struct {
	id, name, zone *string
	tier           *developer.Tier
	plan           developer.Plan
	role           *access.Role
	since          *clock.Time
	live, test     *int64
	ahead          *int // of the demo portfolio
}

func (m *membership) into() []any {
	return []any{
		&m.id, &m.name, &m.zone, &m.tier, &m.plan.Sustained, &m.plan.Burst, &m.plan.Units, &m.role,
		&m.since, &m.live, &m.test, &m.ahead,
	}
}

func (m *membership) membership() *account.Membership {
	if m.id == nil || m.live == nil || m.test == nil {
		return nil
	}
	m.plan.Tier = *m.tier
	return &account.Membership{
		AccountID: *m.id,
		Name:      *m.name,
		TimeZone:  *m.zone,
		Plan:      m.plan,
		Role:      *m.role,
		Since:     *m.since,
		Live:      access.Portfolio{ID: *m.live, Mode: access.Live},
		Test:      access.Portfolio{ID: *m.test, Mode: access.Test, Ahead: *m.ahead},
	}
}

// Seen notes when and from where a session was seen.
func (s *Store) Seen(ctx context.Context, sessionID string, now clock.Time, address, agent string) error {
	return s.db.Run(ctx, `UPDATE sessions
		SET last_seen_at = $2, address = $3, user_agent = $4
		WHERE id = $1 AND ended IS NULL AND last_seen_at < $2`, sessionID, int64(now), address, agent)
}

// SessionsOf are the sessions of a user that have not ended and wait for nothing, the
// newest first.
func (s *Store) SessionsOf(ctx context.Context, userID string, now clock.Time) ([]account.Session, error) {
	return rows.All(db.Prompt(ctx), s.db, `SELECT s.id, s.created_at, s.last_seen_at, s.address, s.user_agent
		FROM sessions s
		WHERE s.user_id = $1 AND NOT s.pending AND `+alive+`
		ORDER BY s.id DESC`, []any{userID, int64(now)}, func(scan db.Scan, s *account.Session) error {
		return scan(&s.ID, &s.CreatedAt, &s.LastSeenAt, &s.Address, &s.UserAgent)
	})
}

// RevokeSession ends a session of a user for good, and reports whether there was one that
// was not revoked before.
func (s *Store) RevokeSession(ctx context.Context, userID, sessionID string, now clock.Time) (bool, error) {
	return s.db.Changes(ctx, `UPDATE sessions
		SET ended = 'revoked', data = NULL
		WHERE user_id = $1 AND id = $3 AND expires_at > $2 AND (ended IS NULL OR
			ended = 'deleted')`, userID, int64(now), sessionID)
}

// RevokeSessions ends all sessions of a user for good but one, "" for none.
func (s *Store) RevokeSessions(ctx context.Context, userID, except string) error {
	return s.db.Run(ctx, `UPDATE sessions
		SET ended = 'revoked', data = NULL
		WHERE user_id = $1 AND id <> $2 AND (ended IS NULL OR ended = 'deleted')`, userID, except)
}

// SwitchAccount makes an account the current one of a session.
func (s *Store) SwitchAccount(ctx context.Context, sessionID, accountID string) error {
	return s.db.Run(ctx, "UPDATE sessions SET account_id = $2 WHERE id = $1", sessionID, accountID)
}

var signUpTable = rows.NewTable(
	"sign_ups",
	rows.At("email", func(r *account.SigningUp) *string { return &r.Email }),
	rows.At("token_hash", func(r *account.SigningUp) *[]byte { return &r.TokenHash }),
	rows.At("claim_hash", func(r *account.SigningUp) *[]byte { return &r.ClaimHash }),
	rows.At("account_name", func(r *account.SigningUp) *string { return &r.AccountName }),
	rows.At("password_hash", func(r *account.SigningUp) *string { return &r.PasswordHash }),
	rows.At("created_at", func(r *account.SigningUp) *clock.Time { return &r.CreatedAt }),
	rows.At("expires_at", func(r *account.SigningUp) *clock.Time { return &r.ExpiresAt }),
)

// PutSignUp takes the place of an earlier sign-up with the same address.
func (s *Store) PutSignUp(ctx context.Context, u *account.SigningUp) error {
	_, err := signUpTable.AddOr(ctx, s.db, "ON CONFLICT (email) DO UPDATE SET "+signUpTable.Excluded("email"), u)
	return err
}

// SignUp finds a sign-up that has not expired by its token.
func (s *Store) SignUp(
	ctx context.Context, tokenHash []byte, now clock.Time,
) (account.SigningUp, bool, error) {
	return signUpTable.First(db.Prompt(ctx), s.db, "WHERE token_hash = $1 AND expires_at > $2", tokenHash, int64(now))
}

// TakeSignUp is SignUp and deletes it, within the transaction of the context.
func (s *Store) TakeSignUp(
	ctx context.Context, tokenHash []byte, now clock.Time,
) (account.SigningUp, bool, error) {
	return signUpTable.Take(ctx, s.db, "WHERE token_hash = $1 AND expires_at > $2", tokenHash, int64(now))
}

var linkTable = rows.NewTable(
	"user_links",
	rows.At("token_hash", func(r *account.Link) *[]byte { return &r.TokenHash }),
	rows.At("user_id", func(r *account.Link) *string { return &r.UserID }),
	rows.At("purpose", func(r *account.Link) *account.Purpose { return &r.Purpose }),
	rows.At("email", func(r *account.Link) *string { return &r.Email }),
	rows.At("created_at", func(r *account.Link) *clock.Time { return &r.CreatedAt }),
	rows.At("expires_at", func(r *account.Link) *clock.Time { return &r.ExpiresAt }),
)

// AddLink adds a link to a user.
func (s *Store) AddLink(ctx context.Context, l *account.Link) error {
	return linkTable.Add(ctx, s.db, l)
}

const openLink = "WHERE token_hash = $1 AND purpose = $2 AND expires_at > $3"

// Link finds a link that has not expired by its token.
func (s *Store) Link(
	ctx context.Context, tokenHash []byte, p account.Purpose, now clock.Time,
) (account.Link, bool, error) {
	return linkTable.First(db.Prompt(ctx), s.db, openLink, tokenHash, string(p), int64(now))
}

// TakeLink is Link and deletes it, within the transaction of the context.
func (s *Store) TakeLink(
	ctx context.Context, tokenHash []byte, p account.Purpose, now clock.Time,
) (account.Link, bool, error) {
	return linkTable.Take(ctx, s.db, openLink, tokenHash, string(p), int64(now))
}

// EndLinks deletes the links of a user for a purpose.
func (s *Store) EndLinks(ctx context.Context, userID string, p account.Purpose) error {
	return s.db.Run(ctx, "DELETE FROM user_links WHERE user_id = $1 AND purpose = $2", userID, string(p))
}

var ceremonyTable = rows.NewTable(
	"ceremonies",
	rows.At("id_hash", func(r *account.Ceremony) *[]byte { return &r.IDHash }),
	rows.At("user_id", func(r *account.Ceremony) **string { return &r.UserID }),
	rows.At("purpose", func(r *account.Ceremony) *string { return &r.Purpose }),
	rows.At("data", func(r *account.Ceremony) *[]byte { return &r.Data }),
	rows.At("expires_at", func(r *account.Ceremony) *clock.Time { return &r.ExpiresAt }),
)

// AddCeremony adds a ceremony.
func (s *Store) AddCeremony(ctx context.Context, c *account.Ceremony) error {
	return ceremonyTable.Add(ctx, s.db, c)
}

// TakeCeremony finds a ceremony that has not expired and deletes it, within the
// transaction of the context.
func (s *Store) TakeCeremony(
	ctx context.Context, idHash []byte, now clock.Time,
) (account.Ceremony, bool, error) {
	return ceremonyTable.Take(ctx, s.db, "WHERE id_hash = $1 AND expires_at > $2", idHash, int64(now))
}

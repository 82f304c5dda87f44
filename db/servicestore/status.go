package servicestore

import (
	"context"
	"time"

	"portal/api/access"
	"portal/api/agreement/sealing"
	"portal/api/clock"
	"portal/api/mail"
	"portal/api/quota"
	"portal/api/status"
	"portal/api/webhook"
	"portal/db"
	"portal/db/mailstore"
	"portal/db/rows"
)

// Status reads how much work waits, for all accounts together. Each query ends after a bounded
// number of rows.
type Status struct{ db *db.DB }

// NewStatus is the store over a database.
func NewStatus(d *db.DB) Status { return Status{d} }

// Outbox is what is known of email.
func (s Status) Outbox(ctx context.Context) (o status.Outbox, err error) {
	o.Queued, err = rows.AtMost(ctx, s.db, status.MostCounted, "mails WHERE "+rows.Is("status", mail.Queued))
	if err != nil {
		return o, err
	}
	if o.Oldest, err = s.moment(ctx, `SELECT created_at
		FROM mails
		WHERE `+rows.Is("status", mail.Queued)+`
		ORDER BY id
		LIMIT 1`); err != nil {
		return o, err
	}
	if o.LastSent, err = s.moment(ctx, `SELECT COALESCE(sent_at, created_at)
		FROM mails
		WHERE `+rows.Is("status", mail.Sent)+`
		ORDER BY id DESC
		LIMIT 1`); err != nil {
		return o, err
	}
	var at clock.Time
	found, err := s.db.One(ctx, `SELECT created_at, COALESCE(last_error, '')
		FROM mails
		WHERE `+rows.Is("status", mail.Failed)+`
		ORDER BY id DESC
		LIMIT 1`, nil, &at, &o.LastError)
	if found {
		o.LastFailed = &at
	}
	return o, err
}

// Deliveries is what is known of webhook deliveries.
func (s Status) Deliveries(ctx context.Context, now clock.Time) (d status.Deliveries, err error) {
	d.Waiting, err = rows.AtMost(ctx, s.db, status.MostCounted, "deliveries WHERE "+rows.Is("status", webhook.Pending))
	if err != nil {
		return d, err
	}
	if d.Oldest, err = s.oldestDue(ctx, now); err != nil {
		return d, err
	}
	_, err = s.db.One(ctx, `SELECT COUNT(*), COUNT(error)
		FROM (SELECT error
			FROM delivery_attempts
			WHERE request_headers IS NOT NULL AND at > $1
			ORDER BY at DESC
			LIMIT $2) AS latest`,
		[]any{int64(clock.At(now.Std().Add(-time.Hour))), status.MostCounted}, &d.Attempts, &d.Failed)
	return d, err
}

// oldestDue is since when the longest due delivery waits: one of those whose attempt may start, or one
// whose job has not marked it so.
func (s Status) oldestDue(ctx context.Context, now clock.Time) (*clock.Time, error) {
	ready, err := s.moment(ctx, `SELECT next_attempt_at
		FROM (SELECT next_attempt_at FROM deliveries WHERE ready LIMIT $1) AS due
		WHERE next_attempt_at IS NOT NULL
		ORDER BY next_attempt_at
		LIMIT 1`, status.MostCounted)
	if err != nil {
		return nil, err
	}
	late, err := s.moment(ctx, `SELECT next_attempt_at
		FROM deliveries
		WHERE `+rows.Is("status", webhook.Pending)+` AND NOT ready AND claimed_by IS NULL AND next_attempt_at <= $1
		ORDER BY next_attempt_at
		LIMIT 1`, int64(now))
	if ready == nil || late != nil && *late < *ready {
		ready = late
	}
	return ready, err
}

// moment is the only column of the only row of a query, nil where there is no row.
func (s Status) moment(ctx context.Context, query string, args ...any) (*clock.Time, error) {
	var at clock.Time
	found, err := s.db.One(ctx, query, args, &at)
	if err != nil || !found {
		return nil, err
	}
	return &at, nil
}

// Demos counts what demo portfolios hold.
type Demos struct{ db *db.DB }

// NewDemos is the store over a database.
func NewDemos(d *db.DB) Demos { return Demos{d} }

// mostGrowth is how many rows of growth are summed at most times: behind it they are moved together.
const mostGrowth = 200

// DemoUsage is what a demo portfolio holds beyond what it was made with, nothing where it is being made.
// Whoever asks holds the portfolio, so that nobody else moves its growth.
func (s Demos) DemoUsage(ctx context.Context, in access.Portfolio) (u quota.Usage, err error) {
	var rows int
	_, err = s.db.One(ctx, `SELECT u.records + COALESCE(g.records, 0), u.bytes + COALESCE(g.bytes, 0), g.number
		FROM demo_usage u,
			(SELECT CAST(sum(records) AS BIGINT) AS records, CAST(sum(bytes) AS BIGINT) AS bytes, count(*) AS number
			FROM demo_growth WHERE portfolio_id = $1) g
		WHERE u.portfolio_id = $1`, []any{in.ID}, &u.Records, &u.Bytes, &rows)
	if err != nil || rows < mostGrowth {
		return u, err
	}
	return u, s.fold(ctx, in)
}

// fold moves the growth of a portfolio to its usage. Growth that others add meanwhile stays.
func (s Demos) fold(ctx context.Context, in access.Portfolio) error {
	var moved quota.Usage
	err := s.db.Each(ctx, "DELETE FROM demo_growth WHERE portfolio_id = $1 RETURNING records, bytes", []any{in.ID},
		func(scan db.Scan) error {
			var g quota.Usage
			err := scan(&g.Records, &g.Bytes)
			moved.Records, moved.Bytes = moved.Records+g.Records, moved.Bytes+g.Bytes
			return err
		})
	if err != nil {
		return err
	}
	return s.db.Run(ctx, "UPDATE demo_usage SET records = records + $2, bytes = bytes + $3 WHERE portfolio_id = $1",
		in.ID, moved.Records, moved.Bytes)
}

// FoldGrowth moves the growth of demo portfolios that nobody writes to, so that it stays short. It does
// all of them at once, whatever most says, and tells 0.
func (s Demos) FoldGrowth(ctx context.Context, _ clock.Time, _ int) (int64, error) {
	var long []access.Portfolio
	err := s.db.Each(ctx, "SELECT portfolio_id FROM demo_growth GROUP BY portfolio_id HAVING count(*) >= $1",
		[]any{mostGrowth}, func(scan db.Scan) error {
			in := access.Portfolio{Mode: access.Test}
			err := scan(&in.ID)
			long = append(long, in)
			return err
		})
	for i := 0; i < len(long) && err == nil; i++ {
		err = s.db.Exclusively(ctx, long[i], func(ctx context.Context) error { return s.fold(ctx, long[i]) })
	}
	return 0, err
}

// SealKeys keeps the keys that executed leases are sealed with, where the service made them.
type SealKeys struct{ db *db.DB }

// NewSealKeys is the store over a database.
func NewSealKeys(d *db.DB) SealKeys { return SealKeys{d} }

// People knows the staff.
type People struct{ db *db.DB }

// ForSealNotices is what the notices of a certificate's end need of a database.
func ForSealNotices(d *db.DB) sealing.NoticeStore {
	return struct {
		People
		mailstore.Store
	}{People{d}, mailstore.New(d)}
}

// LatestKey reads the key with the highest id, or fault.NotFound.
func (s SealKeys) LatestKey(ctx context.Context) (k sealing.StoredKey, err error) {
	err = rows.Find(ctx, s.db, "key of the seal", `SELECT id, created_at, certificate, private_key
		FROM seal_keys
		ORDER BY id DESC
		LIMIT 1`, nil, &k.ID, &k.CreatedAt, &k.Certificate, &k.PrivateKey)
	return k, err
}

// AddKey adds a key, unless another one has its id. It waits for a transaction that adds that one.
func (s SealKeys) AddKey(ctx context.Context, k *sealing.StoredKey) error {
	return s.db.Run(ctx, `INSERT INTO seal_keys (id, created_at, certificate, private_key)
		VALUES ($1, $2, $3, $4)
		ON CONFLICT (id) DO NOTHING`, k.ID, int64(k.CreatedAt), k.Certificate, k.PrivateKey)
}

// Staff are all people of the staff, in the order of their ids.
func (s People) Staff(ctx context.Context) ([]sealing.Person, error) {
	return rows.All(ctx, s.db, `SELECT id, email
		FROM users
		WHERE role = 'staff'
		ORDER BY id`, nil, func(scan db.Scan, p *sealing.Person) error {
		return scan(&p.ID, &p.Email)
	})
}

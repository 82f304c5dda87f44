package developer_test

import (
	"context"
	"slices"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"portal/api/access"
	"portal/api/developer"
	"portal/api/fault"
	"portal/api/secret"
	"portal/db"
	"portal/db/dbtest"
	"portal/db/developerstore"
)

// noon is where a test's clock stands until the test moves it.
var noon = time.Date(2026, 11, 2, 17, 0, 0, 482_000_000, time.UTC)

const useCase = "Keep our bookkeeping in step with the rent ledger."

// fixture is the service over a real database and a clock that the test holds.
type fixture struct {
	*developer.Service
	t      *testing.T
	db     *db.DB
	ms     atomic.Int64
	mu     sync.Mutex
	filled []string // the portfolios that were filled
	fails  error    // what filling answers
}

func (r *fixture) now() time.Time { return time.UnixMilli(r.ms.Load()).UTC() }

func (r *fixture) add(d time.Duration) { r.ms.Add(d.Milliseconds()) }

// alone runs a promise of the service over SQLite: what PostgreSQL does alike is
// held by the suite of the stores.
func alone(t *testing.T, promise func(t *testing.T, r *fixture)) {
	t.Parallel()
	promise(t, over(t, dbtest.SQLite(t)))
}

// both runs a promise over each database: one about what happens at once, or about
// texts that only one of them takes.
func both(t *testing.T, promise func(t *testing.T, r *fixture)) {
	dbtest.Both(t, func(t *testing.T, d *db.DB) { promise(t, over(t, d)) })
}

func over(t *testing.T, d *db.DB) *fixture {
	r := &fixture{t: t, db: d}
	r.ms.Store(noon.UnixMilli())
	r.Service = developer.New(
		developerstore.New(d),
		r.now,
		func(_ context.Context, in access.Portfolio, zone *time.Location) error {
			r.mu.Lock()
			defer r.mu.Unlock()
			r.filled = append(r.filled, string(in.Mode)+" "+zone.String())
			return r.fails
		},
	)
	r.PasswordCost = secret.Cost{Memory: 64, Passes: 1, Lanes: 1}
	return r
}

// landlord adds one.
func (r *fixture) landlord(email string) developer.User {
	r.t.Helper()
	u, err := r.AddUser(r.t.Context(), email, "", "correct horse battery", developer.Landlord)
	must(r.t, err)
	return u
}

// approved adds a landlord whose access is approved.
func (r *fixture) approved(email string) {
	r.t.Helper()
	r.landlord(email)
	_, err := r.Reviews.Approve(r.t.Context(), email, nil)
	must(r.t, err)
}

// key makes a key of a landlord.
func (r *fixture) key(email string, mode access.Mode, scopes ...string) developer.Key {
	r.t.Helper()
	k, err := r.CreateKey(r.t.Context(), email, developer.KeyCreate{Name: "Sync", Mode: mode, Scopes: scopes})
	must(r.t, err)
	return k
}

// exec runs SQL past the store's methods.
func (r *fixture) exec(statement string) {
	r.t.Helper()
	dbtest.Exec(r.t, r.db, statement)
}

// refused checks that an error is a fault of a code, about a field where one is
// named.
func refused(t *testing.T, what string, err error, code fault.Code, param string) {
	t.Helper()
	if !fault.Is(err, code) || fault.From(err).Param != param {
		t.Errorf("%s: want %s at %q, got %v at %q", what, code, param, err, fault.From(err).Param)
	}
}

// together does something from several sides at once and counts the successes; the
// others are refused with a code.
func together(t *testing.T, sides int, code fault.Code, do func(side int) error) (done int) {
	t.Helper()
	errs := make([]error, sides)
	var all sync.WaitGroup
	for i := range sides {
		all.Go(func() { errs[i] = do(i) })
	}
	all.Wait()
	for _, err := range errs {
		if err == nil {
			done++
		} else if !fault.Is(err, code) {
			t.Errorf("want %s, got %v", code, err)
		}
	}
	return done
}

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

func sorted(words []string) []string {
	slices.Sort(words)
	return words
}

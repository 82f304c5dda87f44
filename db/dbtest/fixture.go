package dbtest

import (
	"encoding/json"
	"errors"
	"reflect"
	"testing"
	"time"

	"portal/api/access"
	"portal/api/clock"
	"portal/api/developer"
	"portal/api/id"
	"portal/db"
	"portal/db/accountstore"
	"portal/db/developerstore"
	"portal/db/mailstore"
	"portal/db/portfoliostore"
	"portal/db/retentionstore"
	"portal/db/servicestore"
	"portal/db/webhookstore"
)

// Now is when the tests take place.
var Now = time.Date(2026, 11, 12, 12, 0, 0, 0, time.UTC)

// Fixture is a test with an empty store.
type Fixture struct {
	*testing.T
	DB *db.DB
	Stores
}

// Stores are those over one database.
type Stores struct {
	Accounts  *accountstore.Store
	Developer *developerstore.Store
	Portfolio *portfoliostore.Store
	Webhooks  *webhookstore.Store
	Mails     mailstore.Store
	Trail     servicestore.Trail
	Answers   servicestore.Answers
	Forms     servicestore.Forms
	Limits    servicestore.Limits
	Retention retentionstore.Accounts
}

// Landlord is a user with an account and its two portfolios.
type Landlord struct {
	developer.User
	Account    developer.Account
	Live, Test access.Portfolio
}

// Landlord adds one, named by the part of the email address before the @.
func (r *Fixture) Landlord(name string) Landlord {
	r.Helper()
	return LandlordIn(r.T, r.DB, name)
}

// LandlordIn adds a landlord to a database.
func LandlordIn(t testing.TB, d *db.DB, name string) Landlord {
	t.Helper()
	ctx, at := t.Context(), clock.At(Now)
	l := Landlord{
		User: developer.User{
			ID:           id.New(id.User, Now),
			Email:        name + "@example.com",
			PasswordHash: "argon2id",
			Role:         developer.Landlord,
			CreatedAt:    at,
		},
		Account: developer.Account{
			ID:        id.New(id.Account, Now),
			Name:      name,
			TimeZone:  "America/Chicago",
			Plan:      developer.Plan{Tier: developer.Pro},
			CreatedAt: at,
		},
	}
	s := accountstore.New(d)
	added, err := s.AddUser(ctx, l.User)
	if err == nil && !added {
		err = errors.New("the user was not added")
	}
	OK(t, errors.Join(err, s.AddAccount(ctx, l.Account), s.SetMember(ctx, l.Account.ID, l.ID, access.Owner, at)))
	l.Live, err = s.AddPortfolio(ctx, l.Account.ID, access.Live)
	OK(t, err)
	l.Test, err = s.AddPortfolio(ctx, l.Account.ID, access.Test)
	OK(t, err)
	return l
}

// OK ends the test at an error.
func (r *Fixture) OK(err error) {
	r.Helper()
	OK(r.T, err)
}

// Want ends the test where something does not hold.
func (r *Fixture) Want(holds bool, format string, args ...any) {
	r.Helper()
	if !holds {
		r.Fatalf(format, args...)
	}
}

// Refused ends the test where something was let through.
func (r *Fixture) Refused(err error, what string) {
	r.Helper()
	if err == nil {
		r.Fatalf("%s was let through", what)
	}
}

// Same compares, and shows both where they differ.
func (r *Fixture) Same(got, want any) {
	r.Helper()
	if !reflect.DeepEqual(got, want) {
		r.Errorf("differ:\n got %s\nwant %s", Show(got), Show(want))
	}
}

// Show is a value as a failed test shows it.
func Show(v any) string {
	b, err := json.Marshal(v)
	if err != nil {
		return err.Error()
	}
	const most = 4000
	return string(b[:min(most, len(b))])
}

// Raw runs a statement past the store's methods.
func (r *Fixture) Raw(query string, args ...any) {
	r.Helper()
	r.OK(r.Exec(query, args...))
}

// Exec is raw for a goroutine beside the test.
func (r *Fixture) Exec(query string, args ...any) (err error) {
	if pool := r.DB.Postgres(); pool != nil {
		_, err = pool.Exec(r.Context(), query, args...)
		return err
	}
	_, err = r.DB.SQLite().ExecContext(r.Context(), query, args...)
	return err
}

// Text reads one value past the store's methods, as text; NULL is "".
func (r *Fixture) Text(what, from string, args ...any) string {
	r.Helper()
	query := "SELECT COALESCE(CAST(" + what + " AS TEXT), '') FROM " + from
	var s string
	if pool := r.DB.Postgres(); pool != nil {
		r.OK(pool.QueryRow(r.Context(), query, args...).Scan(&s))
		return s
	}
	r.OK(r.DB.SQLite().QueryRowContext(r.Context(), query, args...).Scan(&s))
	return s
}

// NewFixture is a test over a store.
func NewFixture(t *testing.T, d *db.DB) *Fixture {
	return &Fixture{t, d, Stores{
		accountstore.New(d),
		developerstore.New(d),
		portfoliostore.New(d),
		webhookstore.New(d),
		mailstore.New(d),
		servicestore.NewTrail(d),
		servicestore.NewAnswers(d),
		servicestore.NewForms(d),
		servicestore.NewLimits(d),
		retentionstore.New(d),
	}}
}

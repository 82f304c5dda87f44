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
)

// noon is when the tests take place.
var noon = time.Date(2026, 11, 12, 12, 0, 0, 0, time.UTC)

// rig is a test with an empty store.
type rig struct {
	*testing.T
	*db.DB
}

// landlord is a user with an account and its two portfolios.
type landlord struct {
	developer.User
	account    developer.Account
	live, test access.Portfolio
}

// landlord adds one, named by the part of the e-mail address before the @.
func (r *rig) landlord(name string) landlord {
	r.Helper()
	return landlordIn(r.T, r.DB, name)
}

func landlordIn(t testing.TB, d *db.DB, name string) landlord {
	t.Helper()
	ctx, at := t.Context(), clock.At(noon)
	l := landlord{
		User:    developer.User{ID: id.New(id.User, noon), Email: name + "@example.com", PasswordHash: "argon2id", Role: developer.Landlord, CreatedAt: at},
		account: developer.Account{ID: id.New(id.Account, noon), Name: name, TimeZone: "America/Chicago", Plan: developer.Plan{Tier: developer.Pro}, CreatedAt: at},
	}
	added, err := d.AddUser(ctx, l.User)
	if err == nil && !added {
		err = errors.New("the user was not added")
	}
	err = errors.Join(err, d.AddAccount(ctx, l.account), d.SetMember(ctx, l.account.ID, l.ID, access.Owner, at))
	var failed [2]error
	l.live, failed[0] = d.AddPortfolio(ctx, l.account.ID, access.Live)
	l.test, failed[1] = d.AddPortfolio(ctx, l.account.ID, access.Test)
	if err := errors.Join(err, failed[0], failed[1]); err != nil {
		t.Fatal(err)
	}
	return l
}

// ok ends the test at an error.
func (r *rig) ok(err error) {
	r.Helper()
	if err != nil {
		r.Fatal(err)
	}
}

// want ends the test where something does not hold.
func (r *rig) want(holds bool, format string, args ...any) {
	r.Helper()
	if !holds {
		r.Fatalf(format, args...)
	}
}

// refused ends the test where something was let through.
func (r *rig) refused(err error, what string) {
	r.Helper()
	if err == nil {
		r.Fatalf("%s was let through", what)
	}
}

// same compares, and shows both where they differ.
func (r *rig) same(got, want any) {
	r.Helper()
	if !reflect.DeepEqual(got, want) {
		r.Errorf("differ:\n got %s\nwant %s", show(got), show(want))
	}
}

func show(v any) string {
	b, err := json.Marshal(v)
	if err != nil {
		return err.Error()
	}
	const most = 4000
	return string(b[:min(most, len(b))])
}

// raw runs a statement past the store's methods.
func (r *rig) raw(query string, args ...any) {
	r.Helper()
	r.ok(r.exec(query, args...))
}

// exec is raw for a goroutine beside the test.
func (r *rig) exec(query string, args ...any) (err error) {
	if pool := r.Postgres(); pool != nil {
		_, err = pool.Exec(r.Context(), query, args...)
		return err
	}
	_, err = r.SQLite().ExecContext(r.Context(), query, args...)
	return err
}

// text reads one value past the store's methods, as text; NULL is "".
func (r *rig) text(what, from string, args ...any) string {
	r.Helper()
	query := "SELECT COALESCE(CAST(" + what + " AS TEXT), '') FROM " + from
	var s string
	if pool := r.Postgres(); pool != nil {
		r.ok(pool.QueryRow(r.Context(), query, args...).Scan(&s))
		return s
	}
	r.ok(r.SQLite().QueryRowContext(r.Context(), query, args...).Scan(&s))
	return s
}

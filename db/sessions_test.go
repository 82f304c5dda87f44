package db_test

import (
	"context"
	"testing"
	"time"

	"github.com/alexedwards/scs/v2"

	"portal/db"
	"portal/db/accountstore"
	"portal/db/dbtest"
)

// The manager is that of the pages; what the store promises beside it is held by the suite.
func TestSessionManagerKeepsItsSessionData(t *testing.T) {
	t.Parallel()
	t.Run("sqlite", func(t *testing.T) {
		t.Parallel()
		managed(t, dbtest.SQLite(t))
	})
	t.Run("postgres", func(t *testing.T) {
		t.Parallel()
		managed(t, dbtest.NewPostgres(t).Open(t))
	})
}

func managed(t *testing.T, d *db.DB) {
	m := scs.New()
	m.Store, m.HashTokenInStore = accountstore.NewPageSessions(d, time.Now), true // the manager has a clock of its own
	load := func(token string) context.Context {
		t.Helper()
		ctx, err := m.Load(t.Context(), token)
		must(t, err)
		return ctx
	}
	want := func(token, flash string) {
		t.Helper()
		if got := m.GetString(load(token), "flash"); got != flash {
			t.Errorf("the session has %q, want %q", got, flash)
		}
	}
	ctx := load("")
	m.Put(ctx, "flash", "saved")
	first, _, err := m.Commit(ctx)
	must(t, err)
	want(first, "saved")
	if _, found, err := accountstore.NewPageSessions(d, time.Now).FindCtx(t.Context(), first); err != nil || found {
		t.Errorf("the token is stored as it is: %v", err)
	}
	ctx = load(first)
	must(t, m.RenewToken(ctx))
	second, _, err := m.Commit(ctx)
	must(t, err)
	want(first, "")
	want(second, "saved")
	must(t, m.Destroy(load(second)))
	want(second, "")
	want("no token", "")
}

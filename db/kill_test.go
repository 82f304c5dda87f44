package db_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"testing"

	"portal/api/access"
	"portal/api/clock"
	"portal/api/developer"
	"portal/db"
	"portal/db/accountstore"
	"portal/db/dbtest"
)

// writeAsChild adds landlords until it is killed, and says which are there.
func writeAsChild(ctx context.Context, database string) error {
	d, err := openAt(ctx, database)
	if err != nil {
		return err
	}
	failed := make(chan error)
	for w := range 4 {
		go func() {
			for i := 0; ; i++ {
				name := fmt.Sprintf("%d-%d-%d", os.Getpid(), w, i)
				if err := addLandlord(ctx, d, name); err != nil {
					failed <- err
				}
				fmt.Println(name)
			}
		}()
	}
	return <-failed
}

// addLandlord adds the rows of a landlord in one transaction.
func addLandlord(ctx context.Context, d *db.DB, name string) error {
	return d.Atomically(ctx, func(ctx context.Context) error {
		if err := addUser(ctx, d, name); err != nil {
			return err
		}
		if err := accountstore.New(d).AddAccount(ctx, developer.Account{
			ID:       name,
			Name:     name,
			TimeZone: "UTC",
			Plan:     developer.Plan{Tier: developer.Pro},
		}); err != nil {
			return err
		}
		for _, mode := range []access.Mode{access.Live, access.Test} {
			if _, err := accountstore.New(d).AddPortfolio(ctx, name, mode); err != nil {
				return err
			}
		}
		return accountstore.New(d).SetMember(ctx, name, name, access.Owner, clock.Time(1))
	})
}

func TestKilledProcessLosesNoAcknowledgedWrites(t *testing.T) {
	t.Parallel()
	folder := t.TempDir()
	must(t, dbtest.SQLiteIn(t, folder).Close())
	var acknowledged []string
	for range 5 {
		p := start(t, "write", folder)
		for range 1 + rand.IntN(150) {
			name, ok := p.line()
			if !ok {
				t.Fatalf("the child ended: %s", p.err.String())
			}
			acknowledged = append(acknowledged, name)
		}
		acknowledged = append(acknowledged, p.kill()...)
	}
	d := reopened(t, folder)
	defer d.Close()
	wantUsers(t, d, true, acknowledged...)
	for query, want := range map[string]string{
		"SELECT group_concat(integrity_check) FROM pragma_integrity_check":                                      "ok",
		"SELECT count(*) FROM pragma_foreign_key_check":                                                         "0",
		"SELECT count(*) FROM users u WHERE (SELECT count(*) FROM portfolios p WHERE p.account_id = u.id) <> 2": "0",
		"SELECT count(*) FROM users u WHERE NOT EXISTS (SELECT 1 FROM members m WHERE m.account_id = u.id)":     "0",
		"SELECT count(*) FROM accounts a WHERE NOT EXISTS (SELECT 1 FROM users u WHERE u.id = a.id)":            "0",
		"SELECT count(*) FROM portfolios p WHERE NOT EXISTS (SELECT 1 FROM users u WHERE u.id = p.account_id)":  "0",
		"SELECT count(*) - (SELECT count(*) FROM accounts) FROM users":                                          "0",
		fmt.Sprintf("SELECT count(*) >= %d AND count(*) <= %d FROM users", len(acknowledged),
			len(acknowledged)+5*4): "1",
	} {
		var got string
		must(t, d.SQLite().QueryRowContext(t.Context(), query).Scan(&got))
		if got != want {
			t.Errorf("%s: %s, want %s", query, got, want)
		}
	}
}

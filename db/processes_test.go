package db_test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"sync"
	"testing"
	"time"

	"portal/api/portfolio/demo"
	"portal/db/accountstore"
	"portal/db/dbtest"
	"portal/db/portfoliostore"
)

func visitAsChild(ctx context.Context, database string) error {
	d, err := openAt(ctx, database)
	if err != nil {
		return err
	}
	return errors.Join(addUser(ctx, d, "visitor"), d.Close())
}

// The locks of a file belong to the process: to close any descriptor of it drops
// them all. A process that closes the database then takes itself for the last,
// and removes the log that the first one writes to.
func TestSecondHandleKeepsFirstHandlesLocks(t *testing.T) {
	t.Parallel()
	folder := t.TempDir()
	d := dbtest.SQLiteIn(t, folder)
	must(t, addUser(t.Context(), d, "before"))
	second := reopened(t, folder)
	start(t, "visit", folder).end()
	if _, err := os.Stat(filepath.Join(folder, "portal.db-wal")); err != nil {
		t.Error(err)
	}
	must(t, addUser(t.Context(), d, "after"))
	must(t, errors.Join(second.Close(), d.Close()))
	wantUsers(t, reopened(t, folder), true, "before", "visitor", "after")
}

// importAsChild writes large books in long transactions, one after the other.
func importAsChild(ctx context.Context, database string) error {
	d, err := openAt(ctx, database)
	if err != nil {
		return err
	}
	fmt.Println("open")
	heard()
	for i := range 2 {
		in, err := accountstore.New(d).PortfolioOf(ctx, fmt.Sprint("acct", i), "live")
		if err != nil {
			return err
		}
		book := demo.Book(time.Date(2026, 11, 12, 12, 0, 0, 0, time.UTC), time.UTC)
		if err := portfoliostore.New(d).Add(ctx, in, &book); err != nil {
			return err
		}
	}
	return d.Close()
}

func TestConcurrentImportDoesNotStarveWriters(t *testing.T) {
	t.Parallel()
	folder := t.TempDir()
	d := dbtest.SQLiteIn(t, folder)
	for i := range 2 {
		portfolioOf(t, d, fmt.Sprint("acct", i))
	}
	child := start(t, "import", folder)
	child.line()
	over := make(chan struct{})
	var writers sync.WaitGroup
	for w := range 4 {
		writers.Go(func() {
			for i := 0; ; i++ {
				if err := addUser(t.Context(), d, fmt.Sprint("user", w, i)); err != nil {
					t.Error(err)
				}
				select {
				case <-over:
					return
				default:
				}
			}
		})
	}
	child.tell("go")
	child.end()
	close(over)
	writers.Wait()
}

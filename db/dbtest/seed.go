package dbtest

import (
	"fmt"
	"os"
	"path/filepath"
	"sync"
	"testing"

	"portal/db"
)

// Seed is data that many tests of a package begin with. The first of them to need it has it made, on each kind of
// database, and every one gets a copy. TestMain calls Main.
type Seed struct {
	Make func(testing.TB, *db.DB) // fills an empty, migrated database

	mu       sync.Mutex
	file     []byte // on SQLite
	postgres *Postgres
	database string // on PostgreSQL
}

// Both runs a test at once on a database of either kind with the data.
func (s *Seed) Both(t *testing.T, test func(t *testing.T, d *db.DB)) {
	t.Helper()
	t.Parallel()
	t.Run("sqlite", func(t *testing.T) {
		t.Parallel()
		test(t, s.SQLite(t))
	})
	t.Run("postgres", func(t *testing.T) {
		t.Parallel()
		test(t, s.Postgres(t))
	})
}

// Main runs the tests of a package for TestMain, and closes the data that they began with.
func (s *Seed) Main(m *testing.M) (code int) {
	code = m.Run()
	if err := s.Close(); err != nil {
		fmt.Fprintln(os.Stderr, err)
		code = 1
	}
	return code
}

// SQLite opens a store with the data in a file of its own, which is closed and removed when the test ends.
func (s *Seed) SQLite(t testing.TB) *db.DB {
	t.Helper()
	folder := t.TempDir()
	OK(t, os.WriteFile(filepath.Join(folder, "portal.db"), s.sqlite(t), 0o600))
	return Opened(t)(db.OpenSQLite(t.Context(), folder))
}

func (s *Seed) sqlite(t testing.TB) []byte {
	t.Helper()
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.file == nil {
		folder := t.TempDir()
		BlankIn(t, folder)
		d, err := db.OpenSQLite(t.Context(), folder)
		OK(t, err)
		s.Make(t, d)
		OK(t, d.Close())
		s.file, err = os.ReadFile(filepath.Join(folder, "portal.db"))
		OK(t, err)
	}
	return s.file
}

// Postgres opens a store with the data in a database of its own, which is closed and dropped when the test ends. The
// test is skipped where there is no PostgreSQL.
func (s *Seed) Postgres(t testing.TB) *db.DB {
	t.Helper()
	p := NewPostgres(t)
	return Opened(t)(db.OpenPostgres(t.Context(), p.create(t, s.onPostgres(t, p))))
}

func (s *Seed) onPostgres(t testing.TB, p *Postgres) string {
	t.Helper()
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.database == "" {
		like, err := template()
		OK(t, err)
		name, err := p.copied(like)
		OK(t, err)
		d, err := db.OpenPostgres(t.Context(), p.URL(name))
		OK(t, err)
		s.Make(t, d)
		OK(t, d.Close())
		s.postgres, s.database = p, name
	}
	return s.database
}

// Close drops what was made on PostgreSQL.
func (s *Seed) Close() error {
	if s.database == "" {
		return nil
	}
	return s.postgres.drop(s.database)
}

package dbtest

import (
	"context"
	"crypto/rand"
	"errors"
	"net/url"
	"os"
	"strings"
	"sync"
	"testing"

	"github.com/jackc/pgx/v5"

	"portal/db"
)

// Postgres makes databases on a PostgreSQL server and drops them again.
type Postgres struct {
	Server   url.URL                // of a database whose user may create others
	Template func() (string, error) // the name of a migrated database, made once
}

// Server is the URL of the PostgreSQL server for tests. It skips the test where there is none.
func Server(t testing.TB) string {
	t.Helper()
	server := os.Getenv("PORTAL_TEST_DATABASE_URL")
	if server == "" {
		t.Skip("PORTAL_TEST_DATABASE_URL is not set: there is no PostgreSQL to test against")
	}
	return server
}

// NewPostgres is the server for tests, which skips the test where there is none. The tests
// that use it end before this one.
func NewPostgres(t testing.TB) *Postgres {
	t.Helper()
	server := Server(t)
	u, err := url.Parse(server)
	if err != nil {
		t.Fatal(err)
	}
	p := &Postgres{Server: *u}
	p.Template = sync.OnceValues(func() (string, error) {
		name, err := p.Create(t, "")
		if err != nil {
			return "", err
		}
		ctx := context.Background()
		d, err := db.OpenPostgres(ctx, p.URL(name))
		if err != nil {
			return "", err
		}
		return name, errors.Join(d.Migrate(ctx), d.Close())
	})
	return p
}

// Open opens an empty, migrated store in a database of its own, which is closed
// and dropped when the test ends.
func (p *Postgres) Open(t testing.TB) *db.DB {
	t.Helper()
	like, err := p.Template()
	if err != nil {
		t.Fatal(err)
	}
	name, err := p.Create(t, " TEMPLATE "+like)
	if err != nil {
		t.Fatal(err)
	}
	return Opened(t)(db.OpenPostgres(t.Context(), p.URL(name)))
}

// Empty makes a database without a schema, dropped when the test ends, and is its
// URL.
func (p *Postgres) Empty(t testing.TB) string {
	t.Helper()
	name, err := p.Create(t, "")
	if err != nil {
		t.Fatal(err)
	}
	return p.URL(name)
}

// Copy makes a database that is like another one, which nobody is connected to. It is
// dropped when the test ends.
func (p *Postgres) Copy(t testing.TB, of string) string {
	t.Helper()
	u, err := url.Parse(of)
	if err != nil {
		t.Fatal(err)
	}
	name, err := p.Create(t, " TEMPLATE "+strings.TrimPrefix(u.Path, "/"))
	if err != nil {
		t.Fatal(err)
	}
	return p.URL(name)
}

// OnPostgres opens an empty, migrated store for a test that needs one alone.
func OnPostgres(t testing.TB) *db.DB {
	t.Helper()
	d := Opened(t)(db.OpenPostgres(t.Context(), NewPostgres(t).Empty(t)))
	if err := d.Migrate(t.Context()); err != nil {
		t.Fatal(err)
	}
	return d
}

// Create makes a database like another one.
func (p *Postgres) Create(t testing.TB, like string) (name string, err error) {
	name = "portal_test_" + strings.ToLower(rand.Text())
	if err := p.Run("CREATE DATABASE " + name + like); err != nil {
		return "", err
	}
	t.Cleanup(func() {
		if err := p.Run("DROP DATABASE " + name + " WITH (FORCE)"); err != nil {
			t.Error(err)
		}
	})
	return name, nil
}

// Run runs a statement that stands in no transaction.
func (p *Postgres) Run(statement string) (err error) {
	ctx := context.Background()
	conn, err := pgx.Connect(ctx, p.Server.String())
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, conn.Close(ctx)) }()
	_, err = conn.Exec(ctx, statement)
	return err
}

// URL is where one of its databases is.
func (p *Postgres) URL(database string) string {
	u := p.Server
	u.Path = "/" + database
	return u.String()
}

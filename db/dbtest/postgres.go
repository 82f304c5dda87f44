package dbtest

import (
	"context"
	"crypto/rand"
	"crypto/sha256"
	"errors"
	"fmt"
	"io/fs"
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
	Server url.URL // of a database whose user may create others
}

// template is the name of an empty, migrated database, which is copied: that takes a tenth of
// the time of the migrations. It is made once for each set of migrations and stays on the
// server, for the tests of other packages and of later runs.
var template = sync.OnceValues(func() (name string, err error) {
	all := sha256.New()
	fmt.Fprint(all, besides.name)
	err = fs.WalkDir(db.Migrations, "migrations/postgres", func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		text, err := db.Migrations.ReadFile(path)
		fmt.Fprintf(all, "%s %d %s", path, len(text), text)
		return err
	})
	if err != nil {
		return "", err
	}
	server, err := url.Parse(os.Getenv("PORTAL_TEST_DATABASE_URL"))
	if err != nil {
		return "", err
	}
	p := &Postgres{Server: *server}
	return p.makeTemplate(context.Background(), fmt.Sprintf("portal_template_%x", all.Sum(nil)[:10]))
})

// makeTemplate makes a migrated database of a name, unless it is there. One process at a time
// does; what one that was killed has left half made has another name.
func (p *Postgres) makeTemplate(ctx context.Context, name string) (_ string, err error) {
	conn, err := pgx.Connect(ctx, p.Server.String())
	if err != nil {
		return "", err
	}
	defer func() { err = errors.Join(err, conn.Close(ctx)) }() // and the lock ends
	if _, err := conn.Exec(ctx, "SELECT pg_advisory_lock(hashtext('portal_template'))"); err != nil {
		return "", err
	}
	var there bool
	err = conn.QueryRow(ctx, "SELECT EXISTS (SELECT 1 FROM pg_database WHERE datname = $1)", name).Scan(&there)
	if err != nil || there {
		return name, err
	}
	making := name + "_making"
	if err := p.Run("DROP DATABASE IF EXISTS " + making + " WITH (FORCE)"); err != nil {
		return "", err
	}
	if err := p.Run("CREATE DATABASE " + making); err != nil {
		return "", err
	}
	d, err := db.OpenPostgres(ctx, p.URL(making))
	if err != nil {
		return "", err
	}
	if err := errors.Join(d.Migrate(ctx, besides.run...), d.Close()); err != nil {
		return "", err
	}
	return name, p.Run("ALTER DATABASE " + making + " RENAME TO " + name)
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

// NewPostgres is the server for tests, which skips the test where there is none.
func NewPostgres(t testing.TB) *Postgres {
	t.Helper()
	u, err := url.Parse(Server(t))
	OK(t, err)
	return &Postgres{Server: *u}
}

// Open opens an empty, migrated store in a database of its own, which is closed
// and dropped when the test ends.
func (p *Postgres) Open(t testing.TB) *db.DB {
	t.Helper()
	return Opened(t)(db.OpenPostgres(t.Context(), p.Migrated(t)))
}

// Empty makes a database without a schema, dropped when the test ends, and is its
// URL.
func (p *Postgres) Empty(t testing.TB) string {
	t.Helper()
	return p.create(t, "template1")
}

// Migrated makes an empty, migrated database, dropped when the test ends, and is its URL.
func (p *Postgres) Migrated(t testing.TB) string {
	t.Helper()
	like, err := template()
	OK(t, err)
	return p.create(t, like)
}

// Copy makes a database that is like another one, which nobody is connected to. It is
// dropped when the test ends.
func (p *Postgres) Copy(t testing.TB, of string) string {
	t.Helper()
	u, err := url.Parse(of)
	OK(t, err)
	return p.create(t, strings.TrimPrefix(u.Path, "/"))
}

// OnPostgres opens an empty, migrated store for a test that needs one alone.
func OnPostgres(t testing.TB) *db.DB {
	t.Helper()
	return NewPostgres(t).Open(t)
}

// create makes a database like another one, dropped when the test ends, and is its URL.
func (p *Postgres) create(t testing.TB, like string) string {
	t.Helper()
	name, err := p.copied(like)
	OK(t, err)
	t.Cleanup(func() {
		if err := p.drop(name); err != nil {
			t.Error(err)
		}
	})
	return p.URL(name)
}

// copied makes a database like another one, and is its name. Its files are copied: that takes PostgreSQL half the time
// of writing each page to its log, as it does since version 15 if nobody says so.
func (p *Postgres) copied(like string) (name string, err error) {
	name = "portal_test_" + strings.ToLower(rand.Text())
	return name, p.on(func(ctx context.Context, conn *pgx.Conn) error {
		statement := "CREATE DATABASE " + name + " TEMPLATE " + like
		if version, _, _ := strings.Cut(conn.PgConn().ParameterStatus("server_version"), "."); version >= "15" {
			statement += " STRATEGY FILE_COPY"
		}
		_, err := conn.Exec(ctx, statement)
		return err
	})
}

func (p *Postgres) drop(name string) error { return p.Run("DROP DATABASE " + name + " WITH (FORCE)") }

// Analyze has PostgreSQL look at tables as its autovacuum does within a minute. Until then it takes what portfolio_id
// finds for one row, and joins a portfolio's payments to all of its signers, one by one.
func Analyze(t testing.TB, d *db.DB, tables ...string) {
	t.Helper()
	if d.OnPostgres() {
		Exec(t, d, "ANALYZE "+strings.Join(tables, ", "))
	}
}

// Run runs a statement that stands in no transaction.
func (p *Postgres) Run(statement string) error {
	return p.on(func(ctx context.Context, conn *pgx.Conn) error {
		_, err := conn.Exec(ctx, statement)
		return err
	})
}

// idle are connections to the server that were used before. A new one is a process that the server starts.
var idle = make(chan *pgx.Conn, 4)

// on does something on a connection to the server, which it keeps for later if nothing goes wrong.
func (p *Postgres) on(do func(context.Context, *pgx.Conn) error) (err error) {
	ctx := context.Background()
	var conn *pgx.Conn
	select {
	case conn = <-idle:
	default:
		if conn, err = pgx.Connect(ctx, p.Server.String()); err != nil {
			return err
		}
	}
	if err := do(ctx, conn); err != nil {
		return errors.Join(err, conn.Close(ctx))
	}
	select {
	case idle <- conn:
		return nil
	default:
		return conn.Close(ctx)
	}
}

// URL is where one of its databases is.
func (p *Postgres) URL(database string) string {
	u := p.Server
	u.Path = "/" + database
	return u.String()
}

package db

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"io/fs"
	"net/url"
	"os"
	"path"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"golang.org/x/mod/semver"
	"modernc.org/sqlite"
	lib "modernc.org/sqlite/lib"

	"portal/api/clock"
)

// oldestSQLite is the first version without the WAL-reset bug of 2026: two
// connections that checkpoint and write at the same moment could lose a commit
// (sqlite.org/wal.html, section "The WAL-reset bug").
const oldestSQLite = "3.51.3"

// busyTimeout is how long a connection waits for another process that writes:
// an import beside a running server holds the file for some seconds.
const busyTimeout = "30000"

// How often a start is tried, and how long after each other.
const (
	startTries = 100
	startAgain = 50 * time.Millisecond
)

// embedded is SQLite, the default engine: one writing connection whose commits are
// grouped, and a pool of reading ones. A few more are for prompt reads alone.
type embedded struct {
	path    string
	sql     *sql.DB
	group   *group
	readers *readers
	prompt  *readers
}

// SQLiteFile is the name of the database file in its folder.
const SQLiteFile = "portal.db"

// OpenSQLite opens the database file in a folder, making it if need be.
func OpenSQLite(ctx context.Context, folder string) (*DB, error) {
	path, err := filepath.Abs(filepath.Join(folder, SQLiteFile))
	if err != nil {
		return nil, err
	}
	if err := errorsOf(private(path), stablePlans()); err != nil {
		return nil, err
	}
	s := &embedded{path: path, sql: sql.OpenDB(connector{dsn: writerDSN(path)})}
	s.sql.SetMaxOpenConns(1)
	s.sql.SetMaxIdleConns(1)
	s.sql.SetConnMaxIdleTime(0)
	if err := s.startWrite(ctx); err != nil {
		return nil, fmt.Errorf("open %s: %w", path, errorsOf(err, s.sql.Close()))
	}
	return &DB{engine: s, dialect: dialectSQLite, lite: s}, nil
}

// private makes a file that its owner alone can read; the write-ahead log beside
// it gets the same rights from SQLite. One that is there is not touched: to close
// a file drops the locks that SQLite holds on it in this process.
func private(path string) error {
	f, err := os.OpenFile(path, os.O_CREATE|os.O_EXCL|os.O_RDWR, 0o600)
	if errors.Is(err, fs.ErrExist) {
		return nil
	}
	if err != nil {
		return err
	}
	return f.Close()
}

// startWrite starts, again and again while another process makes the same file: the
// step to the write-ahead log does not wait for others as statements do.
func (s *embedded) startWrite(ctx context.Context) error {
	turn := time.NewTicker(startAgain)
	defer turn.Stop()
	for tries := 0; ; tries++ {
		err := s.start(ctx)
		if err == nil || tries == startTries || !away(err) {
			return err
		}
		select {
		case <-turn.C:
		case <-ctx.Done():
			return err
		}
	}
}

func (s *embedded) start(ctx context.Context) error {
	var version, mode string
	if err := s.sql.QueryRowContext(ctx, "SELECT sqlite_version()").Scan(&version); err != nil {
		return err
	}
	if err := recent(version); err != nil {
		return err
	}
	if err := s.sql.QueryRowContext(ctx, "PRAGMA journal_mode").Scan(&mode); err != nil {
		return err
	}
	if !strings.EqualFold(mode, "wal") {
		return fmt.Errorf("the file system does not take SQLite's write-ahead log (journal mode %s)", mode)
	}
	var err error
	if s.readers, err = openReaders(s.path, maxReaders); err != nil {
		return err
	}
	if s.prompt, err = openReaders(s.path, promptReaders); err != nil {
		return errorsOf(err, s.readers.close())
	}
	s.group = newGroup(s.sql)
	return nil
}

// recent refuses a version of SQLite that may lose a commit.
func recent(version string) error {
	if semver.Compare("v"+version, "v"+oldestSQLite) < 0 {
		return fmt.Errorf("SQLite %s is too old, %s or later is needed", version, oldestSQLite)
	}
	return nil
}

// writerDSN has the settings of the writing connection. Commits are fsynced
// (synchronous=FULL), transactions take the write lock at their start, and the
// log is cut back after it has grown.
func writerDSN(path string) string {
	q := url.Values{"_txlock": {"immediate"}, "_pragma": {
		"busy_timeout(" + busyTimeout + ")", "journal_mode(WAL)", "synchronous(FULL)", "foreign_keys(ON)",
		"journal_size_limit(67108864)", "cache_size(-8000)", "temp_store(MEMORY)",
	}}
	return "file:" + (&url.URL{Path: path}).EscapedPath() + "?" + q.Encode()
}

func (s *embedded) each(ctx context.Context, query string, args []any, row func(Scan) error) error {
	if isPrompt(ctx) {
		return s.prompt.each(ctx, query, args, row)
	}
	return s.readers.each(ctx, query, args, row)
}

func (s *embedded) eachWithin(
	ctx context.Context, most time.Duration, query string, args []any, row func(Scan) error,
) error {
	ctx, cancel := context.WithTimeout(ctx, most)
	defer cancel()
	return s.readers.eachWithin(ctx, query, args, row)
}

func (s *embedded) write(ctx context.Context, do func(context.Context, querier) error) error {
	return s.group.write(ctx, do)
}

func (s *embedded) ping(ctx context.Context) error {
	return s.prompt.each(ctx, "SELECT 1", nil, func(Scan) error { return nil })
}

func (s *embedded) close() error {
	s.group.stop()
	return errorsOf(s.readers.close(), s.prompt.close(), s.sql.Close())
}

// What keeps a file from being restored.
var (
	ErrDamaged = errors.New("it is damaged, or no SQLite database at all")
	ErrNotOurs = errors.New("it is a SQLite database, but not one of this service")
	ErrNewer   = errors.New("it was written by a newer version of this service")
)

// CopySQLite writes a copy of the database in a folder to a file that is new or empty: all
// that was committed when it begins and nothing that comes later. It only reads, so writers
// do not wait for it; the write-ahead log grows by what they write meanwhile. What was
// deleted leaves no trace in the copy. The file is not synced to the disk yet.
func CopySQLite(ctx context.Context, folder, file string) error {
	d := openFile(filepath.Join(folder, SQLiteFile), "mode=rw&_pragma=busy_timeout("+busyTimeout+")")
	_, err := d.ExecContext(ctx, "VACUUM INTO $1", file)
	return errorsOf(err, d.Close())
}

// openFile opens a database file by one connection, with what the driver is told.
func openFile(file, query string) *sql.DB {
	d := sql.OpenDB(connector{dsn: "file:" + (&url.URL{Path: file}).EscapedPath() + "?" + query})
	d.SetMaxOpenConns(1)
	return d
}

// InspectSQLite reads a whole database file that nobody has open. Its error is ErrDamaged,
// ErrNotOurs or ErrNewer where the file cannot be served by this binary.
func InspectSQLite(ctx context.Context, file string) error {
	d := openFile(file, "mode=ro&immutable=1")
	return errorsOf(inspect(ctx, d), d.Close())
}

func inspect(ctx context.Context, d *sql.DB) error {
	var verdict string
	if err := d.QueryRowContext(ctx, "PRAGMA integrity_check(1)").Scan(&verdict); err != nil || verdict != "ok" {
		return fmt.Errorf("%w: %w", ErrDamaged, errorsOf(err, integrityError(verdict)))
	}
	var tables int
	err := d.QueryRowContext(
		ctx,
		"SELECT count(*) FROM sqlite_master WHERE type = 'table' AND name IN ('goose_db_version', 'portfolios', "+
			"'webhook_endpoints')",
	).Scan(&tables)
	if err != nil || tables < 3 {
		return errorsOf(err, ErrNotOurs)
	}
	var version int64
	if err := d.QueryRowContext(
		ctx, "SELECT COALESCE(max(version_id), 0) FROM goose_db_version WHERE is_applied",
	).Scan(&version); err != nil {
		return err
	}
	newest, err := newestMigration()
	if err == nil && version > newest {
		err = ErrNewer
	}
	return err
}

// integrityError is what SQLite says of a file, nil for nothing.
func integrityError(verdict string) error {
	if verdict == "" {
		return nil
	}
	return errors.New(verdict)
}

// newestMigration is the number of the last migration that this binary knows.
func newestMigration() (newest int64, err error) {
	files, err := fs.Glob(Migrations, "migrations/sqlite/*.sql")
	for _, file := range files {
		number, _, _ := strings.Cut(path.Base(file), "_")
		n, failed := strconv.ParseInt(number, 10, 64)
		newest, err = max(newest, n), errorsOf(err, failed)
	}
	return newest, err
}

// SQLiteInUse reports whether another connection has the database in a folder open, that of a
// server for example.
func SQLiteInUse(ctx context.Context, folder string) (bool, error) {
	d := openFile(
		filepath.Join(folder, SQLiteFile),
		"mode=rw&_pragma=busy_timeout(0)&_pragma=locking_mode(EXCLUSIVE)&_txlock=exclusive",
	)
	tx, err := d.BeginTx(ctx, nil)
	if err == nil {
		err = rollback(tx)
	}
	var e *sqlite.Error
	if busy := errors.As(err, &e) && e.Code()&0xff == lib.SQLITE_BUSY; busy {
		return true, d.Close()
	}
	return false, errorsOf(err, d.Close())
}

// probeRoom is how much of the disk has to be free beside SQLite's files, in bytes. The
// log of SQLite may have room of its own for small writes when the disk is full already.
const probeRoom = 256 << 10

// ProbeWrite reports whether a write would succeed, by a small one that is durable when it
// returns nil: the disk is neither full nor read-only, and the database takes writes.
func (d *DB) ProbeWrite(ctx context.Context, at clock.Time) error {
	if d.lite != nil {
		if err := d.lite.room(); err != nil {
			return fmt.Errorf("write beside the database: %w", err)
		}
	}
	_, err := d.Exec(
		ctx,
		"INSERT INTO write_probe (id, at) VALUES (1, $1) ON CONFLICT (id) DO UPDATE SET at = excluded.at",
		at,
	)
	if err != nil {
		return fmt.Errorf("write to the database: %w", err)
	}
	return nil
}

// room writes a file beside the database and takes it away again.
func (s *embedded) room() error {
	f, err := os.OpenFile(s.path+".probe", os.O_CREATE|os.O_WRONLY|os.O_TRUNC, 0o600)
	if err != nil {
		return err
	}
	_, err = f.Write(make([]byte, probeRoom))
	if err == nil {
		err = f.Sync()
	}
	return errors.Join(err, f.Close(), os.Remove(f.Name()))
}

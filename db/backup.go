package db

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"io/fs"
	"net/url"
	"path"
	"path/filepath"
	"strconv"
	"strings"

	"modernc.org/sqlite"
	lib "modernc.org/sqlite/lib"
)

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
		"SELECT count(*) FROM sqlite_master WHERE type = 'table' AND name IN ('goose_db_version', 'portfolios', 'webhook_endpoints')",
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

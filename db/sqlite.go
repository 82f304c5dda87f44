package db

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"io/fs"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"time"

	"golang.org/x/mod/semver"
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
// grouped, and a pool of reading ones.
type embedded struct {
	path    string
	sql     *sql.DB
	group   *group
	readers *readers
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
	if s.readers, err = openReaders(s.path); err != nil {
		return err
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
	return s.readers.each(ctx, query, args, row)
}

func (s *embedded) write(ctx context.Context, do func(context.Context, querier) error) error {
	return s.group.write(ctx, do)
}

func (s *embedded) ping(ctx context.Context) error {
	return s.readers.each(ctx, "SELECT 1", nil, func(Scan) error { return nil })
}

func (s *embedded) close() error {
	s.group.stop()
	return errorsOf(s.readers.close(), s.sql.Close())
}

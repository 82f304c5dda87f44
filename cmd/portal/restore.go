package main

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"portal/api/secret"
	"portal/cmd/portal/cli"
	"portal/db"
)

func restoreCommand(*cli.Flags) cli.Action {
	return func(ctx context.Context, a *cli.Call) error {
		c, err := configure(a.Getenv)
		if err != nil {
			return err
		}
		file := a.Args[0]
		if c.databaseURL != "" {
			return cli.Misuse("with DATABASE_URL you use PostgreSQL. Restore it with its own tools: " +
				"pg_restore --exit-on-error --no-owner --dbname=\"$DATABASE_URL\" " + file +
				" into an empty database (docs/operations.md)")
		}
		keyed, err := c.restore(ctx, file)
		if err != nil {
			return err
		}
		words := "Start the service with the key that was in use when the backup was made."
		if keyed {
			words = "Its key was restored too, or PORTAL_SECRET_KEY already has it."
		}
		return a.Print(map[string]any{"data": c.data, "key": keyed}, "Restored %s into %s. %s", file, c.data, words)
	}
}

// restore puts a copy of a backup into the data folder, which has to be empty. keyed tells
// whether its key is known there.
func (c *config) restore(ctx context.Context, file string) (keyed bool, err error) {
	made, err := c.emptyFolder(ctx)
	if err != nil {
		return false, err
	}
	temporary, err := os.MkdirTemp(c.data, ".restore-*")
	if err != nil {
		return false, err
	}
	defer func() {
		_ = os.RemoveAll(temporary) // the first error tells
		if err != nil && made {
			_ = os.Remove(c.data)
		}
	}()
	if err := takeBackup(ctx, file, temporary); err != nil {
		return false, err
	}
	keys, beside, err := c.keysOf(file)
	if err != nil {
		return false, err
	}
	if len(keys) > 0 {
		if err := c.opensCopy(ctx, temporary, keys); err != nil {
			return false, err
		}
	}
	if beside == "" {
		return len(keys) > 0, moveFiles(temporary, c.file(db.SQLiteFile), "")
	}
	if err := copyFile(beside, filepath.Join(temporary, keyFile)); err != nil {
		return false, err
	}
	return true, moveFiles(temporary, c.file(db.SQLiteFile), c.file(keyFile))
}

// emptyFolder makes the data folder, or finds it empty.
func (c *config) emptyFolder(ctx context.Context) (made bool, err error) {
	entries, err := os.ReadDir(c.data)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return true, os.MkdirAll(c.data, 0o700)
	case err != nil || len(entries) == 0:
		return false, err
	}
	if _, err := os.Stat(c.file(db.SQLiteFile)); err == nil {
		if used, err := db.SQLiteInUse(ctx, c.data); err == nil && used {
			return false, fmt.Errorf("%s is in use by a server or another command. "+
				"Stop it, and restore into an empty folder", c.data)
		}
	}
	return false, fmt.Errorf("%s is not empty. Set PORTAL_DATA to an empty folder, or move the files elsewhere", c.data)
}

// takeBackup copies a backup into a folder and looks whether this binary can serve it.
func takeBackup(ctx context.Context, file, folder string) error {
	if log, err := os.Stat(file + "-wal"); err == nil && log.Size() > 0 {
		return fmt.Errorf("%s has a write-ahead log, so it belongs to a database in use and isn't complete. "+
			"Make a copy with: portal backup", file)
	}
	copied := filepath.Join(folder, db.SQLiteFile)
	if err := copyFile(file, copied); err != nil {
		return err
	}
	if err := db.InspectSQLite(ctx, copied); err != nil {
		return fmt.Errorf("%s can't be restored: %w", file, err)
	}
	return nil
}

// copyFile copies a file into a new one that its owner alone can read.
func copyFile(from, to string) error {
	source, err := os.Open(from)
	if err != nil {
		return err
	}
	defer source.Close() //nolint:errcheck // only read
	return makeFile(to, source)
}

// keysOf are the keys that are set, or those that went along with a backup: then beside is
// their file. There are none where neither is.
func (c *config) keysOf(file string) (keys [][]byte, beside string, err error) {
	if c.secretKeys != nil {
		return c.secretKeys, "", nil
	}
	beside = file + keySuffix
	keys, err = secret.ReadKeyFile(beside)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, "", nil
	}
	if err != nil {
		return nil, "", fmt.Errorf("the key in %s: %w", beside, err)
	}
	return keys, beside, nil
}

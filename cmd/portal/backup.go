package main

import (
	"context"
	"encoding/base64"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"

	"portal/api/clock"
	"portal/api/secret"
	"portal/cmd/portal/cli"
	"portal/db"
)

// keySuffix is how the file of the keys is named that goes along with a backup.
const keySuffix = ".key"

func backupCommand(f *cli.Flags) cli.Action {
	withKey := f.Bool("with-key", false, "also write the encryption key to FILE.key")
	return func(ctx context.Context, a *cli.Call) error {
		c, err := configure(a.Getenv)
		if err != nil {
			return err
		}
		b := backup{file: a.Args[0]}
		if c.databaseURL != "" {
			return cli.Misuse("with DATABASE_URL you use PostgreSQL. Back it up with its own tools: " +
				"pg_dump --format=custom --file=" + b.file + " \"$DATABASE_URL\" " +
				"(docs/operations.md explains this and point-in-time recovery)")
		}
		if err := b.write(ctx, c, *withKey); err != nil {
			return err
		}
		return printBackup(a, c, &b)
	}
}

// backup is a copy of a database in a file.
type backup struct {
	file  string
	keys  string // the file of the keys, "" where they do not go along
	bytes int64
	at    clock.Time // all that was committed until then is in it
}

// write makes the copy aside, checks it and moves it into place once it is on the disk.
// Nothing is overwritten.
func (b *backup) write(ctx context.Context, c *config, withKey bool) error {
	if _, err := os.Stat(c.file(db.SQLiteFile)); errors.Is(err, fs.ErrNotExist) {
		return c.noDatabase()
	}
	files := []string{b.file, b.file + keySuffix}
	if !withKey {
		files = files[:1]
	}
	for _, file := range files {
		if _, err := os.Lstat(file); !errors.Is(err, fs.ErrNotExist) {
			return errors.Join(fmt.Errorf("%s already exists, and a backup doesn't overwrite files", file), err)
		}
	}
	temporary, err := os.MkdirTemp(filepath.Dir(b.file), ".backup-*") // mode 0700
	if err != nil {
		return err
	}
	defer os.RemoveAll(temporary) //nolint:errcheck // a stray folder does no harm
	b.at = clock.At(time.Now())
	copied := filepath.Join(temporary, db.SQLiteFile)
	if err := makeFile(copied, strings.NewReader("")); err != nil { // its owner's alone before anything is in it
		return err
	}
	if err := db.CopySQLite(ctx, c.data, copied); err != nil {
		return fmt.Errorf("copy the database: %w", err)
	}
	if err := db.InspectSQLite(ctx, copied); err != nil {
		return fmt.Errorf("the copy can't be used: %w", err)
	}
	if withKey {
		if err := b.addKey(ctx, c, temporary); err != nil {
			return err
		}
	}
	info, err := os.Stat(copied)
	if err != nil {
		return err
	}
	b.bytes = info.Size()
	return moveFiles(temporary, b.file, b.keys)
}

// addKey puts the keys beside the copy that they open.
func (b *backup) addKey(ctx context.Context, c *config, temporary string) error {
	keys, err := c.keys()
	if err != nil {
		return err
	}
	if len(keys) == 0 {
		return c.foreign(true)
	}
	if err := c.opensCopy(ctx, temporary, keys); err != nil {
		return err
	}
	var text strings.Builder
	for _, key := range keys {
		text.WriteString(base64.StdEncoding.EncodeToString(key) + "\n")
	}
	b.keys = b.file + keySuffix
	return makeFile(filepath.Join(temporary, keyFile), strings.NewReader(text.String()))
}

// opensCopy reports whether keys open what a copy holds. A copy from before there were check
// values passes; the first start judges it.
func (c *config) opensCopy(ctx context.Context, folder string, keys [][]byte) error {
	d, err := db.OpenSQLite(ctx, folder)
	if err != nil {
		return err
	}
	box, err := secret.NewBox(keys...)
	if err != nil {
		return errors.Join(err, d.Close())
	}
	if _, found, err := d.SecretCheck(ctx); err != nil || !found {
		return errors.Join(err, d.Close())
	}
	return errors.Join(c.keyError(box.Verify(ctx, d)), d.Close())
}

// moveFiles moves a database, and its keys unless their path is "", from a temporary folder. The keys go
// first: a database that is there can be served.
func moveFiles(temporary, file, keys string) error {
	if keys != "" {
		if err := linkFile(filepath.Join(temporary, keyFile), keys); err != nil {
			return err
		}
	}
	err := linkFile(filepath.Join(temporary, db.SQLiteFile), file)
	if err != nil && keys != "" {
		err = errors.Join(err, os.Remove(keys))
	}
	return err
}

func printBackup(a *cli.Call, c *config, b *backup) error {
	var beside *string
	key := "PORTAL_SECRET_KEY"
	if c.secretKeys == nil {
		key = c.file(keyFile)
	}
	words := "It doesn't contain the key: store " + key + " separately. " +
		"Without the key, the secrets in the backup can't be read."
	if b.keys != "" {
		beside = &b.keys
		words = "The key is in " + b.keys + ". Anyone with both files can read everything: protect them like the key."
	}
	return a.Print(map[string]any{"file": b.file, "bytes": b.bytes, "at": b.at, "key_file": beside},
		"Wrote %s (%d bytes) with everything committed by %s. %s", b.file, b.bytes, b.at, words)
}

// makeFile makes a new file that its owner alone can read.
func makeFile(path string, from io.Reader) error {
	f, err := os.OpenFile(path, os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o600)
	if err != nil {
		return err
	}
	_, err = io.Copy(f, from)
	return errors.Join(err, f.Close())
}

// linkFile gives a file its name once its bytes are on the disk, and overwrites nothing.
func linkFile(from, to string) error {
	if err := synced(from); err != nil {
		return err
	}
	if err := os.Link(from, to); err != nil {
		return err
	}
	return synced(filepath.Dir(to))
}

// synced waits until a file, or a folder's names, are on the disk.
func synced(path string) error {
	f, err := os.Open(path)
	if err != nil {
		return err
	}
	return errors.Join(f.Sync(), f.Close())
}

package db

import (
	"context"
	"errors"
	"fmt"
	"os"

	"portal/api/clock"
)

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

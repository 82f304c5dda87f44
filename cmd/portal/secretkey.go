package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"
	"time"

	"portal/api/secret"
	"portal/cmd/portal/cli"
	"portal/db"
)

// keyFile is where the key is that was generated, in the data folder.
const keyFile = "secret.key"

// configured is the configuration of a command that works on the database. Whether the key
// is that of the database is told with the other mistakes.
func configured(ctx context.Context, a *cli.App) (*config, error) {
	c, err := configure(a.Getenv)
	var wrong cli.Settings
	_ = errors.As(err, &wrong)
	if mistake := c.sealDates(time.Now()); mistake != "" {
		wrong = append(wrong, mistake)
		err = wrong
	}
	if wrong == nil || slices.ContainsFunc(wrong, func(s string) bool {
		return strings.HasPrefix(s, "DATABASE_URL ") || strings.HasPrefix(s, "PORTAL_SECRET_KEY ")
	}) {
		return c, err
	}
	d, failed := openExistingStore(ctx, c)
	if failed != nil {
		return c, wrong // there is no database yet, or it is the next thing to be told
	}
	var more cli.Settings
	if errors.As(c.verifyKey(ctx, d), &more) {
		wrong = append(wrong, more...)
	}
	return c, errors.Join(wrong, d.Close())
}

// keys are those that are set, or those of the file in the data folder; none where there is
// no file.
func (c *config) keys() ([][]byte, error) {
	if c.secretKeys != nil {
		return c.secretKeys, nil
	}
	keys, err := secret.ReadKeyFile(c.file(keyFile))
	if errors.Is(err, os.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, cli.Settings{fmt.Sprintf("PORTAL_SECRET_KEY is not set, and %s can't be used: %s",
			c.file(keyFile), err)}
	}
	return keys, nil
}

// verifyKey finds a key that is not the one of the database, which is a mistake of the
// configuration. It writes nothing, and passes where the database has no check value yet.
func (c *config) verifyKey(ctx context.Context, d *db.DB) error {
	_, found, err := d.SecretCheck(ctx)
	if err != nil || !found {
		return err
	}
	keys, err := c.keys()
	if err != nil {
		return err
	}
	if len(keys) == 0 {
		return c.foreign(true)
	}
	box, err := secret.NewBox(keys...)
	if err == nil {
		err = box.Verify(ctx, d)
	}
	return c.keyError(err)
}

// establishKey opens the vault with the key of the database. A database that holds nothing
// sealed takes any key, and one is made where none is set.
func (c *config) establishKey(ctx context.Context, d *db.DB) (*secret.Box, error) {
	keys, err := c.keys()
	if err != nil {
		return nil, err
	}
	if len(keys) == 0 {
		if keys, err = c.makeKey(ctx, d); err != nil {
			return nil, err
		}
	}
	box, err := secret.NewBox(keys...)
	if err == nil {
		err = box.Establish(ctx, d)
	}
	return box, c.keyError(err)
}

// makeKey makes the key file, unless the database has a key already, which then is lost.
func (c *config) makeKey(ctx context.Context, d *db.DB) ([][]byte, error) {
	_, found, err := d.SecretCheck(ctx)
	if err == nil && !found {
		var samples []secret.Sealed
		samples, err = d.SealedSamples(ctx)
		found = len(samples) > 0
	}
	if err != nil {
		return nil, err
	}
	// A server that starts at the same moment makes the file before the check value.
	if _, err := os.Stat(c.file(keyFile)); found && err != nil {
		return nil, c.foreign(true)
	}
	keys, err := secret.KeyFile(c.file(keyFile))
	if err != nil {
		return nil, fmt.Errorf("the key of %s: %w", c.file(keyFile), err)
	}
	return keys, nil
}

func (c *config) keyError(err error) error {
	if errors.Is(err, secret.ErrForeignKey) {
		return c.foreign(false)
	}
	return err
}

// foreign is the mistake of a key that is not the one of the database, or is missing.
func (c *config) foreign(missing bool) error {
	const remedy, another = "Set the key that was used before", "which were encrypted with another key. "
	file := c.file(keyFile)
	switch {
	case missing:
		return cli.Settings{"PORTAL_SECRET_KEY is not set and " + file + " is missing, " +
			"but the secrets of this database were encrypted with a key. " + remedy + ", or put the file back"}
	case c.secretKeys == nil:
		return cli.Settings{"PORTAL_SECRET_KEY is not set, and the key in " + file +
			" doesn't decrypt the secrets of this database, " + another + remedy + ", or put its file back"}
	}
	return cli.Settings{"PORTAL_SECRET_KEY doesn't decrypt the secrets of this database, " + another +
		remedy + ". If you list several, separated by commas, one of them must be that key"}
}

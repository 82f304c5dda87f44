package db

import (
	"context"
	"fmt"
	"strings"

	"portal/api/account"
	"portal/api/agreement"
	"portal/api/agreement/sealing"
	"portal/api/developer"
	"portal/api/idempotency"
	"portal/api/mail"
	"portal/api/portfolio/upload"
	"portal/api/secret"
	"portal/api/webhook"
)

// sealedColumn is a column whose values are encrypted with the key of the service. Every
// one has to be in sealedColumns, or it is lost when the key is replaced; a test holds it.
type sealedColumn struct {
	table, column string
	key           []string // the columns of the primary key
	purpose       string   // an SQL expression
	most          int      // how many values are read at once
}

var sealedColumns = []sealedColumn{
	{"secret_check", "sealed", []string{"id"}, quoted(secret.CheckPurpose), 1},
	{"webhook_endpoints", "secret", []string{"portfolio_id", "id"}, quoted(webhook.SecretPurpose), 100},
	{"webhook_endpoints", "previous_secret", []string{"portfolio_id", "id"}, quoted(webhook.SecretPurpose), 100},
	{"idempotency_keys", "body", []string{"key_id", "idempotency_key"}, quoted(idempotency.SealPurpose), 100},
	{"mails", "message", []string{"id"}, quoted(mail.SealPurpose), 100},
	{"imports", "content", []string{"portfolio_id", "id"}, quoted(upload.SealPurpose), 2}, // up to 8 MB each
	{"imports", "preview", []string{"portfolio_id", "id"}, quoted(upload.SealPurpose), 10},
	{"import_mappings", "answers", []string{"account_id", "fingerprint"}, quoted(upload.SealPurpose), 10},
	{"users", "totp_secret", []string{"id"}, quoted(account.TOTPPurpose) + " || ' ' || id", 100},
	{"request_exchanges", "sealed", []string{"id"}, quoted(developer.ExchangePurpose), 100},
	{
		"documents",
		"evidence_key",
		[]string{"portfolio_id", "id"},
		quoted(agreement.EvidencePurpose) + " || ' ' || id",
		100,
	},
	{"seal_keys", "private_key", []string{"id"}, quoted(sealing.KeyPurpose), 10},
	{"ceremonies", "data", []string{"id_hash"}, quoted(account.CeremonyPurpose) + " || ' ' || purpose", 100},
}

// quoted is a text as SQL has it; none of ours holds a quote.
func quoted(s string) string { return "'" + s + "'" }

func (c *sealedColumn) name() string { return c.table + "." + c.column }

// into are pointers to the values of a row's key.
func (c *sealedColumn) into() []any {
	into := make([]any, len(c.key))
	for i, name := range c.key {
		switch {
		case name == "portfolio_id", c.table == "secret_check", c.table == "seal_keys":
			into[i] = new(int64)
		case strings.HasSuffix(name, "_hash"):
			into[i] = new([]byte)
		default:
			into[i] = new(string)
		}
	}
	return into
}

// pointed are the values behind pointers.
func pointed(into []any) []any {
	values := make([]any, len(into))
	for i, p := range into {
		switch p := p.(type) {
		case *int64:
			values[i] = *p
		case *[]byte:
			values[i] = *p
		case *string:
			values[i] = *p
		}
	}
	return values
}

func sealedColumnOf(name string) (*sealedColumn, error) {
	for i := range sealedColumns {
		if sealedColumns[i].name() == name {
			return &sealedColumns[i], nil
		}
	}
	return nil, fmt.Errorf("no column %s is sealed", name)
}

// SealedColumns are the names of all columns that hold sealed values.
func (d *DB) SealedColumns() (names []string) {
	for i := range sealedColumns {
		names = append(names, sealedColumns[i].name())
	}
	return names
}

// SealedValues reads a bounded number of values of a column behind a row, of all
// portfolios, in the order of the rows.
func (d *DB) SealedValues(ctx context.Context, column string, after []any) (values []secret.Value, err error) {
	c, err := sealedColumnOf(column)
	if err != nil {
		return nil, err
	}
	key, behind := strings.Join(c.key, ", "), ""
	if after != nil {
		behind = " AND (" + key + ") > (" + Placeholders(1, len(after)) + ")"
	}
	err = d.Each(ctx, `SELECT `+key+`, `+c.purpose+`, `+c.column+`
		FROM `+c.table+`
		WHERE length(`+c.column+`) > 0`+behind+`
		ORDER BY `+key+`
		LIMIT $1`, append([]any{int64(c.most)}, after...), func(s Scan) error {
		var v secret.Value
		into := c.into()
		err := s(append(into, &v.Purpose, &v.Bytes)...)
		v.Row = pointed(into)
		values = append(values, v)
		return err
	})
	return values, err
}

// ReplaceSealed replaces values in one transaction, but for those that have changed since
// they were read, and tells how many it has replaced.
func (d *DB) ReplaceSealed(ctx context.Context, column string, values []secret.Replacement) (replaced int, err error) {
	c, err := sealedColumnOf(column)
	if err != nil {
		return 0, err
	}
	err = d.Atomically(ctx, func(ctx context.Context) error {
		replaced = 0
		for _, v := range values {
			n, err := d.Exec(ctx, `UPDATE `+c.table+`
				SET `+c.column+` = $1
				WHERE `+c.column+` = $2 AND (`+strings.Join(c.key, ", ")+`) = (`+Placeholders(2, len(c.key))+`)`, append([]any{
				v.Anew, v.Bytes,
			}, v.Row...)...)
			if err != nil {
				return err
			}
			replaced += int(n)
		}
		return nil
	})
	return replaced, err
}

// SealedSamples reads the oldest values of each column but the check value.
func (d *DB) SealedSamples(ctx context.Context) (samples []secret.Sealed, err error) {
	for i := range sealedColumns {
		c := &sealedColumns[i]
		if c.table == "secret_check" {
			continue
		}
		values, err := d.SealedValues(ctx, c.name(), nil)
		if err != nil {
			return nil, err
		}
		for _, v := range values {
			samples = append(samples, v.Sealed)
		}
	}
	return samples, nil
}

// SecretCheck reads the check value. A database that has not got its table yet has none.
func (d *DB) SecretCheck(ctx context.Context) (sealed []byte, found bool, err error) {
	if there, err := d.has(ctx, "secret_check"); err != nil || !there {
		return nil, false, err
	}
	found, err = d.One(ctx, "SELECT sealed FROM secret_check WHERE id = 1", nil, &sealed)
	return sealed, found, err
}

// AddSecretCheck writes the check value unless there is one.
func (d *DB) AddSecretCheck(ctx context.Context, sealed []byte) error {
	_, err := d.Exec(ctx, `INSERT INTO secret_check (id, sealed)
		VALUES (1, $1)
		ON CONFLICT (id) DO NOTHING`, sealed)
	return err
}

package cli

import (
	"context"
	"errors"
	"fmt"

	"portal/api/secret"
)

// SecretRotate encrypts all stored secrets with the first key.
func SecretRotate(*Flags) Action {
	return Opening(func(ctx context.Context, c *Call) error {
		all, err := c.Box.Rotate(ctx, c.DB)
		if all == nil {
			return err
		}
		return errors.Join(c.printRotated(all, err == nil), err)
	})
}

// printRotated tells what a rotation did; values that no key opens are an error.
func (c *Call) printRotated(all []secret.Rotated, done bool) error {
	var sum secret.Rotated
	for _, r := range all {
		sum.Values += r.Values
		sum.Encrypted += r.Encrypted
		sum.Unreadable += r.Unreadable
	}
	done = done && sum.Unreadable == 0
	err := printTable(c, map[string]any{
		"values":     sum.Values,
		"encrypted":  sum.Encrypted,
		"unreadable": sum.Unreadable,
		"done":       done,
		"columns":    all,
	}, "COLUMN\tVALUES\tENCRYPTED ANEW\tUNREADABLE", all, func(r *secret.Rotated) []any {
		return []any{r.Column, r.Values, r.Encrypted, r.Unreadable}
	})
	if done && !c.JSON {
		fmt.Fprintf(c.Out, "All %d values are encrypted with the first key; %d were re-encrypted.\n",
			sum.Values, sum.Encrypted)
	}
	if err == nil && sum.Unreadable > 0 {
		values := "1 value can be decrypted"
		if sum.Unreadable > 1 {
			values = fmt.Sprintf("%d values can be decrypted", sum.Unreadable)
		}
		err = fmt.Errorf("%s with none of the keys. Add the key that was used for encryption and rotate again", values)
	}
	return err
}

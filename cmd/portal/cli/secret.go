package cli

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"text/tabwriter"

	"portal/api/secret"
)

// SecretRotate is the sub-command "secret rotate" of portal.
var SecretRotate = Command{
	Name: "secret rotate", Short: "Re-encrypt all stored secrets with the first key of PORTAL_SECRET_KEY",
	Bind: func(f *flag.FlagSet) Action {
		asJSON := f.Bool("json", false, "print JSON")
		return func(ctx context.Context, a *App, _ []string) error {
			return a.with(ctx, func(p *Product) error {
				all, err := p.Box.Rotate(ctx, p.DB)
				if all == nil {
					return err
				}
				return errors.Join(a.printRotated(*asJSON, all, err == nil), err)
			})
		}
	},
}

// printRotated tells what a rotation did; values that no key opens are an error.
func (a *App) printRotated(asJSON bool, all []secret.Rotated, done bool) error {
	var sum secret.Rotated
	for _, r := range all {
		sum.Values = sum.Values + r.Values
		sum.Encrypted = sum.Encrypted + r.Encrypted
		sum.Unreadable = sum.Unreadable + r.Unreadable
	}
	done = done && sum.Unreadable == 0
	var err error
	if asJSON {
		err = a.Print(true, map[string]any{
			"values":     sum.Values,
			"encrypted":  sum.Encrypted,
			"unreadable": sum.Unreadable,
			"done":       done,
			"columns":    all,
		}, "")
	} else {
		w := tabwriter.NewWriter(a.Out, 0, 0, 2, ' ', 0)
		fmt.Fprintln(w, "COLUMN\tVALUES\tENCRYPTED ANEW\tUNREADABLE")
		for _, r := range all {
			fmt.Fprintf(w, "%s\t%d\t%d\t%d\n", r.Column, r.Values, r.Encrypted, r.Unreadable)
		}
		err = w.Flush()
		if done {
			fmt.Fprintf(a.Out, "All %d values are encrypted with the first key; %d were re-encrypted.\n",
				sum.Values, sum.Encrypted)
		}
	}
	if err == nil && sum.Unreadable > 0 {
		values := "1 value opens"
		if sum.Unreadable > 1 {
			values = fmt.Sprintf("%d values can be decrypted", sum.Unreadable)
		}
		err = fmt.Errorf("%s with none of the keys. Add the key that was used for encryption and rotate again", values)
	}
	return err
}

package db_test

import (
	"context"
	"strings"
	"testing"

	"portal/api/audit"
	"portal/db/accountstore"
	"portal/db/dbtest"
	"portal/db/servicestore"
)

func TestNoAccountQueryScansTable(t *testing.T) {
	t.Parallel()
	d := dbtest.SQLite(t)
	for name, read := range map[string]func(context.Context) error{
		"visitor": func(ctx context.Context) error {
			_, _, err := accountstore.New(d).Visitor(ctx, "x", 1)
			return err
		},
		"sessions": func(ctx context.Context) error {
			_, err := accountstore.New(d).SessionsOf(ctx, "x", 1)
			return err
		},
		"person": func(ctx context.Context) error {
			_, _, err := accountstore.New(d).PersonByEmail(ctx, "x")
			return err
		},
		"passkeys": func(ctx context.Context) error { _, err := accountstore.New(d).PasskeysOf(ctx, "x"); return err },
		"passkey": func(ctx context.Context) error {
			_, _, err := accountstore.New(d).PasskeyOf(ctx, nil)
			return err
		},
		"memberships": func(ctx context.Context) error {
			_, err := accountstore.New(d).Memberships(ctx,
				"x")
			return err
		},
		"members": func(ctx context.Context) error { _, err := accountstore.New(d).Members(ctx, "x"); return err },
		"invitations": func(ctx context.Context) error {
			_, err := accountstore.New(d).TeamInvitations(ctx, "x", 1)
			return err
		},
		"invitation": func(ctx context.Context) error {
			_, _, err := accountstore.New(d).TeamInvitation(ctx, nil, 1)
			return err
		},
		"trail": func(ctx context.Context) error {
			_, err := servicestore.NewTrail(d).Audit(ctx, audit.Query{AccountID: "x", Limit: 20})
			return err
		},
		"own trail": func(ctx context.Context) error {
			_, err := servicestore.NewTrail(d).Audit(ctx, audit.Query{UserID: "x", Limit: 20})
			return err
		},
	} {
		queries, err := d.Plan(t.Context(), read)
		must(t, err)
		for _, steps := range queries {
			if all := strings.Join(steps, "\n"); strings.Contains(all, "SCAN ") {
				t.Errorf("%s: %s", name, all)
			}
		}
	}
}

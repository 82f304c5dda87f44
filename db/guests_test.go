package db_test

import (
	"context"
	"regexp"
	"strings"
	"testing"

	"portal/api/access"
	"portal/api/fault"
	"portal/api/mail"
	"portal/db"
	"portal/db/mailstore"
	"portal/db/portfoliostore"
)

func TestInvitationsAndEmailsAreFoundByIndex(t *testing.T) {
	planned(t, func(t *testing.T, d *db.DB, in access.Portfolio) {
		for name, c := range map[string]struct {
			read func(ctx context.Context) error
			want string
		}{
			"the open ones of an address": {func(ctx context.Context) error {
				_, err := portfoliostore.New(d).Invited(ctx, in, "unit_1", "sam@example.com", 1)
				return err
			}, `^SEARCH invitations USING INDEX invitations_email \(portfolio_id=\? AND unit_id=\? AND <expr>=\?\)$`},
			"who is unsubscribed": {func(ctx context.Context) error {
				_, err := portfoliostore.New(d).Unsubscribed(ctx, in, "sam@example.com")
				return err
			}, `^SEARCH mail_suppressions USING .*INDEX \S+ \(portfolio_id=\? AND email=\?\)$`},
			"the document of a link": {func(ctx context.Context) error {
				_, _, err := portfoliostore.New(d).Document(ctx, "doc_1")
				if fault.Is(err, fault.NoRecord) {
					return nil
				}
				return err
			}, `^SEARCH d USING INDEX documents_id \(id=\?\)$`},
			"the mails of an account": {func(ctx context.Context) error {
				_, err := mailstore.New(d).Mails(ctx, mail.Filter{AccountID: "acct_1", Limit: 20})
				return err
			}, `^SEARCH mails USING INDEX mails_account \(account_id=\? AND id>\? AND id<\?\)$`},
			"the mails of a status": {func(ctx context.Context) error {
				_, err := mailstore.New(d).Mails(ctx, mail.Filter{Status: mail.Kept, Limit: 20})
				return err
			}, `^SEARCH mails USING INDEX mails_status \(status=\? AND id>\? AND id<\?\)$`},
		} {
			queries, err := d.Plan(t.Context(), c.read)
			must(t, err)
			steps := queries[0]
			if !regexp.MustCompile(c.want).MatchString(steps[0]) ||
				strings.Contains(strings.Join(steps, "\n"), "TEMP B-TREE") {
				t.Errorf("%s: %q", name, steps)
			}
		}
	})
}

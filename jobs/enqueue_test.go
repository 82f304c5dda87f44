package jobs

import (
	"context"
	"testing"

	"portal/api/access"
	"portal/api/change"
	"portal/db"
)

func TestCommittedInvitationHasOneJob(t *testing.T) {
	eachDatabase(t, func(t *testing.T, d *db.DB) {
		p := newPost(t, d, &noMail{})
		p.invited(access.Live)
		if len(p.all()) != 1 || p.jobs() != 1 {
			t.Errorf("%d mails, %d jobs", len(p.all()), p.jobs())
		}
	})
}

func TestDryRunLeavesNoEmailOrJob(t *testing.T) {
	eachDatabase(t, func(t *testing.T, d *db.DB) {
		p := newPost(t, d, &noMail{})
		err := change.DryRun(t.Context(), d, func(ctx context.Context) error {
			_, err := p.invite(ctx, access.Live)
			return err
		})
		if err != nil || len(p.all()) != 0 || p.jobs() != 0 {
			t.Errorf("%v: %d mails, %d jobs", err, len(p.all()), p.jobs())
		}
	})
}

// A rule that forgot that it is a dry run would enqueue its job.
func TestDryRunRollsBackItsJob(t *testing.T) {
	eachDatabase(t, func(t *testing.T, d *db.DB) {
		p := newPost(t, d, &noMail{})
		err := change.DryRun(
			t.Context(),
			d,
			func(ctx context.Context) error { return p.mail.Queue.Deliver(ctx, "mail_1") },
		)
		if err != nil || p.jobs() != 0 {
			t.Errorf("%v: %d jobs", err, p.jobs())
		}
	})
}

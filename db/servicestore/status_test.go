package servicestore_test

import (
	"testing"

	"portal/api/clock"
	"portal/db"
	"portal/db/dbtest"
	"portal/db/servicestore"
)

func TestOutboxCoversAllAccounts(t *testing.T) {
	dbtest.Both(t, func(t *testing.T, d *db.DB) {
		s := servicestore.NewStatus(d)
		o, err := s.Outbox(t.Context())
		dbtest.OK(t, err)
		if o.Queued != 0 || o.Oldest != nil || o.LastSent != nil || o.LastFailed != nil {
			t.Errorf("nothing was sent: %+v", o)
		}
		for _, m := range []string{
			"('mail_1', 'live', 1000, 'a@example.com', 'a', 'queued', 1, NULL, NULL)",
			"('mail_2', 'live', 2000, 'a@example.com', 'a', 'queued', 0, NULL, NULL)",
			"('mail_3', 'live', 3000, 'a@example.com', 'a', 'sent', 1, NULL, 3500)",
			"('mail_4', 'live', 4000, 'a@example.com', 'a', 'failed', 9, 'no such mailbox', NULL)",
		} {
			_, err := d.Exec(t.Context(), `INSERT INTO mails
				(id, mode, created_at, recipient, subject, status, attempts, last_error, sent_at) VALUES `+m)
			dbtest.OK(t, err)
		}
		o, err = s.Outbox(t.Context())
		dbtest.OK(t, err)
		if o.Queued != 2 || *o.Oldest != 1000 || *o.LastSent != 3500 || *o.LastFailed != 4000 ||
			o.LastError != "no such mailbox" {
			t.Errorf("%+v", o)
		}
		e, err := s.Deliveries(t.Context(), clock.At(dbtest.Now))
		dbtest.OK(t, err)
		if e.Waiting != 0 || e.Oldest != nil || e.Attempts != 0 || e.Failed != 0 {
			t.Errorf("nothing is delivered: %+v", e)
		}
	})
}

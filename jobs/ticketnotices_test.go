package jobs

import (
	"context"
	"log/slog"
	"testing"
	"time"

	"portal/api/agreement"
	"portal/api/clock"
	"portal/api/mail"
	"portal/api/portfolio/records"
	"portal/api/portfolio/upload"
	"portal/api/tenantportal"
	"portal/api/webhook"
	"portal/db"
	"portal/db/dbtest"
	"portal/db/portfoliostore"
	"portal/db/webhookstore"
)

// askedForDue is a store that tells until when it is asked for emails that are due.
type askedForDue struct {
	tenantportal.Store
	until chan clock.Time
}

// DueTicketNotices implements tenantportal.Store.
func (s askedForDue) DueTicketNotices(
	ctx context.Context, at clock.Time, after tenantportal.DueNotice, most int,
) ([]tenantportal.DueNotice, error) {
	s.until <- at
	return s.Store.DueTicketNotices(ctx, at, after, most)
}

func TestTicketEmailsAreCheckedOnStart(t *testing.T) {
	eachDatabase(t, func(t *testing.T, d *db.DB) {
		until := make(chan clock.Time, 10)
		store := askedForDue{portfoliostore.New(d), until}
		rules := records.New(portfoliostore.New(d), atNoon)
		config := configure(d, Services{
			Portfolio: rules,
			Mail:      mail.New(mail.Config{}),
			Webhook:   webhook.New(webhookstore.New(d), nil, atNoon, false),
			Uploads:   &upload.Service{Store: portfoliostore.New(d)},
			Tenants:   tenantportal.New(rules, agreement.New(rules, portfoliostore.New(d), nil), store, nil),
		}, atNoon, slog.New(slog.NewTextHandler(&lines{}, nil)))
		j, err := newJobs(d, config)
		dbtest.OK(t, err)
		dbtest.OK(t, j.Start(context.WithoutCancel(t.Context())))
		if at := <-until; at != clock.At(noon) {
			t.Errorf("asked for what is due until %v", at)
		}
		dbtest.OK(t, stop(t, j, 5*time.Second))
	})
}

func TestTicketEmailJobIsUniquePerMinute(t *testing.T) {
	o := ticketNoticesArgs{}.InsertOpts()
	if o.UniqueOpts.ByPeriod != time.Minute || !o.UniqueOpts.ByArgs || o.MaxAttempts != 1 {
		t.Errorf("%+v", o)
	}
	if ticketNoticesEvery != time.Minute { // it is also how long a job may take
		t.Errorf("a job takes at most %v", ticketNoticesEvery)
	}
}

func TestRentEmailJobIsUniquePerHour(t *testing.T) {
	o := rentNoticesArgs{}.InsertOpts()
	if o.UniqueOpts.ByPeriod != time.Hour || !o.UniqueOpts.ByArgs || o.MaxAttempts != 1 {
		t.Errorf("%+v", o)
	}
	if rentNoticesEvery != time.Hour {
		t.Errorf("every %v", rentNoticesEvery)
	}
}

package jobs

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/emersion/go-smtp"

	"portal/api/access"
	"portal/api/clock"
	"portal/api/fault"
	"portal/api/mail"
	"portal/api/portfolio"
	"portal/api/portfolio/lease/application"
	"portal/api/portfolio/records"
	"portal/api/portfolio/upload"
	"portal/api/secret"
	"portal/api/webhook"
	"portal/db"
	"portal/db/dbtest"
	"portal/db/mailstore"
	"portal/db/portfoliostore"
	"portal/db/webhookstore"
)

// post is a landlord whose rules send mail by a server.
type post struct {
	t           *testing.T
	db          *db.DB
	home        dbtest.Home
	portfolio   *records.Service
	invitations *application.Services
	mail        *mail.Service
	log         *lines
}

// soonAgain are pauses for tests.
var soonAgain = []time.Duration{50 * time.Millisecond, 50 * time.Millisecond, 50 * time.Millisecond}

// newPost makes one; without a carrier nothing is sent.
func newPost(t *testing.T, d *db.DB, c mail.Carrier) *post {
	t.Helper()
	queue, err := NewQueue(d)
	if err != nil {
		t.Fatal(err)
	}
	box, err := secret.NewBox(make([]byte, secret.KeySize))
	if err != nil {
		t.Fatal(err)
	}
	p := &post{
		t:         t,
		db:        d,
		home:      dbtest.NewHome(t, d, "dana"),
		portfolio: records.New(portfoliostore.New(d), atNoon),
		log:       &lines{},
	}
	p.invitations = application.New(p.portfolio, portfoliostore.New(d))
	p.mail = mail.New(mail.Config{
		Store:   mailstore.New(d),
		Box:     box,
		Queue:   queue,
		Carrier: c,
		Now:     time.Now,
		Pauses:  soonAgain,
		Wanted: func(ctx context.Context, in access.Portfolio, m *mail.Message) (bool, error) {
			return p.invitations.Emails.MailWanted(ctx, in, m.About, m.To)
		},
		Follow: p.invitations.Emails.MailFollowed,
	})
	p.portfolio.Use(portfolio.Parts{BaseURL: "https://portal.example.com", Post: p.mail})
	return p
}

// work begins to work on the jobs.
func (p *post) work() *Jobs {
	p.t.Helper()
	config := configure(p.db, Services{
		Portfolio: p.portfolio,
		Mail:      p.mail,
		Webhook:   webhook.New(webhookstore.New(p.db), nil, atNoon, false),
		Uploads:   &upload.Service{Store: portfoliostore.New(p.db)},
	}, atNoon, slog.New(slog.NewTextHandler(p.log, nil)))
	config.FetchPollInterval = 100 * time.Millisecond
	j, err := newJobs(p.db, config)
	if err != nil {
		p.t.Fatal(err)
	}
	if err := j.Start(context.WithoutCancel(p.t.Context())); err != nil {
		p.t.Fatal(err)
	}
	p.t.Cleanup(func() { _ = stop(p.t, j, 5*time.Second) })
	return j
}

func (p *post) owner(mode access.Mode) access.Actor {
	in := p.home.Live
	if mode == access.Test {
		in = p.home.Test
	}
	return access.Actor{
		Portfolio: in,
		AccountID: p.home.AccountID,
		Scopes:    access.Scopes{access.Read, access.Write},
		Role:      access.Owner,
		Zone:      p.home.Zone,
	}
}

func (p *post) invite(ctx context.Context, mode access.Mode) (*application.Invitation, error) {
	return p.inviteAt(ctx, mode, "sam@example.com")
}

func (p *post) inviteAt(ctx context.Context, mode access.Mode, email string) (*application.Invitation, error) {
	invite := application.TenantInvite{UnitID: p.home.Unit[mode].ID, Email: email, FirstName: new("Sam")}
	made, err := p.invitations.Invitations.InviteTenant(ctx, p.owner(mode), invite)
	if err != nil {
		return nil, err
	}
	return made.After, nil
}

func (p *post) invited(mode access.Mode) *application.Invitation {
	p.t.Helper()
	i, err := p.invite(p.t.Context(), mode)
	if err != nil {
		p.t.Fatal(err)
	}
	return i
}

func (p *post) all() []mail.Entry {
	p.t.Helper()
	all, err := p.mail.Mails(p.t.Context(), mail.Filter{Limit: 1000})
	if err != nil {
		p.t.Fatal(err)
	}
	return all
}

// ends waits until the only mail is of a status, and is the mail.
func (p *post) ends(want mail.Status) mail.Entry {
	p.t.Helper()
	var all []mail.Entry
	for range 600 {
		if all = p.all(); len(all) == 1 && all[0].Status == want {
			return all[0]
		}
		<-time.After(50 * time.Millisecond) // between two looks
	}
	p.t.Fatalf("the mails are %+v, want one that is %s\n%s", all, want, p.log)
	return mail.Entry{}
}

// jobs counts the jobs that wait or run.
func (p *post) jobs() (n int) {
	p.t.Helper()
	dbtest.Row(
		p.t,
		p.db,
		"SELECT count(*) FROM river_job WHERE kind = 'mail' AND state IN ('available', 'scheduled', 'retryable', "+
			"'running')",
		nil,
		&n,
	)
	return n
}

func (p *post) reads(id string, in access.Portfolio) application.Invitation {
	p.t.Helper()
	i, err := portfoliostore.New(p.db).Invitation(p.t.Context(), in, id)
	if err != nil {
		p.t.Fatal(err)
	}
	return i
}

func TestInvitationReachesMailServerAndUpdatesStatus(t *testing.T) {
	eachDatabase(t, func(t *testing.T, d *db.DB) {
		o := newMailServer(t, nil)
		p := newPost(t, d, carrier(t, "smtp", "", o))
		i := p.invited(access.Live)
		if i.EmailStatus != application.EmailQueued || len(o.got()) > 0 {
			t.Errorf("before the job: %s, %d mails", i.EmailStatus, len(o.got()))
		}
		p.work()
		e := p.ends(mail.Sent)
		if e.Attempts != 1 || e.SentAt == nil || e.LastError != nil || len(o.got()) != 1 {
			t.Errorf("%+v, %d mails arrived", e, len(o.got()))
		}
		l := opened(t, o.got()[0])
		for _, part := range []string{l.text, l.html} {
			if !strings.Contains(part, *i.ApplyURL) ||
				!strings.Contains(part, "1420 Maple Avenue, Unit 2B, Austin, TX 78701") {
				t.Errorf("the email is\n%s", part)
			}
		}
		if got := l.header(t, "Message-Id"); got != "<"+e.ID+"@example.com>" {
			t.Errorf("Message-ID is %s", got)
		}
		got := p.reads(i.ID, p.home.Live)
		if got.EmailStatus != application.EmailSent || got.Version != 2 || got.Status != application.InvitationSent {
			t.Errorf("%+v", got)
		}
		if strings.Contains(p.log.String(), strings.TrimPrefix(*i.ApplyURL, "https://portal.example.com/apply/")) {
			t.Error("the token was logged")
		}
	})
}

func TestDeferredEmailIsRetriedWithSameMessageID(t *testing.T) {
	busy := &smtp.SMTPError{Code: 451, Message: "busy"}
	for name, fates := range map[string][]fate{
		"busy, then taken":                     {{recipient: busy}, {message: busy}},
		"read, and the connection was dropped": {{hangUp: true}},
		"not even greeted":                     {{sender: busy}},
	} {
		t.Run(name, func(t *testing.T) {
			eachDatabase(t, func(t *testing.T, d *db.DB) {
				o := newMailServer(t, nil, fates...)
				p := newPost(t, d, carrier(t, "smtp", "", o))
				i := p.invited(access.Live)
				p.work()
				e := p.ends(mail.Sent)
				if e.Attempts != len(fates)+1 || e.LastError != nil {
					t.Errorf("%+v", e)
				}
				for _, raw := range o.got() {
					if got := opened(t, raw).header(t, "Message-Id"); got != "<"+e.ID+"@example.com>" {
						t.Errorf("Message-ID is %s", got)
					}
				}
				if got := p.reads(i.ID, p.home.Live); got.EmailStatus != application.EmailSent || got.Version != 2 {
					t.Errorf("%+v", got)
				}
				if !strings.Contains(p.log.String(), "mail not sent") {
					t.Error("nothing was logged")
				}
			})
		})
	}
}

func TestRefusedEmailFailsImmediately(t *testing.T) {
	eachDatabase(t, func(t *testing.T, d *db.DB) {
		o := newMailServer(t, nil)
		p := newPost(t, d, carrier(t, "smtp", "", o))
		i := p.invited(access.Live)
		o.fates = []fate{{
			message: &smtp.SMTPError{
				Code:         554,
				EnhancedCode: smtp.EnhancedCode{5, 7, 1},
				Message:      "spam: it links " + *i.ApplyURL,
			},
		}}
		p.work()
		e := p.ends(mail.Failed)
		if e.Attempts != 1 || e.LastError == nil || !strings.Contains(*e.LastError, "5.7.1 spam: it links […]") {
			t.Errorf("%d attempts, %s", e.Attempts, *e.LastError)
		}
		if got := p.reads(i.ID, p.home.Live); got.EmailStatus != application.EmailFailed || got.Version != 2 {
			t.Errorf("%+v", got)
		}
		if strings.Contains(p.log.String(), "/apply/") {
			t.Error("the link was logged")
		}
	})
}

func TestEmailNoServerAcceptsEventuallyFails(t *testing.T) {
	eachDatabase(t, func(t *testing.T, d *db.DB) {
		busy := fate{recipient: &smtp.SMTPError{Code: 450, Message: "busy"}}
		o := newMailServer(t, nil, busy, busy, busy, busy, fate{})
		p := newPost(t, d, carrier(t, "smtp", "", o))
		i := p.invited(access.Live)
		p.work()
		e := p.ends(mail.Failed)
		if e.Attempts != len(soonAgain)+1 || o.dialled != len(soonAgain)+1 {
			t.Errorf("%+v, dialled %d times", e, o.dialled)
		}
		if got := p.reads(i.ID, p.home.Live); got.EmailStatus != application.EmailFailed {
			t.Errorf("%+v", got)
		}
	})
}

// noMail is a mail server that must not be dialled.
type noMail struct{ dialled atomic.Int32 }

func (n *noMail) Carry(context.Context, *mail.Message) (string, error) {
	n.dialled.Add(1)
	return "", nil
}

func TestTestModeNeverDials(t *testing.T) {
	eachDatabase(t, func(t *testing.T, d *db.DB) {
		never := &noMail{}
		p := newPost(t, d, never)
		i := p.invited(access.Test)
		e := p.ends(mail.Kept)
		if p.jobs() != 0 {
			t.Error("a job waits")
		}
		p.work()
		o, err := p.mail.Deliver(t.Context(), e.ID) // even if a job were there
		if err != nil || o.Status != mail.Kept || o.Again != 0 || never.dialled.Load() != 0 {
			t.Errorf("%+v, %v, dialled %d times", o, err, never.dialled.Load())
		}
		if got := p.reads(i.ID, p.home.Test); got.EmailStatus != application.EmailQueued || got.Version != 1 {
			t.Errorf("%+v", got)
		}
		l, err := p.mail.Mail(t.Context(), e.ID)
		if err != nil || !strings.Contains(l.Content.Text, *i.ApplyURL) {
			t.Errorf("what is kept cannot be read: %v", err)
		}
	})
}

func TestEmailIsKeptWithoutMailServer(t *testing.T) {
	eachDatabase(t, func(t *testing.T, d *db.DB) {
		p := newPost(t, d, nil)
		i := p.invited(access.Live)
		e := p.ends(mail.Kept)
		if got := p.reads(i.ID, p.home.Live); p.jobs() != 0 || got.EmailStatus != application.EmailQueued {
			t.Errorf("%d jobs, %+v", p.jobs(), got)
		}
		l, err := p.mail.Mail(t.Context(), e.ID)
		if err != nil || l.Content.Unsubscribe == "" || !strings.Contains(l.Content.HTML, *i.ApplyURL) {
			t.Errorf("what is kept cannot be read: %v", err)
		}
	})
}

// A node without a mail server leaves what waits to those that have one.
func TestEmailWaitsForNodeWithMailServer(t *testing.T) {
	eachDatabase(t, func(t *testing.T, d *db.DB) {
		server := &noMail{}
		p := newPost(t, d, server)
		i := p.invited(access.Live)
		p.mail.Carrier = nil
		idle := p.work()
		o, err := p.mail.Deliver(t.Context(), p.all()[0].ID)
		if err != nil || o.Status != mail.Queued || o.Again == 0 {
			t.Errorf("%+v, %v", o, err)
		}
		if err := stop(t, idle, 5*time.Second); err != nil {
			t.Fatal(err)
		}
		if e := p.ends(mail.Queued); e.Attempts != 0 || p.jobs() != 1 {
			t.Errorf("%+v, %d jobs", e, p.jobs())
		}
		p.mail.Carrier = server
		p.work()
		p.ends(mail.Sent)
		if got := p.reads(i.ID, p.home.Live); got.EmailStatus != application.EmailSent || server.dialled.Load() != 1 {
			t.Errorf("%+v, dialled %d times", got, server.dialled.Load())
		}
	})
}

func TestQueuedEmailIsNotSentAfterUnsubscribe(t *testing.T) {
	eachDatabase(t, func(t *testing.T, d *db.DB) {
		server := &noMail{}
		p := newPost(t, d, server)
		i := p.invited(access.Live)
		err := portfoliostore.New(d).Unsubscribe(
			t.Context(),
			p.home.Live,
			"SAM@example.com",
			clock.At(atNoon()),
		)
		if err != nil {
			t.Fatal(err)
		}
		p.work()
		if e := p.ends(mail.Failed); e.LastError == nil || !strings.Contains(*e.LastError, "no longer wanted") {
			t.Errorf("%+v", e)
		}
		if got := p.reads(i.ID, p.home.Live); got.EmailStatus != application.EmailFailed || server.dialled.Load() != 0 {
			t.Errorf("%+v, dialled %d times", got, server.dialled.Load())
		}
	})
}

func TestRollbackLeavesNoEmailOrJob(t *testing.T) {
	eachDatabase(t, func(t *testing.T, d *db.DB) {
		p := newPost(t, d, &noMail{})
		no := errors.New("no")
		err := d.Atomically(t.Context(), func(ctx context.Context) error {
			if _, err := p.invite(ctx, access.Live); err != nil {
				t.Error(err)
			}
			return no
		})
		if !errors.Is(err, no) || len(p.all()) != 0 || p.jobs() != 0 {
			t.Errorf("%v: %d mails, %d jobs", err, len(p.all()), p.jobs())
		}
	})
}

// On SQLite writers share a transaction, each in its savepoint.
func TestConcurrentWritersSendOnlyCommittedEmails(t *testing.T) {
	eachDatabase(t, func(t *testing.T, d *db.DB) {
		p := newPost(t, d, &noMail{})
		var writers sync.WaitGroup
		for n := range 60 {
			writers.Go(func() {
				err := d.Atomically(t.Context(), func(ctx context.Context) error {
					if _, err := p.inviteAt(ctx, access.Live, fmt.Sprintf("sam.%d@example.com", n)); err != nil {
						return err
					}
					if n%3 == 0 {
						return fault.Of(fault.StaleWrite)
					}
					return nil
				})
				if (err != nil) != (n%3 == 0) {
					t.Error(err)
				}
			})
		}
		writers.Wait()
		if len(p.all()) != 40 || p.jobs() != 40 {
			t.Errorf("%d mails, %d jobs", len(p.all()), p.jobs())
		}
	})
}

func TestJobRequiresTransaction(t *testing.T) {
	eachDatabase(t, func(t *testing.T, d *db.DB) {
		q, err := NewQueue(d)
		if err != nil {
			t.Fatal(err)
		}
		if err := q.Deliver(t.Context(), "mail_1"); !errors.Is(err, errNoTransaction) {
			t.Error(err)
		}
	})
}

// slow is a mail server that takes a mail after it is told to.
type slow struct {
	began, goOn chan struct{}
	carried     atomic.Int32
}

func (s *slow) Carry(context.Context, *mail.Message) (string, error) {
	s.carried.Add(1)
	close(s.began)
	<-s.goOn
	return "", nil
}

func TestEmailClaimedByAnotherWorkerIsSkipped(t *testing.T) {
	eachDatabase(t, func(t *testing.T, d *db.DB) {
		s := &slow{began: make(chan struct{}), goOn: make(chan struct{})}
		p := newPost(t, d, s)
		p.invited(access.Live)
		id := p.all()[0].ID
		done := make(chan error)
		go func() {
			_, err := p.mail.Deliver(t.Context(), id)
			done <- err
		}()
		<-s.began
		o, err := p.mail.Deliver(t.Context(), id)
		if err != nil || o.Status != mail.Queued || o.Again < time.Minute {
			t.Errorf("%+v, %v", o, err)
		}
		close(s.goOn)
		if err := <-done; err != nil {
			t.Error(err)
		}
		o, err = p.mail.Deliver(t.Context(), id)
		if err != nil || o.Status != mail.Sent || o.Again != 0 || s.carried.Load() != 1 {
			t.Errorf("%+v, %v, carried %d times", o, err, s.carried.Load())
		}
	})
}

// A job that runs twice, as River may have it, sends once.
func TestEmailWithManyJobsIsSentOnce(t *testing.T) {
	eachDatabase(t, func(t *testing.T, d *db.DB) {
		n := &noMail{}
		p := newPost(t, d, n)
		p.invited(access.Live)
		id := p.all()[0].ID
		err := d.Atomically(t.Context(), func(ctx context.Context) error {
			for range 9 {
				if err := p.mail.Queue.Deliver(ctx, id); err != nil {
					return err
				}
			}
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
		p.work()
		p.ends(mail.Sent)
		<-time.After(time.Second) // in which the other jobs come to their turn
		if n.dialled.Load() != 1 {
			t.Errorf("carried %d times", n.dialled.Load())
		}
	})
}

// The process that had the mail died before it could tell what became of it.
func TestEmailOfDeadProcessIsResentAfterClaimExpires(t *testing.T) {
	eachDatabase(t, func(t *testing.T, d *db.DB) {
		n := &noMail{}
		p := newPost(t, d, n)
		p.invited(access.Live)
		id, now := p.all()[0].ID, time.Now()
		p.mail.Now = func() time.Time { return now }
		if claimed, err := mailstore.New(d).ClaimMail(t.Context(), id, dbtest.Noon(), dbtest.Noon()); err != nil ||
			!claimed {
			t.Fatal(claimed, err)
		}
		o, err := p.mail.Deliver(t.Context(), id)
		if err != nil || o.Status != mail.Sent || o.Attempt != 2 {
			t.Errorf("%+v, %v", o, err)
		}
	})
}

func TestStopDuringSendLeavesEmailForRetry(t *testing.T) {
	eachDatabase(t, func(t *testing.T, d *db.DB) {
		stays := make(chan struct{})
		o := newMailServer(t, nil, fate{hang: stays})
		p := newPost(t, d, carrier(t, "smtp", "", o))
		p.invited(access.Live)
		j := p.work()
		for len(o.got()) == 0 {
			<-time.After(10 * time.Millisecond) // between two looks
		}
		began := time.Now()
		_ = stop(t, j, 200*time.Millisecond) // it cancels what runs
		if took := time.Since(began); took > soon {
			t.Errorf("the stop took %v", took)
		}
		close(stays)
		e := p.ends(mail.Queued)
		if e.ClaimedUntil != nil && e.Attempts != 1 {
			t.Errorf("%+v", e)
		}
		p.work()
		p.ends(mail.Sent)
	})
}

func TestEmailIsSealedAtRest(t *testing.T) {
	t.Parallel()
	folder := t.TempDir()
	d := dbtest.SQLiteIn(t, folder)
	if err := Migrate(t.Context(), d); err != nil {
		t.Fatal(err)
	}
	p := newPost(t, d, &noMail{})
	var tokens []string
	for _, mode := range []access.Mode{access.Live, access.Test} {
		i := p.invited(mode)
		tokens = append(tokens, strings.TrimPrefix(*i.ApplyURL, "https://portal.example.com/apply/"))
	}
	for _, e := range p.all() {
		l, err := p.mail.Mail(t.Context(), e.ID)
		if err != nil {
			t.Fatal(err)
		}
		tokens = append(tokens, strings.TrimPrefix(
			l.Content.Unsubscribe,
			"https://portal.example.com/mail/unsubscribe/",
		))
	}
	files, err := filepath.Glob(filepath.Join(folder, "*"))
	if err != nil || len(files) == 0 || len(tokens) != 4 {
		t.Fatal(files, err, tokens)
	}
	seen := false
	for _, file := range files {
		content, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		seen = seen || bytes.Contains(content, []byte("Apply now: 1420 Maple"))
		for _, token := range tokens {
			if len(token) != 43 || bytes.Contains(content, []byte(token)) {
				t.Errorf("%s holds the token %s", file, token)
			}
		}
	}
	if !seen {
		t.Error("the mails are not in these files")
	}
}

func BenchmarkAnInvitation(b *testing.B) {
	for name, c := range map[string]mail.Carrier{"kept": nil, "queued": &noMail{}} {
		b.Run(name, func(b *testing.B) {
			d := dbtest.SQLite(b)
			if err := Migrate(b.Context(), d); err != nil {
				b.Fatal(err)
			}
			queue, err := NewQueue(d)
			if err != nil {
				b.Fatal(err)
			}
			box, err := secret.NewBox(make([]byte, secret.KeySize))
			if err != nil {
				b.Fatal(err)
			}
			home, p := dbtest.NewHome(b, d, "dana"), records.New(portfoliostore.New(d), atNoon)
			m := mail.New(mail.Config{
				Store:   mailstore.New(d),
				Box:     box,
				Queue:   queue,
				Carrier: c,
				Now:     time.Now,
			})
			p.Use(portfolio.Parts{BaseURL: "https://portal.example.com", Post: m})
			by := access.Actor{Portfolio: home.Live, Scopes: access.Scopes{access.Write}, Zone: home.Zone}
			n := 0
			for b.Loop() {
				err := d.Atomically(b.Context(), func(ctx context.Context) error { // no fsync for each
					for range 100 {
						n++
						if _, err := application.New(
							p,
							portfoliostore.New(d),
						).Invitations.InviteTenant(
							ctx,
							by,
							application.TenantInvite{
								UnitID: home.Unit[access.Live].ID,
								Email:  fmt.Sprintf("sam%d@example.com", n),
							},
						); err != nil {
							return err
						}
					}
					return nil
				})
				if err != nil {
					b.Fatal(err)
				}
			}
			b.ReportMetric(float64(b.Elapsed().Microseconds())/float64(n), "us/invitation")
		})
	}
}

func BenchmarkAJobInATransaction(b *testing.B) {
	d := dbtest.SQLite(b)
	if err := Migrate(b.Context(), d); err != nil {
		b.Fatal(err)
	}
	q, err := NewQueue(d)
	if err != nil {
		b.Fatal(err)
	}
	n := 0
	for b.Loop() {
		err := d.Atomically(b.Context(), func(ctx context.Context) error {
			for range 1000 {
				n++
				if err := q.Deliver(ctx, "mail_01KA5R2M7Q8D4E6F9G1H3J5K7M"); err != nil {
					return err
				}
			}
			return nil
		})
		if err != nil {
			b.Fatal(err)
		}
	}
	b.ReportMetric(float64(b.Elapsed().Microseconds())/float64(n), "us/job")
}

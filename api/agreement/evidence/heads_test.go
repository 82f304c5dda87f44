package evidence_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"math/rand/v2"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"portal/api/access"
	"portal/api/agreement"
	"portal/api/agreement/evidence"
	"portal/api/clock"
	"portal/api/id"
	"portal/api/mail"
	"portal/api/secret"
	"portal/db"
	"portal/db/dbtest"
	"portal/db/mailstore"
	"portal/db/portfoliostore"
)

const baseURL = "https://portal.example.com"

// fixture is a service that tells heads, with what it logged.
type fixture struct {
	*dbtest.Fixture
	*evidence.HeadNotices
	store  *portfoliostore.Store
	mails  *mail.Service
	mutex  sync.Mutex
	logged bytes.Buffer
	made   uint64
}

func onBoth(t *testing.T, test func(*fixture)) {
	dbtest.Both(t, func(t *testing.T, d *db.DB) {
		box, err := secret.NewBox(bytes.Repeat([]byte{1}, secret.KeySize))
		if err != nil {
			t.Fatal(err)
		}
		f := &fixture{Fixture: dbtest.NewFixture(t, d), store: portfoliostore.New(d)}
		f.mails = mail.New(mail.Config{
			Store: mailstore.New(d),
			Box:   box,
			Now:   func() time.Time { return dbtest.Now },
		})
		f.HeadNotices = &evidence.HeadNotices{
			Store:   f.store,
			Post:    f.mails,
			Log:     slog.New(slog.NewJSONHandler(f, nil)),
			BaseURL: baseURL,
		}
		test(f)
	})
}

// Write takes a line of the log.
func (f *fixture) Write(line []byte) (int, error) {
	f.mutex.Lock()
	defer f.mutex.Unlock()
	return f.logged.Write(line)
}

// record is the document of a lease with a log.
type record struct {
	agreement.Document
	in  access.Portfolio
	log evidence.Log
}

// record adds a lease with a document, whose log has one entry.
func (f *fixture) record(in access.Portfolio) *record {
	f.Helper()
	f.made++
	book := dbtest.Filled(in.Mode, dbtest.NewFiller(rand.New(rand.NewPCG(30, f.made)), 0))
	book.Leases[0].RentalAddress = fmt.Sprintf("%d Maple Avenue", f.made)
	f.OK(f.Portfolio.Add(f.Context(), in, book))
	r := &record{in: in}
	r.ID, r.LeaseID, r.Number = id.New(id.Document, dbtest.Now), book.Leases[0].ID, 1
	r.CreatedAt, r.Body, r.SHA256, r.Content = clock.At(dbtest.Now), "{}", "-", []byte("%PDF")
	r.EvidenceKey = []byte("sealed")
	r.log = evidence.Log{Subject: r.ID, Key: make([]byte, 32)}
	first := r.log.Append(&r.Anchor, evidence.Entry{At: r.CreatedAt, Kind: evidence.Generated})
	f.OK(portfoliostore.New(f.DB).AddDocument(f.Context(), in, &r.Document, []evidence.Entry{first}))
	return r
}

// grow appends an entry to a log.
func (f *fixture) grow(r *record) {
	f.Helper()
	e := r.log.Append(&r.Anchor, evidence.Entry{At: r.CreatedAt, Kind: evidence.Viewed, Name: "Sam"})
	f.OK(portfoliostore.New(f.DB).AddEvidence(f.Context(), r.in, &r.Document, []evidence.Entry{e}))
}

// line is what the log of the service says of a record.
func (r *record) line() string {
	return fmt.Sprintf("%s %s %d %s %s", r.LeaseID, r.ID, r.Anchor.Count, r.Anchor.Head, r.in.Mode)
}

// says expects lines of the log, in any order, and forgets them.
func (f *fixture) says(want ...string) {
	f.Helper()
	var got []string
	for line := range strings.Lines(f.logged.String()) {
		var l struct {
			Msg, Level, Lease, Document, Head, Mode string
			Entries                                 int
		}
		f.OK(json.Unmarshal([]byte(line), &l))
		if l.Msg != "head of the log of a lease" || l.Level != "INFO" {
			f.Errorf("the log says %s", line)
		}
		got = append(got, fmt.Sprintf("%s %s %d %s %s", l.Lease, l.Document, l.Entries, l.Head, l.Mode))
	}
	f.logged.Reset()
	slices.Sort(got)
	slices.Sort(want)
	if !slices.Equal(got, want) {
		f.Fatalf("the log says\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
}

// mailed expects emails to these people, in the order of their addresses, and forgets them.
func (f *fixture) mailed(to ...string) (all []*mail.StoredMail) {
	f.Helper()
	entries, err := f.mails.Mails(f.Context(), mail.Filter{Limit: 100})
	f.OK(err)
	slices.SortFunc(entries, func(a, b mail.Entry) int { return strings.Compare(a.To, b.To) })
	var got []string
	for _, e := range entries {
		got = append(got, e.To)
		m, err := f.mails.Mail(f.Context(), e.ID)
		f.OK(err)
		all = append(all, m)
	}
	if !slices.Equal(got, to) {
		f.Fatalf("%v get an email, want %v", got, to)
	}
	f.Raw("DELETE FROM mails")
	return all
}

// wants has a member want the heads.
func (f *fixture) wants(l dbtest.Landlord, userID string) {
	f.Helper()
	f.OK(f.Accounts.SetLeaseRecordMail(f.Context(), l.Account.ID, userID, true))
}

func (f *fixture) tells() {
	f.Helper()
	f.OK(f.Tell(f.Context(), dbtest.Now))
}

func TestHeadIsReportedOnceUntilLogGrows(t *testing.T) {
	onBoth(t, func(f *fixture) {
		dana := f.Landlord("dana")
		f.wants(dana, dana.ID)
		f.tells()
		f.says()
		f.mailed()
		a, b := f.record(dana.Live), f.record(dana.Live)
		f.grow(b)
		f.tells()
		f.says(a.line(), b.line())
		f.mailed("dana@example.com")
		f.tells()
		f.says()
		f.mailed()
		f.grow(a)
		f.grow(a)
		f.tells()
		f.says(a.line())
		m := f.mailed("dana@example.com")[0]
		if strings.Contains(m.Content.Text, b.LeaseID) || !strings.Contains(m.Content.Text, a.Anchor.Head) {
			f.Errorf("the email says %s", m.Content.Text)
		}
	})
}

func TestEmailGoesToSubscribedOwners(t *testing.T) {
	onBoth(t, func(f *fixture) {
		dana, robin, kim := f.Landlord("dana"), f.Landlord("robin"), f.Landlord("kim")
		member := func(role access.Role) {
			f.Helper()
			f.OK(f.Accounts.SetMember(f.Context(), dana.Account.ID, kim.ID, role, clock.At(dbtest.Now)+1))
		}
		member(access.Owner)
		f.wants(dana, kim.ID)
		f.wants(robin, robin.ID)
		a, b := f.record(dana.Live), f.record(robin.Live)
		f.tells()
		f.says(a.line(), b.line())
		for i, m := range f.mailed("kim@example.com", "robin@example.com") {
			own, other := []*record{a, b}[i], []*record{b, a}[i]
			text := m.Content.Text
			if !strings.Contains(text, own.LeaseID) || strings.Contains(text, other.LeaseID) ||
				strings.Contains(text, other.Anchor.Head) {
				f.Errorf("%s reads %s", m.To, text)
			}
		}

		member(access.Manager) // demoted
		f.grow(a)
		f.tells()
		f.says(a.line())
		f.mailed()
		member(access.Owner)
		f.OK(f.Accounts.RemoveMember(f.Context(), dana.Account.ID, kim.ID))
		f.grow(a)
		f.tells()
		f.says(a.line())
		f.mailed()

		f.OK(f.Accounts.SetLeaseRecordMail(f.Context(), robin.Account.ID, robin.ID, false))
		f.grow(b)
		f.tells()
		f.says(b.line())
		f.mailed()
	})
}

func TestDemoAndClosedAccountHeadsAreLoggedNotEmailed(t *testing.T) {
	onBoth(t, func(f *fixture) {
		dana, robin := f.Landlord("dana"), f.Landlord("robin")
		f.wants(dana, dana.ID)
		f.wants(robin, robin.ID)
		demo, closed := f.record(dana.Test), f.record(robin.Live)
		f.Raw("UPDATE accounts SET closed_at = $1 WHERE id = $2", clock.At(dbtest.Now), robin.Account.ID)
		f.tells()
		f.says(demo.line(), closed.line())
		f.mailed()
		f.tells()
		f.says()
	})
}

// failing takes emails to one address, and fails then.
type failing struct {
	mail.Post
	to string
}

// Send implements mail.Post.
func (p failing) Send(ctx context.Context, m *mail.Message) error {
	if err := p.Post.Send(ctx, m); err != nil || m.To != p.to {
		return err
	}
	return errors.New("the process ended")
}

// single finds one portfolio at a time.
type single struct{ evidence.HeadStore }

// Untold implements evidence.HeadStore.
func (s single) Untold(ctx context.Context, behind int64, _ int) ([]access.Portfolio, error) {
	return s.HeadStore.Untold(ctx, behind, 1)
}

func TestFailingPortfolioDoesNotBlockOthers(t *testing.T) {
	onBoth(t, func(f *fixture) {
		f.Store = single{f.store}
		var all []*record
		for _, name := range []string{"ann", "bo", "cy"} {
			l := f.Landlord(name)
			f.wants(l, l.ID)
			all = append(all, f.record(l.Live))
		}
		f.Post = failing{f.mails, "bo@example.com"}
		err := f.Tell(f.Context(), dbtest.Now)
		if err == nil || !strings.Contains(err.Error(), fmt.Sprintf("portfolio %d: the process ended", all[1].in.ID)) {
			f.Errorf("telling ends with %v", err)
		}
		f.says(all[0].line(), all[1].line(), all[2].line())
		f.mailed("ann@example.com", "cy@example.com")

		f.Post = f.mails // what was rolled back is told again, and mailed once
		f.tells()
		f.says(all[1].line())
		f.mailed("bo@example.com")
		f.tells()
		f.says()
		f.mailed()
	})
}

func TestConcurrentNodesReportHeadsOnce(t *testing.T) {
	onBoth(t, func(f *fixture) {
		dana := f.Landlord("dana")
		f.wants(dana, dana.ID)
		f.record(dana.Live)
		failed := make([]error, 6)
		var all sync.WaitGroup
		for i := range failed {
			all.Go(func() { failed[i] = f.Tell(f.Context(), dbtest.Now) })
		}
		all.Wait()
		f.OK(errors.Join(failed...))
		f.mailed("dana@example.com")
	})
}

func TestEmailExplainsWhatToDo(t *testing.T) {
	onBoth(t, func(f *fixture) {
		dana := f.Landlord("dana")
		f.wants(dana, dana.ID)
		r := f.record(dana.Live)
		f.grow(r)
		f.tells()
		m := f.mailed("dana@example.com")[0]
		f.Same(m.Subject, "Lease records of November 12, 2026: 1 changed")
		for _, part := range []string{m.Content.Text, m.Content.HTML} {
			for _, want := range []string{
				"1 Maple Avenue", r.LeaseID, r.Anchor.Head, "Keep this email", "portal agreement verify",
				baseURL + "/verify", baseURL + "/settings/mail", "records of dana",
			} {
				if !strings.Contains(part, want) {
					f.Errorf("it does not say %q: %s", want, part)
				}
			}
		}
		if !strings.Contains(m.Content.Text, "Entries:      2\n") || strings.Contains(m.Content.Text, "more") {
			f.Errorf("it says %s", m.Content.Text)
		}
	})
}

// many has so many heads.
type many struct {
	evidence.HeadStore
	n int
}

// TakeUntold implements evidence.HeadStore.
func (s many) TakeUntold(ctx context.Context, in access.Portfolio) ([]evidence.Head, error) {
	all, err := s.HeadStore.TakeUntold(ctx, in)
	for i := len(all); i > 0 && i < s.n; i++ {
		all = append(all, all[0])
	}
	return all, err
}

func TestLongListIsTruncatedInEmailButNotInLog(t *testing.T) {
	onBoth(t, func(f *fixture) {
		f.Store = many{f.store, 502}
		dana := f.Landlord("dana")
		f.wants(dana, dana.ID)
		r := f.record(dana.Live)
		f.tells()
		if n := strings.Count(f.logged.String(), r.Anchor.Head); n != 502 {
			f.Errorf("the log has %d lines", n)
		}
		m := f.mailed("dana@example.com")[0]
		f.Same(m.Subject, "Lease records of November 12, 2026: 502 changed")
		for _, part := range []string{m.Content.Text, m.Content.HTML} {
			if strings.Count(part, r.Anchor.Head) != 500 ||
				!strings.Contains(part, "2 more are in the log of the service.") {
				f.Errorf("%d heads", strings.Count(part, r.Anchor.Head))
			}
		}
	})
}

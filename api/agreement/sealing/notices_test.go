package sealing_test

import (
	"context"
	"errors"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"portal/api/agreement/sealing"
	"portal/api/mail"
	"portal/db/mailstore"
	"portal/db/servicestore"
)

// notices tells of the end of a key's certificate, by emails that are kept.
func (f *fixture) notices(k *sealing.Key) *sealing.Notices {
	return &sealing.Notices{
		Key:   k,
		Store: servicestore.ForSealNotices(f.DB),
		Post:  f.post(),
		Now:   f.clock,
	}
}

func (f *fixture) post() *mail.Service {
	return mail.New(mail.Config{Store: mailstore.New(f.DB), Box: f.box, Now: f.clock})
}

// told expects emails to these people, in the order of their addresses, and forgets them.
func (f *fixture) told(to ...string) (all []*mail.StoredMail) {
	f.Helper()
	entries, err := f.post().Mails(f.Context(), mail.Filter{Limit: 100})
	f.OK(err)
	var got []string
	for _, e := range entries {
		got = append(got, e.To)
		m, err := f.post().Mail(f.Context(), e.ID)
		f.OK(err)
		all = append(all, m)
	}
	slices.Sort(got)
	if !slices.Equal(got, to) {
		f.Fatalf("on %s %v are told, want %v", f.now, got, to)
	}
	f.Raw("DELETE FROM mails")
	return all
}

// staffed has two people of the staff and a landlord.
func (f *fixture) staffed() {
	f.Helper()
	f.OK(f.User(f.Context(), "ann@example.com"))
	f.OK(f.User(f.Context(), "bo@example.com"))
	f.Landlord("dana")
}

func TestStaffAreNotifiedOnceAt30DaysAndOnceAt7(t *testing.T) {
	onBoth(t, func(f *fixture) {
		f.staffed()
		key := f.open()
		tell := f.notices(key).TellOfExpiry
		at := func(left time.Duration, to ...string) []*mail.StoredMail {
			f.Helper()
			f.now = key.Expires().Add(-left)
			f.OK(tell(f.Context()))
			return f.told(to...)
		}
		at(31 * day)
		at(30*day + time.Second)
		at(30*day, "ann@example.com", "bo@example.com")
		at(30 * day)
		at(29 * day)
		f.OK(f.User(f.Context(), "cy@example.com"))
		at(8*day, "cy@example.com")
		at(7*day + time.Second)
		at(7*day, "ann@example.com", "bo@example.com", "cy@example.com")
		at(6 * day)
		at(0)
		at(-400 * day)
		f.OK(f.User(f.Context(), "di@example.com"))
		at(-401*day, "di@example.com")

		next := f.open() // renewed
		f.now = next.Expires().Add(-20 * day)
		f.OK(f.notices(next).TellOfExpiry(f.Context()))
		f.told("ann@example.com", "bo@example.com", "cy@example.com", "di@example.com")
	})
}

func TestConcurrentNodesNotifyOnce(t *testing.T) {
	onBoth(t, func(f *fixture) {
		f.staffed()
		key := f.open()
		f.now = key.Expires().Add(-20 * day)
		failed := make([]error, 8)
		var all sync.WaitGroup
		for i := range failed {
			all.Go(func() { failed[i] = f.notices(key).TellOfExpiry(f.Context()) })
		}
		all.Wait()
		f.OK(errors.Join(failed...))
		f.told("ann@example.com", "bo@example.com")
	})
}

func TestEmailStatesCertificateExpiryAndWhatToDo(t *testing.T) {
	onBoth(t, func(f *fixture) {
		f.OK(f.User(f.Context(), "ann@example.com"))
		expect := func(subject string, words ...string) {
			f.Helper()
			m := f.told("ann@example.com")[0]
			f.Same(m.Subject, subject)
			for _, part := range []string{m.Content.Text, m.Content.HTML} {
				for _, w := range words {
					f.Want(strings.Contains(part, w), "it does not say %q: %s", w, part)
				}
			}
		}
		made := f.open()
		f.now = time.Date(2036, 11, 1, 12, 0, 0, 0, time.UTC)
		f.OK(f.notices(made).TellOfExpiry(f.Context()))
		expect("Seal certificate expires on November 12, 2036",
			"expires on", "November 12, 2036, 12:00 UTC", "portal at portal.example.com", "Restart every node",
			"created this certificate itself")

		c := f.config()
		c.Configured = f.configured(f.now.Add(-time.Hour))
		key, err := sealing.Open(f.Context(), c)
		f.OK(err)
		f.OK(f.notices(key).TellOfExpiry(f.Context()))
		expect("Seal certificate expired on November 1, 2036",
			"expired on", "November 1, 2036, 11:00 UTC", "Harbor Lane Rentals", "PORTAL_SEAL_CERT and PORTAL_SEAL_KEY")
	})
}

// failing refuses emails to one address.
type failing struct {
	mail.Post
	to string
}

// Send implements mail.Post.
func (p failing) Send(ctx context.Context, m *mail.Message) error {
	if m.To == p.to {
		return errors.New("no room")
	}
	return p.Post.Send(ctx, m)
}

func TestFailedNoticeIsRetriedNextTime(t *testing.T) {
	onBoth(t, func(f *fixture) {
		f.staffed()
		key := f.open()
		f.now = key.Expires().Add(-20 * day)
		n := f.notices(key)
		n.Post = failing{n.Post, "ann@example.com"}
		f.Refused(n.TellOfExpiry(f.Context()), "a failure")
		f.told("bo@example.com")
		f.OK(f.notices(key).TellOfExpiry(f.Context()))
		f.told("ann@example.com")
	})
}

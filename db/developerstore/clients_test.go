package developerstore_test

import (
	"errors"
	"fmt"
	"slices"
	"sync"
	"time"

	"portal/api/access"
	"portal/api/clock"
	"portal/api/developer"
	"portal/db/dbtest"
)

var clients = []promise{
	{"AClientIsWhatItToldLast", aClientIsWhatItToldLast},
	{"AClientThatIsSeenAgainAtOnceIsNotWrittenAgain", aClientThatIsSeenAgainAtOnceIsNotWrittenAgain},
	{"ClientsSeenByManyAtOnceAreAllKnown", clientsSeenByManyAtOnceAreAllKnown},
	{"AKeyHasFiftyClientsAtMost", aKeyHasFiftyClientsAtMost},
	{"ClientsAreListedTheLastSeenFirst", clientsAreListedTheLastSeenFirst},
	{"ClientsThatWereNotSeenForLongAreForgottenInPortions", clientsThatWereNotSeenForLongAreForgottenInPortions},
}

// sight is one of a client of a key, so long after noon.
func sight(in access.Portfolio, key, userAgent string, after time.Duration) developer.Client {
	at := clock.At(dbtest.Now.Add(after))
	return developer.Client{
		PortfolioID: in.ID,
		KeyID:       key,
		UserAgent:   userAgent,
		FirstSeenAt: at,
		LastSeenAt:  at,
	}
}

func (r *fixture) clients(in access.Portfolio, key string) []developer.Client {
	r.Helper()
	found, err := r.Developer.Clients(r.Context(), in, key, 1000)
	r.OK(err)
	return found
}

func (r *fixture) see(all ...developer.Client) {
	r.Helper()
	r.OK(r.Developer.SeeClients(r.Context(), all))
}

func aClientIsWhatItToldLast(r *fixture) {
	l := r.Landlord("dana")
	s := func(name, version, protocol string, after time.Duration) developer.Client {
		c := sight(l.Live, "key_1", "node", after)
		c.Name, c.Version, c.Protocol = name, version, protocol
		return c
	}
	want := s("", "", "", 0)
	for i, step := range []struct {
		sights                  []developer.Client
		name, version, protocol string
		last                    time.Duration
	}{
		{[]developer.Client{s("", "", "", 0)}, "", "", "", 0},
		{[]developer.Client{s("Claude", "1", "2024-11-05", time.Second)}, "Claude", "1", "2024-11-05", time.Second},
		{[]developer.Client{s("", "", "", time.Hour)}, "Claude", "1", "2024-11-05", time.Hour},
		{[]developer.Client{s("", "", "2025-06-18", time.Hour)}, "Claude", "1", "2025-06-18", time.Hour},
		{[]developer.Client{s("Claude", "2", "", time.Minute)}, "Claude", "2", "2025-06-18", time.Hour},
		{
			[]developer.Client{s("Cursor", "", "", 2*time.Hour), s("", "", "2025-11-25", 3*time.Hour)},
			"Cursor",
			"",
			"2025-11-25",
			3 * time.Hour,
		},
	} {
		r.see(step.sights...)
		want.Name = step.name
		want.Version = step.version
		want.Protocol = step.protocol
		want.LastSeenAt = clock.At(dbtest.Now.Add(step.last))
		got := r.clients(l.Live, "key_1")
		r.Want(slices.Equal(got, []developer.Client{want}), "%d: %s", i, dbtest.Show(got))
	}
	r.OK(r.Developer.SeeClients(r.Context(), nil))
}

func aClientThatIsSeenAgainAtOnceIsNotWrittenAgain(r *fixture) {
	l := r.Landlord("dana")
	for _, step := range []struct{ at, want time.Duration }{
		{0, 0},
		{59 * time.Second, 0},
		{time.Minute, time.Minute},
		{0, time.Minute},
		{119 * time.Second, time.Minute},
	} {
		r.see(sight(l.Live, "key_1", "node", step.at))
		r.Same(r.clients(l.Live, "")[0].LastSeenAt, clock.At(dbtest.Now.Add(step.want)))
	}
}

// Several nodes see the same clients of the same keys, each in an order of its own.
func clientsSeenByManyAtOnceAreAllKnown(r *fixture) {
	l := r.Landlord("dana")
	var keys []string
	for range 5 {
		keys = append(keys, r.Key(l, l.Live, 1).ID)
	}
	errs := make([]error, 8)
	var all sync.WaitGroup
	for w := range errs {
		all.Go(func() {
			for i := range 10 {
				var batch []developer.Client
				for k := range keys {
					c := sight(l.Live, keys[(k+w)%len(keys)], fmt.Sprint("agent ", i%4), time.Duration(i)*time.Hour)
					c.Name = fmt.Sprint("client ", i%4)
					batch = append(batch, c)
				}
				errs[w] = errors.Join(errs[w], r.Developer.SeeClients(r.Context(), batch))
			}
		})
	}
	all.Wait()
	r.OK(errors.Join(errs...))
	got := r.clients(l.Live, "")
	r.Want(len(got) == 4*len(keys), "%d clients", len(got))
	for _, c := range got {
		var n int
		_, err := fmt.Sscanf(c.UserAgent, "agent %d", &n)
		r.OK(err)
		last := map[bool]int{true: n + 8, false: n + 4}[n < 2]
		r.Want(c.Name == fmt.Sprint("client ", n) &&
			c.LastSeenAt == clock.At(dbtest.Now.Add(time.Duration(last)*time.Hour)), "%s", dbtest.Show(c))
	}
}

// A key that comes under a new name each time, on several nodes at once, has no more
// than others.
func aKeyHasFiftyClientsAtMost(r *fixture) {
	l := r.Landlord("dana")
	k, beside := r.Key(l, l.Live, 1).ID, r.Key(l, l.Live, 1).ID
	r.see(sight(l.Live, beside, "node", 0), sight(l.Live, k, "the first", 0))
	errs := make([]error, 8)
	var all sync.WaitGroup
	for w := range errs {
		all.Go(func() {
			for i := range 20 {
				errs[w] = errors.Join(
					errs[w],
					r.Developer.SeeClients(
						r.Context(),
						[]developer.Client{sight(l.Live, k, fmt.Sprint("agent ", w, i), time.Duration(1+i)*time.Hour)},
					),
				)
			}
		})
	}
	all.Wait()
	r.OK(errors.Join(errs...))
	got := r.clients(l.Live, k)
	r.Want(len(got) == developer.MaxClients, "%d clients", len(got))
	for i := range got {
		want := clock.At(dbtest.Now.Add(time.Duration(20-i/8) * time.Hour))
		r.Want(got[i].LastSeenAt == want, "the %d. was last seen at %s, want %s", i, got[i].LastSeenAt, want)
	}
	r.Want(len(r.clients(l.Live, beside)) == 1, "a client of another key is gone")
	r.see(sight(l.Live, k, "an old one", 0))
	r.Same(r.clients(l.Live, k), got)
}

func clientsAreListedTheLastSeenFirst(r *fixture) {
	here, there := r.Landlord("dana"), r.Landlord("robin")
	a := sight(here.Live, "key_1", "a", 0)
	b := sight(here.Live, "key_2", "", time.Hour)
	c := sight(here.Live, "key_1", "c", time.Hour)
	foreign := sight(there.Live, "key_1", "a", 2*time.Hour)
	r.see(a, b, c, foreign)
	r.Same(r.clients(here.Live, ""), []developer.Client{c, b, a})
	r.Same(r.clients(here.Live, "key_1"), []developer.Client{c, a})
	r.Same(r.clients(there.Live, "key_1"), []developer.Client{foreign})
	r.Same(r.clients(there.Live, "key_2"), []developer.Client{})
	r.Same(r.clients(here.Test, ""), []developer.Client{})
	first, err := r.Developer.Clients(r.Context(), here.Live, "", 1)
	r.OK(err)
	r.Same(first, []developer.Client{c})
}

func clientsThatWereNotSeenForLongAreForgottenInPortions(r *fixture) {
	here, there := r.Landlord("dana"), r.Landlord("robin")
	for i := range 25 {
		in := []access.Portfolio{here.Live, there.Test}[i%2]
		r.see(sight(in, "key_1", fmt.Sprint("agent ", i), time.Duration(i)*time.Millisecond))
	}
	before := clock.At(dbtest.Now) + 17
	for _, step := range []struct{ most, gone, left int }{
		{10, 10, 15},
		{5, 5, 10},
		{0, 0, 10},
		{10, 2, 8},
		{10, 0, 8},
	} {
		n, err := r.Developer.ForgetClients(r.Context(), before, step.most)
		r.OK(err)
		r.Want(n == int64(step.gone), "%d of at most %d, want %d", n, step.most, step.gone)
		r.Same(r.Text("count(*)", "assistant_clients"), fmt.Sprint(step.left))
		r.Same(
			r.Text("min(last_seen_at)", "assistant_clients"),
			fmt.Sprint(int64(clock.At(dbtest.Now))+int64(25-step.left)),
		)
	}
}

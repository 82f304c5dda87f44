package dbtest

import (
	"errors"
	"fmt"
	"slices"
	"sync"
	"time"

	"portal/api/access"
	"portal/api/clock"
	"portal/api/developer"
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
	at := clock.At(noon.Add(after))
	return developer.Client{PortfolioID: in.ID, KeyID: key, UserAgent: userAgent, FirstSeenAt: at, LastSeenAt: at}
}

func (r *rig) clients(in access.Portfolio, key string) []developer.Client {
	r.Helper()
	found, err := r.Clients(r.Context(), in, key, 1000)
	r.ok(err)
	return found
}

func (r *rig) see(all ...developer.Client) {
	r.Helper()
	r.ok(r.SeeClients(r.Context(), all))
}

func aClientIsWhatItToldLast(r *rig) {
	l := r.landlord("dana")
	s := func(name, version, protocol string, after time.Duration) developer.Client {
		c := sight(l.live, "key_1", "node", after)
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
		{[]developer.Client{s("Cursor", "", "", 2*time.Hour), s("", "", "2025-11-25", 3*time.Hour)}, "Cursor", "", "2025-11-25", 3 * time.Hour},
	} {
		r.see(step.sights...)
		want.Name, want.Version, want.Protocol, want.LastSeenAt = step.name, step.version, step.protocol, clock.At(noon.Add(step.last))
		got := r.clients(l.live, "key_1")
		r.want(slices.Equal(got, []developer.Client{want}), "%d: %s", i, show(got))
	}
	r.ok(r.SeeClients(r.Context(), nil))
}

func aClientThatIsSeenAgainAtOnceIsNotWrittenAgain(r *rig) {
	l := r.landlord("dana")
	for _, step := range []struct{ at, want time.Duration }{{0, 0}, {59 * time.Second, 0}, {time.Minute, time.Minute}, {0, time.Minute}, {119 * time.Second, time.Minute}} {
		r.see(sight(l.live, "key_1", "node", step.at))
		r.same(r.clients(l.live, "")[0].LastSeenAt, clock.At(noon.Add(step.want)))
	}
}

// Several nodes see the same clients of the same keys, each in an order of its own.
func clientsSeenByManyAtOnceAreAllKnown(r *rig) {
	l := r.landlord("dana")
	var keys []string
	for range 5 {
		keys = append(keys, r.key(l, l.live, 1).ID)
	}
	errs := make([]error, 8)
	var all sync.WaitGroup
	for w := range errs {
		all.Go(func() {
			for i := range 10 {
				var batch []developer.Client
				for k := range keys {
					c := sight(l.live, keys[(k+w)%len(keys)], fmt.Sprint("agent ", i%4), time.Duration(i)*time.Hour)
					c.Name = fmt.Sprint("client ", i%4)
					batch = append(batch, c)
				}
				errs[w] = errors.Join(errs[w], r.SeeClients(r.Context(), batch))
			}
		})
	}
	all.Wait()
	r.ok(errors.Join(errs...))
	got := r.clients(l.live, "")
	r.want(len(got) == 4*len(keys), "%d clients", len(got))
	for _, c := range got {
		var n int
		_, err := fmt.Sscanf(c.UserAgent, "agent %d", &n)
		r.ok(err)
		last := map[bool]int{true: n + 8, false: n + 4}[n < 2]
		r.want(c.Name == fmt.Sprint("client ", n) && c.LastSeenAt == clock.At(noon.Add(time.Duration(last)*time.Hour)), "%s", show(c))
	}
}

// A key that comes under a new name each time, on several nodes at once, has no more
// than others.
func aKeyHasFiftyClientsAtMost(r *rig) {
	l := r.landlord("dana")
	k, beside := r.key(l, l.live, 1).ID, r.key(l, l.live, 1).ID
	r.see(sight(l.live, beside, "node", 0), sight(l.live, k, "the first", 0))
	errs := make([]error, 8)
	var all sync.WaitGroup
	for w := range errs {
		all.Go(func() {
			for i := range 20 {
				errs[w] = errors.Join(errs[w], r.SeeClients(r.Context(), []developer.Client{sight(l.live, k, fmt.Sprint("agent ", w, i), time.Duration(1+i)*time.Hour)}))
			}
		})
	}
	all.Wait()
	r.ok(errors.Join(errs...))
	got := r.clients(l.live, k)
	r.want(len(got) == developer.MaxClients, "%d clients", len(got))
	for i := range got {
		want := clock.At(noon.Add(time.Duration(20-i/8) * time.Hour))
		r.want(got[i].LastSeenAt == want, "the %d. was last seen at %s, want %s", i, got[i].LastSeenAt, want)
	}
	r.want(len(r.clients(l.live, beside)) == 1, "a client of another key is gone")
	r.see(sight(l.live, k, "an old one", 0))
	r.same(r.clients(l.live, k), got)
}

func clientsAreListedTheLastSeenFirst(r *rig) {
	here, there := r.landlord("dana"), r.landlord("robin")
	a, b, c := sight(here.live, "key_1", "a", 0), sight(here.live, "key_2", "", time.Hour), sight(here.live, "key_1", "c", time.Hour)
	foreign := sight(there.live, "key_1", "a", 2*time.Hour)
	r.see(a, b, c, foreign)
	r.same(r.clients(here.live, ""), []developer.Client{c, b, a})
	r.same(r.clients(here.live, "key_1"), []developer.Client{c, a})
	r.same(r.clients(there.live, "key_1"), []developer.Client{foreign})
	r.same(r.clients(there.live, "key_2"), []developer.Client{})
	r.same(r.clients(here.test, ""), []developer.Client{})
	first, err := r.Clients(r.Context(), here.live, "", 1)
	r.ok(err)
	r.same(first, []developer.Client{c})
}

func clientsThatWereNotSeenForLongAreForgottenInPortions(r *rig) {
	here, there := r.landlord("dana"), r.landlord("robin")
	for i := range 25 {
		in := []access.Portfolio{here.live, there.test}[i%2]
		r.see(sight(in, "key_1", fmt.Sprint("agent ", i), time.Duration(i)*time.Millisecond))
	}
	before := clock.At(noon) + 17
	for _, step := range []struct{ most, gone, left int }{{10, 10, 15}, {5, 5, 10}, {0, 0, 10}, {10, 2, 8}, {10, 0, 8}} {
		n, err := r.ForgetClients(r.Context(), before, step.most)
		r.ok(err)
		r.want(n == int64(step.gone), "%d of at most %d, want %d", n, step.most, step.gone)
		r.same(r.text("count(*)", "assistant_clients"), fmt.Sprint(step.left))
		r.same(r.text("min(last_seen_at)", "assistant_clients"), fmt.Sprint(int64(clock.At(noon))+int64(25-step.left)))
	}
}

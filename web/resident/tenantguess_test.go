package resident_test

import (
	"fmt"
	"io"
	"maps"
	"net/http"
	"net/http/httptest"
	"strconv"
	"strings"
	"testing"

	"portal/api/portfolio"
	"portal/api/sampled"
	"portal/api/secret"
	"portal/api/tenantportal"
	"portal/db/dbtest"
	"portal/web/pagetest"
)

// guesses is how many links are guessed: a sample of them, or all.
func guesses() int {
	if sampled.Whole {
		return 100_000
	}
	return 2_000
}

// missesAMinute is how many links that open nothing an address may ask for in each minute.
const missesAMinute = 60

func TestGuessedLinksAreThrottledAndRevealNothing(t *testing.T) {
	t.Parallel()
	f := newTenantPages(t, dbtest.SQLite(t), true)
	r := f.rents(&f.home, f.home.Live, "3A", portfolio.PartyPrimary)[0]
	revoked := f.newLink(r, false)
	pagetest.Must(t, f.tenants.RevokeLink(t.Context(), r.by, r.id))
	r.link = f.newLink(r, false)
	s := httptest.NewServer(f)
	t.Cleanup(s.Close)
	get := func(path string) (status int, retry, rest string) {
		t.Helper()
		request, err := http.NewRequestWithContext(t.Context(), http.MethodGet, s.URL+path, http.NoBody)
		pagetest.Must(t, err)
		response, err := s.Client().Do(request)
		pagetest.Must(t, err)
		defer response.Body.Close()
		body, err := io.ReadAll(response.Body)
		pagetest.Must(t, err)
		h := maps.Clone(response.Header)
		for _, name := range []string{"X-Request-Id", "Date"} {
			h.Del(name)
		}
		return response.StatusCode, h.Get("Retry-After"), fmt.Sprint(h, string(body))
	}
	said := map[int]string{}
	for i := range guesses() {
		token := secret.New()
		if i%10 == 0 {
			token = revoked // was one
		}
		status, retry, rest := get(tenantportal.Path + token + []string{"", "/payments", "/tickets", "/mail/stop"}[i%4])
		want := http.StatusTooManyRequests
		if i < missesAMinute {
			want = http.StatusNotFound
		}
		if said[status] == "" {
			said[status] = rest
		}
		if seconds, err := strconv.Atoi(retry); (err == nil && 0 < seconds && seconds <= 60) != (want == 429) ||
			status != want || rest != said[status] || strings.Contains(rest, token) {
			t.Fatalf("guess %d: %d, want %d, again in %q s:\n%s\nnot\n%s", i, status, want, retry, rest, said[status])
		}
		if i%500 != 0 {
			continue
		}
		if status, _, rest := get(r.at("")); status != http.StatusOK || !strings.Contains(rest, "Unit 3A") {
			t.Fatalf("the good link after guess %d: %d", i, status)
		}
	}
}

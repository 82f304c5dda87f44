package dispatch_test

import (
	"net/http"
	"strings"
	"testing"
	"time"
)

func TestOwnersAreEmailedOnceAfterADayOfFailures(t *testing.T) {
	sendingOverBoth(t, func(t *testing.T, p *post) {
		var box mailRecorder
		p.Mail = &box
		p.owners(p.Live, "dana@example.com", "sam@example.com")
		s := newReceiver(t, func(_ int, w http.ResponseWriter) {
			w.WriteHeader(http.StatusBadGateway)
			_, _ = w.Write([]byte("<b>upstream</b> " + strings.Repeat("x", 600)))
		})
		e := p.Create(p.Live, s.URL)
		tell := func() int {
			t.Helper()
			must(t, p.TellOfFailing(t.Context()))
			return len(box.mails())
		}
		for n, hours := range []int{0, 23, 2} {
			p.forward.Add(int64(time.Duration(hours) * time.Hour))
			p.raise(p.Live)
			s.wait(t, 1)
			until(t, "it is noted", func() bool { return p.Count("delivery_attempts") == n+1 })
			p.Exec("UPDATE deliveries SET status = 'failed', next_attempt_at = NULL")
			if got := tell(); got != 0 && n < 2 {
				t.Fatalf("%d emails after less than a day", got)
			}
		}
		if n := tell(); n != 2 {
			t.Fatalf("%d emails", n)
		}
		all := box.mails()
		for _, want := range []string{
			s.URL, e.ID, "502", "> <b>upstream</b> xxx",
			"status: The receiver answered 502 Bad Gateway.", "we turn it off after",
			"Choose which emails you get",
		} {
			if !strings.Contains(all[0].Text, want) {
				t.Errorf("the email lacks %q:\n%s", want, all[0].Text)
			}
		}
		if all[0].To != "dana@example.com" || all[1].To != "sam@example.com" ||
			all[0].Subject != "Webhook endpoint failing: "+s.URL ||
			strings.Contains(all[0].HTML, "<b>upstream") || strings.Count(all[0].Text, "x") > 520 {
			t.Errorf("%+v", all[0])
		}
		p.Exec("UPDATE webhook_endpoints SET failing_since = failing_since - 1")
		if n := tell(); n != 4 {
			t.Errorf("%d emails after another spell", n)
		}
	})
}

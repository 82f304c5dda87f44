package developer_test

import (
	"net/url"
	"slices"
	"strings"
	"testing"
	"time"

	"portal/api/access"
	"portal/api/clock"
	"portal/api/event"
	"portal/api/id"
	"portal/api/webhook"
	"portal/db"
	"portal/db/dbtest"
	"portal/web/live"
	"portal/web/pagetest"
	"portal/web/webtest"
)

// openList are pages with one delivery, of which a list is opened, and the streams that keep it up to date.
func openList(t *testing.T, query string) (*pagetest.WebhookPages, *webhook.Endpoint, *live.Streams, *webtest.Window) {
	t.Helper()
	t.Parallel()
	b, y, streams := pagetest.Browser(t), pagetest.NewWebhookPagesAt(t, pagetest.BaseURL), live.New()
	streams.Pace.Look = 20 * time.Millisecond
	y.Config.Streams = streams
	y.Pages = pagetest.Build(y.Config)
	y.Echo = pagetest.Wired(y.Pages)
	e := y.Endpoint("https://hooks.example.com/", nil)
	y.Sent(e, event.LeaseSigned, good(), nil)
	y.Now = y.Now.Add(time.Second) // and it stays: the pages read it meanwhile
	w := b.Window(t)
	w.Visit(webtest.Desktop, y.Opened(y.Member(access.Owner))+"/test/webhooks/deliveries"+query)
	w.Await(`!document.querySelector("[data-pause]").hidden`)
	return y, e, streams, w
}

func TestLiveListShowsNewDeliveriesUnlessPaused(t *testing.T) {
	y, e, _, w := openList(t, "?type=lease.signed")
	y.Sent(e, event.PaymentSucceeded, good(), nil) // another type than the one that is asked for
	first := y.Sent(e, event.LeaseSigned, bad("no"), nil)
	w.Await(`document.querySelector("tbody tr").id === "` + first + `"`)
	w.Await(`document.querySelector("tbody tr").innerText.includes("Failed")`) // it was pending for a moment
	if rows := webtest.Value[int](w, `document.querySelectorAll("tbody tr").length`); rows != 2 {
		t.Errorf("%d rows are shown", rows)
	}

	w.Click("[data-pause]")
	next := y.Sent(e, event.LeaseSigned, good(), nil)
	w.Await(`document.querySelector("[data-pause]").innerText.includes("1 new")`)
	if webtest.Value[bool](w, `!!document.getElementById("`+next+`")`) {
		t.Error("a paused list shows it")
	}
	w.Click("[data-pause]")
	w.Await(`document.getElementById("` + next + `")`)
	if text := w.Text("[data-pause]"); strings.Contains(text, "new") {
		t.Errorf("the button still says %q", text)
	}
	w.Check("live deliveries")
}

func TestHiddenTabUpdatesWhenVisibleAgain(t *testing.T) {
	y, e, streams, w := openList(t, "")
	seen := y.Sent(e, event.LeaseSigned, good(), nil)
	w.Await(`document.getElementById("` + seen + `")?.innerText.includes("Delivered")`)
	awaitStreams(t, streams, 1)
	const turn = `Object.defineProperty(document, "hidden", {value: %HIDDEN, configurable: true});
		document.dispatchEvent(new Event("visibilitychange"))`
	w.Do(strings.Replace(turn, "%HIDDEN", "true", 1))
	awaitStreams(t, streams, 0)
	missed := y.Sent(e, event.LeaseSigned, good(), nil)
	if webtest.Value[bool](w, `!!document.getElementById("`+missed+`")`) {
		t.Error("a hidden tab is updated")
	}
	w.Do(strings.Replace(turn, "%HIDDEN", "false", 1))
	w.Await(`document.getElementById("` + missed + `")`)
}

// awaitStreams waits until so many streams are open.
func awaitStreams(t *testing.T, s *live.Streams, want int) {
	t.Helper()
	for until := time.Now().Add(10 * time.Second); s.Open() != want; {
		if time.Now().After(until) {
			t.Fatalf("%d streams are open, want %d", s.Open(), want)
		}
		time.Sleep(time.Millisecond) //nolint:forbidigo // between two looks
	}
}

func TestLiveListHidesOtherAccountsDeliveries(t *testing.T) {
	y, e, _, w := openList(t, "")
	other := *y
	other.Home = dbtest.NewHome(t, y.DB, "robin")
	foreign := other.Sent(other.Endpoint("https://theirs.example.com/", nil), event.LeaseSigned, good(), nil)
	own := y.Sent(e, event.LeaseSigned, good(), nil)
	w.Await(`document.getElementById("` + own + `")`)
	if webtest.Value[bool](w, `!!document.getElementById("`+foreign+`")`) {
		t.Error("it appears")
	}
}

func TestOnlyNewestDeliveryPageIsLive(t *testing.T) {
	y := pagetest.NewWebhookPages(t)
	r := y.Member(access.Owner)
	for path, want := range map[string]bool{
		"":                                      true,
		"?status=failed":                        true,
		"?sort=oldest":                          false,
		"?after=del_01KA5R2M7Q8D4E6F9G1H3J5K7M": false,
	} {
		body := r.Get("/test/webhooks/deliveries" + path).Body.String()
		if strings.Contains(body, "data-live") != want || strings.Contains(body, "live.") != want {
			t.Errorf("%q is live: %v", path, !want)
		}
	}
}

func TestSelectedDeliveriesAreRetriedTogether(t *testing.T) {
	dbtest.Both(t, func(t *testing.T, d *db.DB) {
		y := pagetest.NewWebhookPagesOn(t, d, pagetest.BaseURL)
		r := y.Member(access.Owner)
		e := y.Endpoint("https://hooks.example.com/", nil)
		var own []string
		for range 3 {
			own = append(own, y.Sent(e, event.LeaseSigned, bad("no"), nil))
		}
		other := *y
		other.Home = dbtest.NewHome(t, d, "robin")
		foreign := other.Sent(other.Endpoint("https://theirs.example.com/", nil), event.LeaseSigned, bad("no"), nil)
		const list = "/test/webhooks/deliveries"
		retry := func(ids ...string) string {
			t.Helper()
			r.Leads(r.Post(list, list, url.Values{"id": ids}), list)
			return pagetest.Text(pagetest.Parse(t, r.Get(list).Body.String()))
		}
		says := func(text, want string) {
			t.Helper()
			if !strings.Contains(text, want) {
				t.Errorf("it does not say %q: %s", want, text)
			}
		}
		r.Says(r.Get(list), 200, "Retry selected")
		says(retry(), "Select the deliveries to retry.")
		says(retry(foreign, "del_1", "x\x00"), "None of these deliveries can be sent again")
		says(retry(slices.Repeat([]string{own[0]}, 2)...), "1 delivery queued again")
		says(retry(append(own, foreign)...), "3 deliveries queued again")
		many := make([]string, webhook.MostRedelivered+1)
		for i := range many {
			many[i] = id.New(id.Delivery, y.Now)
		}
		says(retry(many...), "at most 100 deliveries")
		queued := func(y *pagetest.WebhookPages) (n int) {
			found, err := y.Hooks.Deliveries(t.Context(), y.Actor(), webhook.DeliveryFilter{Limit: 10})
			y.OK(err)
			for i := range found {
				if found[i].NextAttemptAt != nil && *found[i].NextAttemptAt <= clock.At(y.Now) {
					n++
				}
			}
			return n
		}
		if mine, theirs := queued(y), queued(&other); mine != 3 || theirs != 0 {
			t.Errorf("%d and %d are queued", mine, theirs)
		}
		if got := strings.Count(y.Trail(), "delivery.redelivered"); got != 4 {
			t.Errorf("the trail has %d", got)
		}
		y.Disable(e)
		says(retry(own...), "None of these deliveries can be sent again")
	})
}

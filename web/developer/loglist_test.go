package developer_test

import (
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/labstack/echo/v4"

	"portal/api/access"
	"portal/api/developer"
	"portal/db/dbtest"
	"portal/db/developerstore"
	"portal/web/live"
	"portal/web/pagetest"
	"portal/web/webtest"
)

func TestLiveLogShowsNewRequestsUnlessPaused(t *testing.T) {
	t.Parallel()
	b, y, streams := pagetest.Browser(t), pagetest.NewWebhookPagesAt(t, pagetest.BaseURL), live.New()
	streams.Pace.Look = 20 * time.Millisecond
	y.Config.Streams = streams
	y.Pages = pagetest.Build(y.Config)
	y.Echo = pagetest.Wired(y.Pages)
	fails := func(r *developer.Request) { r.Status, r.Code = 404, "not_found" }
	y.Asked(fails)
	program, other := *y, *y // have clocks of their own: the pages read that of y meanwhile
	other.Home = dbtest.NewHome(t, y.DB, "robin")
	w := b.Window(t)
	w.Visit(webtest.Desktop, y.Opened(y.Member(access.Owner))+"/test/logs?status=4xx")
	w.Await(`!document.querySelector("[data-pause]").hidden`)

	program.Asked(func(*developer.Request) {}) // another status than the one that is asked for
	foreign := other.Asked(fails)
	first := program.Asked(fails)
	w.Await(`document.querySelector("tbody tr").id === "` + first + `"`)
	if rows := webtest.Value[int](w, `document.querySelectorAll("tbody tr").length`); rows != 2 {
		t.Errorf("%d rows are shown", rows)
	}
	if webtest.Value[bool](w, `!!document.getElementById("`+foreign+`")`) {
		t.Error("a request of another account appears")
	}

	w.Click("[data-pause]")
	next := program.Asked(fails)
	w.Await(`document.querySelector("[data-pause]").innerText.includes("1 new")`)
	if webtest.Value[bool](w, `!!document.getElementById("`+next+`")`) {
		t.Error("a paused log shows it")
	}
	w.Click("[data-pause]")
	w.Await(`document.getElementById("` + next + `")`)
	w.Check("live log")
}

// TestLiveReloadDoesNotCancelNavigation: the first row of a list loads the page anew, which would end a
// navigation that waits for its answer.
func TestLiveReloadDoesNotCancelNavigation(t *testing.T) {
	t.Parallel()
	b, y, streams := pagetest.Browser(t), pagetest.NewWebhookPagesAt(t, pagetest.BaseURL), live.New()
	streams.Pace.Look = 20 * time.Millisecond
	y.Config.Streams = streams
	y.Pages = pagetest.Build(y.Config)
	y.Echo = pagetest.Wired(y.Pages)
	asked, told, answer := make(chan bool, 1), make(chan bool, 1), make(chan bool)
	y.Echo.GET("/slow", func(c echo.Context) error {
		asked <- true
		<-answer
		return c.HTML(http.StatusOK, "<!doctype html><title>Slow</title>")
	})
	y.Echo.GET("/told", func(c echo.Context) error {
		told <- true
		return c.NoContent(http.StatusNoContent)
	})
	program := *y // has a clock of its own
	w := b.Window(t)
	w.Visit(webtest.Desktop, y.Opened(y.Member(access.Owner))+"/test/logs")
	w.Await(`!document.querySelector("[data-pause]").hidden`)
	w.Do(`const again = anew; anew = () => { again(); fetch("/told"); }`)
	w.Do(`setTimeout(() => (location.href = "/slow"))`)
	<-asked
	program.Asked(func(*developer.Request) {})
	<-told
	close(answer)
	w.Await(`document.title === "Slow"`)
}

func TestOnlyNewestLogPageIsLive(t *testing.T) {
	y := pagetest.NewWebhookPages(t)
	r := y.Member(access.Owner)
	for path, want := range map[string]bool{
		"":                                      true,
		"?status=5xx":                           true,
		"?after=req_01KA5R2M7Q8D4E6F9G1H3J5K7M": false,
	} {
		body := r.Get("/test/logs" + path).Body.String()
		if strings.Contains(body, "data-live") != want || strings.Contains(body, "live.") != want {
			t.Errorf("%q is live: %v", path, !want)
		}
	}
}

func TestRequestOpensBesideLogOnWideScreens(t *testing.T) {
	t.Parallel()
	b, y := pagetest.Browser(t), pagetest.NewWebhookPagesAt(t, pagetest.BaseURL)
	old := y.SentWith("POST", `{"name":"Maple Court"}`)
	fresh := y.SentWith("PATCH", "")
	y.Asked(func(*developer.Request) {}) // another status than the one that is asked for
	w, at := b.Window(t), y.Opened(y.Member(access.Owner))
	w.Visit(webtest.Desktop, at+"/test/logs?status=4xx")
	w.Press("j")
	w.Press("j")
	w.Press("\r")
	w.Await(`new URL(location).searchParams.get("request") === "` + old + `"`)
	w.Await(`document.querySelector("#open")?.innerText === "POST /properties"`)
	if here := webtest.Value[string](w, `document.querySelector("tr:has([aria-current=true])").id`); here != old {
		t.Errorf("%s is marked", here)
	}
	if !strings.Contains(w.Text("main"), "Maple Court") {
		t.Error("what was sent is not shown")
	}
	if rows := webtest.Value[int](w, `document.querySelectorAll("tbody tr").length`); rows != 2 {
		t.Errorf("%d rows are beside it", rows)
	}
	w.Check("open request")
	w.Follow("#" + fresh + " a.wide")
	w.Await(`document.querySelector("#open")?.innerText === "PATCH /properties"`)

	w.Visit(webtest.Phone, at+"/test/logs?status=4xx&request="+old)
	if webtest.Value[bool](w, `document.querySelector("tbody tr").checkVisibility()`) {
		t.Error("a phone shows the list, too")
	}
	w.Check("open request on a phone")
	w.Follow(".split .back a")
	w.Follow("#" + old + " a.slim")
	if path := w.Path(); path != "/test/logs/"+old {
		t.Errorf("a row leads to %s on a phone", path)
	}
}

// TestLongLogIsSearchedInBatches: no index has all that it is narrowed by.
func TestLongLogIsSearchedInBatches(t *testing.T) {
	y := pagetest.NewWebhookPages(t)
	r := y.Member(access.Manager)
	removes := func(r *developer.Request) { r.Method, r.Path = "DELETE", "/api/v1/external/webhooks/rare" }
	y.Asked(removes)
	batch := make([]developer.Request, developer.RequestsSearched+9)
	for i := range batch {
		y.AskedOf(&batch[i], func(*developer.Request) {})
	}
	y.OK(developerstore.New(y.DB).AddRequests(y.Context(), batch))

	for _, query := range []string{
		"method=DELETE", "path=rare", "status=2xx&path=rare", "operation=list_leases&method=DELETE",
	} {
		page := r.Get("/test/logs?" + query)
		r.Says(page, 200, "No match so far")
		r.Says(page, 200, "5,000 requests searched, back to ")
		next := r.Get(pagetest.Link(t, page, "Search older requests"))
		r.Says(next, 200, "DELETE /webhooks/rare")
		if strings.Contains(next.Body.String(), "requests searched") {
			t.Errorf("%s: the last page says that others follow", query)
		}
	}
	newest := y.Asked(removes)
	if body := r.Get("/test/logs?method=DELETE").Body.String(); !strings.Contains(body, newest) {
		t.Error("the newest request is not on the first page")
	}
	oldest := r.Get("/test/logs?sort=oldest&method=DELETE")
	r.Says(oldest, 200, "5,000 requests searched, up to ")
	r.Says(oldest, 200, "The next page searches newer ones.")
	if body := oldest.Body.String(); strings.Contains(body, newest) {
		t.Error("the newest request is on the first page of the oldest")
	}
	if page := r.Get("/test/logs"); strings.Contains(page.Body.String(), "requests searched") {
		t.Error("a log that is not narrowed says how far it was searched")
	}
	if file := r.Get("/test/logs.csv?method=DELETE").Body.String(); strings.Count(file, ",DELETE,") != 2 {
		t.Errorf("the file has other requests: %s", file)
	}
}

func TestLogPaneHidesRequestsOfOtherPortfolios(t *testing.T) {
	y := pagetest.NewWebhookPages(t)
	r, s := y.Member(access.Manager), y.Stranger()
	one := y.SentWith("POST", `{"name":"Maple Court"}`)
	r.Says(r.Get("/test/logs?request="+one), 200, "Maple Court")
	const log = "/test/logs?status=4xx"
	if to := pagetest.Link(t, r.Get(log+"&request="+one), "All requests"); to != log {
		t.Errorf("all requests are at %s", to)
	}
	s.Says(s.Get("/test/logs?request="+one), 404, "")
	for _, path := range []string{"/live/logs?request=" + one, "/test/logs?request=x%00", "/test/logs?request=none"} {
		r.Says(r.Get(path), 404, "")
	}
	for _, evil := range pagetest.Hostile {
		pagetest.Inert(t, r.Get("/test/logs?request="+y.SentWith("POST", evil)))
	}
}

// TestSelectionStaysVisibleInForcedColors: a background is lost in them, a border is not. Nothing moves for
// somebody who asked for less of it.
func TestSelectionStaysVisibleInForcedColors(t *testing.T) {
	b, y := pagetest.Browser(t), pagetest.NewWebhookPages(t)
	y.Asked(func(*developer.Request) {})
	open := y.Asked(func(*developer.Request) {})
	w, at := b.Window(t), y.Opened(y.Member(access.Owner))
	forced := webtest.Desktop
	forced.Forced = true
	for path, chosen := range map[string]int{
		"/test/logs?request=" + open: 3, // the page in the navigation, the mode, the request
		"/test/webhooks":             2,
		"/test/webhooks/deliveries":  2,
	} {
		w.Visit(forced, at+path)
		seen := webtest.Value[int](w, `[...document.querySelectorAll("a[aria-current]")].filter((e) => {
			const { borderTopStyle, borderTopWidth } = getComputedStyle(e);
			return e.checkVisibility() && borderTopStyle === "solid" && parseFloat(borderTopWidth) >= 1;
		}).length`)
		if seen < chosen {
			t.Errorf("%s: a border shows %d chosen links, not %d", path, seen, chosen)
		}
		if n := webtest.Value[int](w, "document.getAnimations().length"); n > 0 {
			t.Errorf("%s: %d things move", path, n)
		}
	}
}

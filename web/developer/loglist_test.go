package developer_test

import (
	"strings"
	"testing"
	"time"

	"portal/api/access"
	"portal/api/developer"
	"portal/db/dbtest"
	"portal/web/live"
	"portal/web/pagetest"
	"portal/web/webtest"
)

func TestAnOpenLogShowsNewRequestsUnlessItIsPaused(t *testing.T) {
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

func TestALiveLogIsTheNewestPageAlone(t *testing.T) {
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

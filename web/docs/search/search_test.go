package search_test

import (
	"fmt"
	"strings"
	"testing"
	"unicode/utf8"

	"portal/web/docs/search"
)

var library = []search.Entry{
	{
		Title: "Idempotency",
		Kind:  "Guide",
		Path:  "/idempotency",
		Body:  "A write happens once, however often it is sent.",
	},
	{
		Title: "Keys",
		Page:  "Limits",
		Kind:  "Guide",
		Path:  "/limits#keys",
		Body:  "Idempotency of a key ends after a day.",
	},
	{
		Title: "Create a ticket",
		Kind:  "Operation",
		Path:  "/create",
		Names: "create_ticket POST /tickets",
		Body:  "Opens it.",
	},
	{
		Title: "List tickets",
		Kind:  "Operation",
		Path:  "/list",
		Names: "list_tickets GET /tickets",
		Body:  "A page of them.",
	},
	{Title: "rate_limited", Kind: "Error code", Path: "/errors#rate_limited", Names: "429", Body: "Too many requests."},
	{
		Title: "Signatures",
		Page:  "Webhooks",
		Kind:  "Guide",
		Path:  "/webhooks#signatures",
		Body:  "Verify a webhook. Café.",
	},
}

// paths are the addresses of what a query finds.
func paths(query string) (all []string) {
	for _, r := range search.New(library).Find(query, 10).Results {
		all = append(all, r.Path)
	}
	return all
}

func TestEveryWordMustMatchAndLastMayBePrefix(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ query, want string }{
		{"idempotency", "[/idempotency /limits#keys]"}, // the title before the text
		{"create ticket", "[/create]"},
		{"create idempotency", "[]"},
		{"tick", "[/list /create]"},
		{"ticket cre", "[/create]"},
		{"429", "[/errors#rate_limited]"},
		{"428", "[]"}, // numbers are never guessed
		{"webhook signature", "[/webhooks#signatures]"},
		{"how to verify the webhook", "[/webhooks#signatures]"},
		{"CAFE", "[/webhooks#signatures]"},
		{"create_ticket", "[/create]"},
		{"", "[]"},
		{"?!", "[]"},
	} {
		if got := fmt.Sprint(paths(c.query)); got != c.want {
			t.Errorf("%q finds %s, want %s", c.query, got, c.want)
		}
	}
}

func TestMisspelledWordIsFound(t *testing.T) {
	t.Parallel()
	for query, want := range map[string]string{
		"idempotncy":        "/idempotency", // one is missing
		"idempotnecy":       "/idempotency", // two are swapped
		"idemmpotancy":      "/idempotency", // two are wrong in a long word
		"webhok signature":  "/webhooks#signatures",
		"signaturs webhook": "/webhooks#signatures",
		"craete":            "/create",
		"idenpot":           "/idempotency", // in the beginning of a word
	} {
		if got := paths(query); len(got) == 0 || got[0] != want {
			t.Errorf("%q finds %v, want %s", query, got, want)
		}
	}
	for _, query := range []string{"los", "wabhukk", "key2"} {
		if got := paths(query); len(got) > 0 {
			t.Errorf("%q finds %v", query, got)
		}
	}
}

func TestMatchedWordsAreMarked(t *testing.T) {
	t.Parallel()
	long := strings.Repeat(
		"Something else stands here. ",
		40,
	) + "Then a lease is signed." + strings.Repeat(
		" And so on.",
		40,
	)
	x := search.New([]search.Entry{{Title: "Leases", Path: "/leases", Body: long}})
	found := x.Find("signed leas", 1).Results[0]
	said := show(found.Marked) + ": " + show(found.Snippet)
	if !strings.HasPrefix(said, "[Leases]: … ") || !strings.Contains(said, "Then a [lease] is [signed].") ||
		!strings.HasSuffix(said, " …") || len(said) > 300 {
		t.Error(said)
	}
}

func show(parts []search.Part) string {
	var b strings.Builder
	for _, p := range parts {
		if p.Hit {
			b.WriteString("[" + p.Text + "]")
		} else {
			b.WriteString(p.Text)
		}
	}
	return b.String()
}

func TestResultsAreLimitedAndReportTotal(t *testing.T) {
	t.Parallel()
	var all []search.Entry
	for i := range 50 {
		all = append(
			all,
			search.Entry{Title: "A lease", Path: fmt.Sprintf("/page-%d#a", i)},
			search.Entry{Title: "lease", Path: "/same#b"},
		)
	}
	found := search.New(all).Find("lease", 8)
	if len(found.Results) != 8 || found.Total != 54 { // four of the page that has fifty
		t.Errorf("%d of %d", len(found.Results), found.Total)
	}
}

func TestConcurrentSearches(t *testing.T) {
	t.Parallel()
	x := search.New(library)
	done := make(chan []search.Result)
	for range 8 {
		go func() {
			var last []search.Result
			for range 200 {
				last = x.Find("tickts create", 5).Results
			}
			done <- last
		}()
	}
	for range 8 {
		if got := <-done; len(got) != 1 || got[0].Path != "/create" {
			t.Errorf("%v", got)
		}
	}
}

func FuzzNoQueryBreaksTheSearch(f *testing.F) {
	for _, q := range []string{
		"idempotency", "late fee", "\x00\xff", "🏠 lease", strings.Repeat("a ", 1000), strings.Repeat("ß", 5000),
		"e\u0301", "\u0301", strings.Repeat("\u202e", 50), "ﬃ", "İ",
	} {
		f.Add(q)
	}
	x := search.New(library)
	f.Fuzz(func(t *testing.T, q string) {
		for _, r := range x.Find(q, 8).Results {
			if !utf8.ValidString(search.Plain(r.Snippet)) || search.Plain(r.Marked) != r.Title {
				t.Errorf("%q: %q, %q", q, search.Plain(r.Marked), search.Plain(r.Snippet))
			}
		}
	})
}

func FuzzNoTextBreaksTheSearch(f *testing.F) {
	f.Add("Café a\u0301 ", "caf")
	f.Fuzz(func(t *testing.T, text, q string) {
		if !utf8.ValidString(text) {
			return // texts of the documentation are UTF-8
		}
		x := search.New([]search.Entry{{Title: text, Path: "/", Body: text}})
		for _, r := range x.Find(q, 8).Results {
			if !utf8.ValidString(search.Plain(r.Snippet)) || search.Plain(r.Marked) != text {
				t.Errorf("%q: %q", q, search.Plain(r.Snippet))
			}
		}
	})
}

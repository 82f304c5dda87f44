package main

import (
	"net/http/httptest"
	"os"
	"strings"
	"testing"

	"portal/api/sampled"
	"portal/web/webtest"
)

// canBeUsedByEverybody looks at a page of each kind that a landlord and a
// reviewer can reach, with the records of the demo in them: on a phone, and on a desktop in the
// dark. Those of the documentation are looked at beside their texts. A run looks at every other kind, each time
// others, as the tests of every section look at its pages too; `make prove` looks at all.
func (e *everyPage) canBeUsedByEverybody(t *testing.T) {
	b := webtest.Open(t, webtest.Config{
		Program: os.Getenv("PORTAL_TEST_CHROMIUM"),
		Modules: os.Getenv("PORTAL_TEST_NODE_MODULES"),
		Shots:   os.Getenv("PORTAL_TEST_SHOTS"),
	})
	site := httptest.NewServer(e.handler)
	t.Cleanup(site.Close)
	looked, taken := 0, sampled.OneIn(t, 2)
	for _, who := range []*plainBrowser{e.dana, e.sue} {
		w := b.Window(t)
		w.Cookie(site.URL, "session", who.cookies["session"].Value)
		for _, s := range e.all {
			// The documentation is looked at beside its texts, and emails are made for clients of email.
			if s.who == who && !strings.HasPrefix(s.path, "/docs") && s.name != "mail-id-look" {
				if looked++; taken(looked) {
					w.Glance(site.URL+s.path, "sweep-"+s.name)
				}
			}
		}
	}
	if looked < 80 {
		t.Errorf("only %d kinds of page were found", looked)
	}
}

package web_test

import (
	"os"
	"testing"
	"time"

	"portal/web/pagetest"
	"portal/web/webtest"
)

func TestMain(m *testing.M) { os.Exit(webtest.Main(m)) }

func TestPublicPagesAreAccessible(t *testing.T) {
	t.Parallel()
	b, at := pagetest.Browser(t), pagetest.Start(t, pagetest.Config{Now: time.Now, Design: true})
	b.Looks(t, at,
		"/", "/docs/errors", "/docs/lease-rules", "/docs/lease-rules/dc", "/nowhere", "/design",
		"/design/page", "/design/form", "/design/ask",
	)
}

func TestSignedInPagesAreAccessible(t *testing.T) {
	t.Parallel()
	b, h := pagetest.Browser(t), newTestPages(t)
	h.Manager().Looks(b, "/test/trials", "/trial/owner")
	h.Staff().Looks(b, "/trial/staff", "/trial/member", "/trial/fails/rate_limited")
}

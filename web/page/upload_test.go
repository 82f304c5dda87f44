package page

import (
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/labstack/echo/v4"

	"portal/api/intake"
)

func TestExcessConcurrentUploadsGetRetryAfter(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		spool, err := intake.NewSpool(t.TempDir())
		if err != nil {
			t.Fatal(err)
		}
		s := New(Config{BaseURL: "http://portal.test", Now: time.Now, Spool: spool})
		upload := func() (*Request, *httptest.ResponseRecorder, *strings.Reader) {
			w, body := httptest.NewRecorder(), strings.NewReader(strings.Repeat("x", 100_000))
			r := httptest.NewRequest(http.MethodPost, "/upload", body)
			return s.request(echo.New().NewContext(r, w), PostFiles("/upload", Guest, 1<<20, nil)), w, body
		}
		var inside []*Request
		for range uploadsAtOnce {
			v, _, body := upload()
			if err := v.Upload.enter(v); err != nil || body.Len() != 100_000 {
				t.Fatalf("%v, %d bytes are left", err, body.Len())
			}
			inside = append(inside, v)
		}
		began := time.Now()
		v, w, body := upload()
		if err := s.fail(v, v.Upload.enter(v)); err != nil {
			t.Fatal(err)
		}
		if w.Code != http.StatusServiceUnavailable || w.Header().Get("Retry-After") != "10" ||
			time.Since(began) != uploadWait {
			t.Errorf("%d after %s, again in %q s", w.Code, time.Since(began), w.Header().Get("Retry-After"))
		}
		if body.Len() != 0 {
			t.Errorf("%d bytes were not taken in, so a browser shows no answer", body.Len())
		}
		v.Upload.end() // who was not let in lets nobody in
		inside[0].Upload.end()
		next, _, _ := upload()
		if err := next.Upload.enter(next); err != nil {
			t.Error(err)
		}
		again, _, _ := upload()
		if err := again.Upload.enter(again); err == nil {
			t.Error("three are read at a time")
		}
	})
}

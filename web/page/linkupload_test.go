package page

import (
	"context"
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/labstack/echo/v4"

	"portal/api/access"
	"portal/api/fault"
)

// slowly is a body that takes a while to come.
type slowly struct {
	io.Reader
	time.Duration
}

func (s *slowly) Read(p []byte) (int, error) {
	<-time.After(s.Duration)
	s.Duration = 0
	return s.Reader.Read(p)
}

// timed is an answer that knows until when it may be written.
type timed struct {
	*httptest.ResponseRecorder
	until time.Time
}

func (w *timed) SetWriteDeadline(at time.Time) error {
	w.until = at
	return nil
}

const oneField = "--b\r\nContent-Disposition: form-data; name=\"words\"\r\n\r\nThe tap drips\r\n--b--\r\n"

// linkForm is a form of a link that takes so long to come, of a request that ends with a context.
func linkForm(ctx context.Context, s *Shell, takes time.Duration) (*Request, *timed) {
	w := &timed{ResponseRecorder: httptest.NewRecorder()}
	r := httptest.NewRequestWithContext(ctx, http.MethodPost, "/report", &slowly{strings.NewReader(oneField), takes})
	r.Header.Set("Content-Type", `multipart/form-data; boundary="b"`)
	return s.request(echo.New().NewContext(r, w), PostFiles("/report", LinkHolder, 1<<20, nil)), w
}

var aLive = access.Portfolio{ID: 1, Mode: access.Live}

func TestSlowPhoneUploadIsStillProcessed(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		s := New(Config{BaseURL: "http://portal.test", Now: time.Now})
		ctx, cancel := context.WithTimeout(t.Context(), 45*time.Second) // as the server gives every write
		defer cancel()
		v, w := linkForm(ctx, s, 90*time.Second)
		defer v.Upload.end()
		if status, err := v.ReadFiles(aLive, "link_1"); status != http.StatusOK || err != nil {
			t.Fatal(status, err)
		}
		if v.Ctx().Err() != nil || time.Until(w.until) < 30*time.Second {
			t.Errorf("%v, and %s are left for the answer", v.Ctx().Err(), time.Until(w.until))
		}
		if got := v.Form().Text("words"); got != "The tap drips" {
			t.Errorf("%q", got)
		}
	})
}

func TestClientDisconnectCancelsLinkForm(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		s := New(Config{BaseURL: "http://portal.test", Now: time.Now})
		ctx, leaves := context.WithCancel(t.Context())
		v, _ := linkForm(ctx, s, 0)
		defer v.Upload.end()
		if _, err := v.ReadFiles(aLive, "link_1"); err != nil {
			t.Fatal(err)
		}
		leaves()
		synctest.Wait()
		if !errors.Is(v.Ctx().Err(), context.Canceled) {
			t.Error(v.Ctx().Err())
		}
	})
}

func TestOneLinkCannotExhaustUploadSlots(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		s := New(Config{BaseURL: "http://portal.test", Now: time.Now})
		var inside []*Request
		for range linkUploads {
			v, _ := linkForm(t.Context(), s, 0)
			_, err := v.ReadFiles(aLive, "link_1")
			if err == nil {
				inside = append(inside, v)
			} else if !fault.Is(err, fault.Unavailable) || fault.From(err).Retry == 0 {
				t.Error(err)
			}
			if err != nil {
				v.Upload.end() // who was not let in lets nobody in
			}
		}
		if len(inside) != ownUploads {
			t.Errorf("%d forms of one link are read at a time", len(inside))
		}
		began := time.Now()
		other, _ := linkForm(t.Context(), s, 0)
		if _, err := other.ReadFiles(aLive, "link_2"); err != nil || time.Since(began) > 0 {
			t.Errorf("another tenant: %v after %s", err, time.Since(began))
		}
		inside[0].Upload.end()
		again, _ := linkForm(t.Context(), s, 0)
		if _, err := again.ReadFiles(aLive, "link_1"); err != nil {
			t.Error(err)
		}
	})
}

func TestDemoUploadsDoNotBlockLiveTenants(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		s := New(Config{BaseURL: "http://portal.test", Now: time.Now})
		demo := access.Portfolio{ID: 2, Mode: access.Test}
		for i := range linkUploads {
			v, _ := linkForm(t.Context(), s, 0)
			_, _ = v.ReadFiles(demo, string(rune('a'+i)))
		}
		v, _ := linkForm(t.Context(), s, 0)
		if _, err := v.ReadFiles(aLive, "link_1"); err != nil {
			t.Error(err)
		}
	})
}

package main

import (
	"bytes"
	"compress/gzip"
	"crypto/rand"
	"io"
	"mime/multipart"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// TestPhotosOfPhonesAreTakenWithLittleMemory sends the largest photos that are taken to a served process,
// and others in the folder PORTAL_TEST_PHOTOS. Its process for pictures counts too.
func TestPhotosOfPhonesAreTakenWithLittleMemory(t *testing.T) {
	t.Parallel()
	h := newHome(t)
	s := h.serve(t)
	c := &ticketChain{home: h, product: h.product(t)}
	c.prepares(t)
	at := s.vars["PORTAL_URL"] + c.path
	send := func(photos ...[]byte) int {
		var body bytes.Buffer
		m := multipart.NewWriter(&body)
		_ = m.WriteField("form", rand.Text())
		_ = m.WriteField("description", "The window is stuck.")
		_ = m.WriteField("entry_permission", "granted")
		for _, photo := range photos {
			part, err := m.CreateFormFile("photos", "photo")
			orFail(t, err)
			_, _ = part.Write(photo)
		}
		orFail(t, m.Close())
		r, err := http.NewRequestWithContext(t.Context(), http.MethodPost, at, &body)
		orFail(t, err)
		r.Header.Set("Content-Type", m.FormDataContentType())
		client := &http.Client{
			CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
		}
		answer, err := client.Do(r)
		if err != nil {
			t.Error(err)
			return 0
		}
		defer answer.Body.Close()
		_, _ = io.Copy(io.Discard, answer.Body)
		return answer.StatusCode
	}
	if status := send(); status != http.StatusSeeOther { // fills what every request needs
		t.Fatalf("the first ticket: %d", status)
	}
	names := []string{"progressive24.jpg.gz", "baseline64.jpg.gz", "flat.avif.gz", "phone.heic"}
	for i, name := range names {
		names[i] = filepath.Join("../../api/attachment/testdata", name)
	}
	if folder := os.Getenv("PORTAL_TEST_PHOTOS"); folder != "" {
		names, _ = filepath.Glob(filepath.Join(folder, "*"))
	}
	var all [][]byte
	idle := s.anonymous(t)
	for _, name := range names {
		photo, err := os.ReadFile(name)
		orFail(t, err)
		if strings.HasSuffix(name, ".gz") {
			unpacked, err := gzip.NewReader(bytes.NewReader(photo))
			orFail(t, err)
			photo, err = io.ReadAll(unpacked)
			orFail(t, err)
		}
		all = append(all, photo)
		began := time.Now()
		before, grown, statuses := s.grows(t, 1, func() int { return send(photo) })
		s.taken(t, filepath.Base(name), before-idle+grown, time.Since(began), statuses)
	}
	began := time.Now()
	before, grown, statuses := s.grows(t, 2, func() int { return send(all[:2]...) })
	s.taken(t, "two at once", before-idle+grown, time.Since(began), statuses)
}

// taken checks how photos were answered, and how much more memory than an idle one the process took.
func (s *service) taken(t *testing.T, name string, grown int, took time.Duration, statuses []int) {
	t.Helper()
	t.Logf("%s: %d MB more at most, %d ms, answers %v", name, grown>>20, took.Milliseconds(), statuses)
	if grown > mostGrowth {
		t.Errorf("%s: %d MB more, want at most %d", name, grown>>20, mostGrowth>>20)
	}
	for _, status := range statuses {
		if status != http.StatusSeeOther {
			t.Errorf("%s: %d", name, status)
		}
	}
}

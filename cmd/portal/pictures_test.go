package main

import (
	"image/png"
	"net/http/httptest"
	"os"
	"path/filepath"
	"testing"

	"portal/web/webtest"
)

// haveTheirPictures keeps a picture of every kind of page at a desk, in the dark and on a phone in the
// folder that PORTAL_TEST_PICTURES names. Without one it does so for a few pages, and looks at the pictures alone.
// Two windows are open at a time.
func (e *everyPage) haveTheirPictures(t *testing.T) {
	folder := os.Getenv("PORTAL_TEST_PICTURES")
	b := webtest.Open(t, webtest.Config{Program: os.Getenv("PORTAL_TEST_CHROMIUM"), Shots: folder})
	site := httptest.NewServer(e.handler)
	t.Cleanup(site.Close)
	wanted := e.all
	if folder == "" {
		b.Shots, wanted = t.TempDir(), nil
		for _, s := range e.all {
			if s.name == "home" || s.name == "overview" || s.name == "tenant" {
				wanted = append(wanted, s)
			}
		}
	}
	orFail(t, os.MkdirAll(b.Shots, 0o750))
	queue := make(chan sight, len(wanted))
	for _, s := range wanted {
		queue <- s
	}
	close(queue)
	t.Run("windows", func(t *testing.T) {
		for _, name := range []string{"one", "other"} {
			t.Run(name, func(t *testing.T) {
				t.Parallel()
				windows := map[*plainBrowser]*webtest.Window{}
				for s := range queue {
					if windows[s.who] == nil {
						windows[s.who] = s.window(t, b, site.URL)
					}
					windows[s.who].Picture(site.URL+s.path, s.name)
				}
			})
		}
	})
	for _, s := range wanted {
		isPicture(t, filepath.Join(b.Shots, s.name+"-1280.png"), 1280)
		isPicture(t, filepath.Join(b.Shots, s.name+"-1280-dark.png"), 1280)
		isPicture(t, filepath.Join(b.Shots, s.name+"-390.png"), 390)
	}
}

// window is one in which who sees the page is signed in.
func (s *sight) window(t *testing.T, b *webtest.Browser, at string) *webtest.Window {
	t.Helper()
	w := b.Window(t)
	for name, c := range s.who.cookies {
		w.Cookie(at, name, c.Value)
	}
	return w
}

// isPicture holds a file to be a picture of a page, as wide as its window and at least as high.
func isPicture(t *testing.T, path string, width int) {
	t.Helper()
	f, err := os.Open(path)
	orFail(t, err)
	defer f.Close()
	c, err := png.DecodeConfig(f)
	if err != nil || c.Width != width || c.Height < 700 {
		t.Errorf("%s is %d by %d pixels: %v", path, c.Width, c.Height, err)
	}
}

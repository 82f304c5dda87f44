package compress_test

import (
	"bytes"
	"compress/gzip"
	"io"
	"net/http"
	"strings"
	"sync"
	"testing"

	"github.com/andybalholm/brotli"

	"portal/api/compress"
)

func TestClientGetsItsPreferredEncoding(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		accept []string
		want   compress.Encoding
	}{
		{nil, ""},
		{[]string{""}, ""},
		{[]string{"gzip"}, compress.Gzip},
		{[]string{"br"}, compress.Brotli},
		{[]string{"gzip, deflate, br, zstd"}, compress.Brotli},
		{[]string{"gzip", "br"}, compress.Brotli},
		{[]string{"GZIP;Q=0.3"}, compress.Gzip},
		{[]string{"x-gzip"}, compress.Gzip},
		{[]string{"gzip;q=1, br;q=0.5"}, compress.Gzip},
		{[]string{"gzip ; q = 0.5 , br ; q=0.501"}, compress.Brotli},
		{[]string{"*"}, compress.Brotli},
		{[]string{"*;q=0"}, ""},
		{[]string{"*;q=0, gzip"}, compress.Gzip},
		{[]string{"*, br;q=0"}, compress.Gzip},
		{[]string{"gzip;q=0"}, ""},
		{[]string{"gzip;q=0.000, br;q=0.0"}, ""},
		{[]string{"identity"}, ""},
		{[]string{"identity, gzip;q=0.5"}, ""},
		{[]string{"identity;q=0.5, gzip;q=0.4, br;q=0.9"}, compress.Brotli},
		{[]string{"identity;q=0, gzip"}, compress.Gzip},
		{[]string{"identity;q=0"}, ""},
		{[]string{"deflate, compress"}, ""},
		{[]string{"gzip;q=much"}, ""},
		{[]string{"gzip;q=2"}, ""},
		{[]string{"gzip;q=NaN"}, ""},
		{[]string{"gzip;level=9;q=0"}, ""},
		{[]string{",;,gzip,"}, compress.Gzip},
	} {
		h := http.Header{"Vary": {"Accept"}}
		got := compress.Negotiate(h, c.accept, compress.Smallest, compress.Brotli, compress.Gzip)
		if got != c.want || h.Get("Content-Encoding") != string(c.want) {
			t.Errorf("%q: %q, the header is %q, want %q", c.accept, got, h.Get("Content-Encoding"), c.want)
		}
		if strings.Join(h["Vary"], ", ") != "Accept, Accept-Encoding" {
			t.Errorf("%q: Vary %q", c.accept, h["Vary"])
		}
	}
}

func TestSmallBodyIsSentPlainUnlessClientRefuses(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		accept string
		size   int
		want   compress.Encoding
	}{
		{"gzip", compress.Smallest - 1, ""},
		{"gzip", 0, ""},
		{"gzip, identity;q=0", 10, compress.Gzip},
		{"gzip, *;q=0", 10, compress.Gzip},
		{"gzip, *;q=0, identity", 10, ""},
		{"gzip, identity;q=0", 0, ""},
	} {
		h := http.Header{}
		if got := compress.Negotiate(h, []string{
			c.accept,
		}, c.size, compress.Gzip); got != c.want || (len(h) > 0) != (c.want != "") {
			t.Errorf("%q, %d bytes: %q, %v", c.accept, c.size, got, h)
		}
	}
}

func TestOnlyOfferedEncodingIsChosen(t *testing.T) {
	t.Parallel()
	if got := compress.Negotiate(http.Header{}, []string{
		"br, gzip;q=0.1",
	}, compress.Smallest, compress.Gzip); got != compress.Gzip {
		t.Errorf("%q", got)
	}
	if got := compress.Negotiate(http.Header{}, []string{"br"}, compress.Smallest, compress.Gzip); got != "" {
		t.Errorf("%q", got)
	}
}

// Many at a time share few writers, and none of them gets what is another's.
func TestConcurrentlyCompressedBodiesAreIntact(t *testing.T) {
	t.Parallel()
	var group sync.WaitGroup
	for i := range 64 {
		group.Go(func() {
			body := bytes.Repeat([]byte{byte('a' + i%26), '\n'}, 5000+i)
			r, err := gzip.NewReader(bytes.NewReader(compress.Fast(body)))
			if err != nil {
				t.Error(err)
				return
			}
			if got, err := io.ReadAll(r); err != nil || !bytes.Equal(got, body) {
				t.Errorf("%d bytes of %d, %v", len(got), len(body), err)
			}
		})
	}
	group.Wait()
}

func TestDocumentIsSameInEveryEncoding(t *testing.T) {
	t.Parallel()
	body := []byte(strings.Repeat("The tap drips all night. ", 500))
	d := compress.NewDocument(body)
	unzipped, err := gzip.NewReader(bytes.NewReader(d.In(compress.Gzip)))
	if err != nil {
		t.Fatal(err)
	}
	for name, in := range map[string]io.Reader{
		"plain": bytes.NewReader(d.In("")),
		"gzip":  unzipped,
		"br":    brotli.NewReader(bytes.NewReader(d.In(compress.Brotli))),
	} {
		if got, err := io.ReadAll(in); err != nil || !bytes.Equal(got, body) {
			t.Errorf("%s: %d bytes of %d, %v", name, len(got), len(body), err)
		}
	}
	if again := d.In(compress.Brotli); &again[0] != &d.In(compress.Brotli)[0] || len(again) >= len(body)/10 {
		t.Errorf("%d bytes, made anew", len(again))
	}
}

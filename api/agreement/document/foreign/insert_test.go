package foreign_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"portal/api/agreement/document"
	"portal/api/agreement/document/documenttest"
	"portal/api/agreement/document/foreign"
	"portal/api/agreement/document/pdf"
	"portal/api/agreement/document/seal"
)

// pages are how a program of poppler shows some pages of a file, from first on.
func pages(t *testing.T, content []byte, first, last int, name string, args ...string) string {
	t.Helper()
	args = append([]string{"-f", fmt.Sprint(first), "-l", fmt.Sprint(last)}, args...)
	return documenttest.Tool(t, content, name, args...)
}

// count is how many pages a file has.
func count(t *testing.T, content []byte) (n int) {
	t.Helper()
	_, err := fmt.Sscan(documenttest.Tool(t, content, "qpdf", "--show-npages", "FILE"), &n)
	must(t, err)
	return n
}

// TestAttachedPagesLookAsBefore puts files behind a lease and seals it, as an executed lease is.
func TestAttachedPagesLookAsBefore(t *testing.T) {
	t.Parallel()
	browser := printed(t, html)
	files := [][]byte{browser, lease(t), qpdf(t, browser, "--rotate=+90:1", "--rotate=+270:2"), build().file()}
	var attachments []pdf.Attachment
	var kept []foreign.Document
	for i, file := range files {
		d := cleaned(t, file)
		kept = append(kept, d)
		attachments = append(attachments, pdf.Attachment{Name: fmt.Sprintf("Rules é %d", i+1), Content: d.Content})
	}
	body := document.Compose(documenttest.Terms("TX"))
	alone, err := pdf.Render(body, time.Unix(1, 0))
	must(t, err)
	whole, err := pdf.Render(body, time.Unix(1, 0), attachments...)
	must(t, err)
	again, err := pdf.Render(body, time.Unix(1, 0), attachments...)
	must(t, err)
	if string(whole) != string(again) {
		t.Error("the same lease is not the same twice")
	}
	sealed, err := documenttest.Sealer(t).Seal(whole, seal.Words{Name: "portal", Reason: "test", At: time.Unix(2, 0)})
	must(t, err)
	if _, err := seal.Verify(sealed); err != nil {
		t.Error(err)
	}
	if out := documenttest.Tool(t, sealed, "qpdf", "--check", "FILE"); strings.Contains(out, "WARNING") {
		t.Error(out)
	}
	if out := documenttest.Tool(t, sealed, "pdfsig", "-nocert", "FILE"); !strings.Contains(out, "Signature is Valid") ||
		!strings.Contains(out, "Total document signed") {
		t.Error(out)
	}
	at := count(t, alone)
	total := at
	for _, d := range kept {
		total += len(d.Pages)
	}
	if n := count(t, sealed); n != total {
		t.Fatalf("there are %d pages, not %d", n, total)
	}
	last := fmt.Sprintf("Page %d of %d", at, total)
	if text := pages(t, sealed, at, at, "pdftotext", "FILE", "-"); !strings.Contains(text, last) {
		t.Errorf("the last page of the lease does not say %q", last)
	}
	figures := strings.Count(documenttest.Tool(t, sealed, "pdfinfo", "-struct", "FILE"), "Figure")
	said := strings.Count(string(qpdf(t, sealed, "--qdf", "--object-streams=disable")), "/Alt ")
	if figures != total-at || said != total-at {
		t.Errorf("the structure has %d figures with %d texts for %d pages", figures, said, total-at)
	}
	for i, d := range kept {
		n := len(d.Pages)
		before := pages(t, d.Content, 1, n, "pdftotext", "-layout", "FILE", "-")
		after := pages(t, sealed, at+1, at+n, "pdftotext", "-layout", "FILE", "-")
		if before != after {
			t.Errorf("%d: the text was %q and is %q", i, before, after)
		}
		for page := range min(n, 3) {
			if picture(t, d.Content, page+1) != picture(t, sealed, at+page+1) {
				t.Errorf("%d: page %d looks otherwise", i, page+1)
			}
		}
		at += n
	}
}

func TestOtherFilesAreNoInserts(t *testing.T) {
	t.Parallel()
	sound := string(cleaned(t, build().file()).Content)
	if n, err := foreign.Open([]byte(sound)); err != nil || n.Pages() != 1 {
		t.Fatal(err)
	}
	for what, file := range map[string]string{
		"nothing":                    "",
		"a lease of ours":            string(lease(t)),
		"one that is cut off":        sound[:len(sound)/2],
		"a reference to the tree":    strings.Replace(sound, "/XObject<</P 4 0 R", "/XObject<</P 2 0 R", 1),
		"a reference to nothing":     strings.Replace(sound, "/XObject<</P 4 0 R", "/XObject<</P 9 9 R", 1),
		"a page that is the catalog": strings.Replace(sound, "/Kids[3 0 R", "/Kids[1 0 R", 1),
	} {
		if file == sound {
			t.Errorf("%s: the file is as it was:\n%s", what, sound)
		}
		if n, err := foreign.Open([]byte(file)); err == nil {
			t.Errorf("%s is taken, with %d pages", what, n.Pages())
		}
	}
}

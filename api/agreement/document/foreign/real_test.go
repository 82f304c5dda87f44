package foreign_test

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"portal/api/agreement/document"
	"portal/api/agreement/document/documenttest"
	"portal/api/agreement/document/foreign"
	"portal/api/agreement/document/pdf"
	"portal/api/agreement/document/seal"
)

// lease is one of ours with a seal.
func lease(t *testing.T) []byte {
	t.Helper()
	for terms := range documenttest.Some() {
		content, err := pdf.Render(document.Compose(terms), time.Unix(1, 0))
		must(t, err)
		content, err = documenttest.Sealer(t).Seal(content, seal.Words{Name: "portal", Reason: "test",
			At: time.Unix(2, 0)})
		must(t, err)
		return content
	}
	t.Fatal("no lease")
	return nil
}

// qpdf is a file as qpdf writes it.
func qpdf(t *testing.T, content []byte, args ...string) []byte {
	t.Helper()
	to := filepath.Join(t.TempDir(), "to.pdf")
	documenttest.Tool(t, content, "qpdf", append(args, "--deterministic-id", "FILE", to)...)
	b, err := os.ReadFile(to)
	must(t, err)
	return b
}

// printed is a page of HTML as a browser prints it.
func printed(t *testing.T, html string) []byte {
	t.Helper()
	program := os.Getenv("PORTAL_TEST_CHROMIUM")
	if program == "" {
		t.Skip("PORTAL_TEST_CHROMIUM is not set: there is no browser to print with")
	}
	folder := t.TempDir()
	from, to := filepath.Join(folder, "a.html"), filepath.Join(folder, "a.pdf")
	must(t, os.WriteFile(from, []byte(html), 0o600))
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	out, err := exec.CommandContext(ctx, program, "--no-sandbox", "--headless", "--disable-gpu",
		"--user-data-dir="+folder,
		"--no-pdf-header-footer", "--print-to-pdf="+to, from).CombinedOutput()
	if err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	b, err := os.ReadFile(to)
	must(t, err)
	return b
}

const html = `<!doctype html><html lang="en"><title>House rules</title><style>
h1 { background: linear-gradient(90deg, #fc0, #06c); } .t { opacity: .4; transform: rotate(5deg); filter: blur(1px) }
section { break-after: page }</style><h1>House rules ☂ été</h1><p>No <a href="javascript:alert(1)">smoking</a>. See
<a href="https://example.com/">our site</a>.<p class="t">Quiet hours</p><svg width="90" height="40"><defs>
<pattern id="p" width="8" height="8" patternUnits="userSpaceOnUse"><circle cx="4" cy="4" r="3" fill="#c33"/></pattern>
</defs>
<rect width="90" height="40" fill="url(#p)" stroke="#000"/></svg><section></section>
<form><input value="Jane"><input type="checkbox" checked><select><option>Two</select></form><img
src="data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAIAAAACCAYAAABytg0kAAAAFElEQVR4nGP4z8DwHwyBNBAw/AcARs0J+JwD6VkAAAAASUVORK5CYII="
width="40" height="40"><section></section><table border><tr><td>Trash<td>Monday</table>`

func TestRealFilesLookAsBefore(t *testing.T) {
	t.Parallel()
	own, browser := lease(t), printed(t, html)
	for name, make := range map[string]func(*testing.T) []byte{
		"our lease":       func(*testing.T) []byte { return own },
		"a browser":       func(*testing.T) []byte { return browser },
		"a print of ours": func(t *testing.T) []byte { return cleaned(t, browser).Content },
		"streams of objects": func(t *testing.T) []byte {
			return qpdf(t, browser, "--object-streams=generate")
		},
		"linearized": func(t *testing.T) []byte { return qpdf(t, browser, "--linearize") },
		"linearized with streams": func(t *testing.T) []byte {
			return qpdf(t, own, "--linearize",
				"--object-streams=generate")
		},
		"readable": func(t *testing.T) []byte {
			return qpdf(t, browser, "--qdf",
				"--object-streams=disable")
		},
		"not compressed": func(t *testing.T) []byte { return qpdf(t, own, "--stream-data=uncompress") },
		"turned": func(t *testing.T) []byte {
			return qpdf(t, browser, "--rotate=+90:1",
				"--rotate=+270:2")
		},
		"overlaid": func(t *testing.T) []byte { return overlaid(t, browser, own) },
		"updated":  func(t *testing.T) []byte { return updated(build()) },
		"without its table": func(*testing.T) []byte {
			return bytes.ReplaceAll(browser, []byte("startxref\n"), []byte("startxref\n1"))
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			file := make(t)
			began := time.Now()
			d := cleaned(t, file)
			t.Logf("%d bytes of %d, %d pages, %v", len(d.Content), len(file), len(d.Pages), time.Since(began))
			if before, after := textOf(t, file), textOf(t, d.Content); before != after {
				t.Errorf("the text was %q and is %q", before, after)
			}
			alike(t, file, d.Content, min(len(d.Pages), 4))
		})
	}
}

// A file whose table is wrong is the same as with the right one.
func TestFilesAreFoundWithoutTheirTables(t *testing.T) {
	t.Parallel()
	own := lease(t)
	for name, file := range map[string][]byte{
		"tables": own, "streams": qpdf(t, own, "--object-streams=generate"), "both": build().file(),
		"an update": updated(build()),
	} {
		without := bytes.ReplaceAll(file, []byte("startxref\n"), []byte("startxref\n1"))
		if !bytes.Equal(cleaned(t, file).Content, cleaned(t, without).Content) {
			t.Errorf("%s: another file", name)
		}
	}
}

func overlaid(t *testing.T, below, above []byte) []byte {
	t.Helper()
	name := filepath.Join(t.TempDir(), "above.pdf")
	must(t, os.WriteFile(name, above, 0o600))
	to := filepath.Join(t.TempDir(), "to.pdf")
	documenttest.Tool(t, below, "qpdf", "FILE", "--overlay", name, "--", to)
	b, err := os.ReadFile(to)
	must(t, err)
	return b
}

// updated is a file to which another text is appended.
func updated(b *builder) []byte {
	file := b.file()
	last := bytes.LastIndex(file, []byte("xref\n0"))
	at := len(file)
	file = append(file, "4 0 obj\n"+streamOf("", "BT /F 20 Tf 20 50 Td (Another text) Tj ET")+"\nendobj\n"...)
	table := len(file)
	return fmt.Appendf(file,
		"xref\n4 1\n%010d 00000 n \ntrailer\n<</Size 6/Root 1 0 R/Prev %d>>\nstartxref\n%d\n%%%%EOF\n",
		at, last, table)
}

func TestEncryptedFilesAreRefused(t *testing.T) {
	t.Parallel()
	file := build().file()
	for name, args := range map[string][]string{
		"without a password to open": {"--encrypt", "", "owner", "256", "--"},
		"with one":                   {"--encrypt", "user", "owner", "256", "--"},
		"weak":                       {"--allow-weak-crypto", "--encrypt", "", "owner", "40", "--"},
		"streams of objects":         {"--object-streams=generate", "--encrypt", "", "o", "256", "--"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			to := filepath.Join(t.TempDir(), "to.pdf")
			documenttest.Tool(t, file, "qpdf", append(args, "FILE", to)...)
			b, err := os.ReadFile(to)
			must(t, err)
			refused(t, b, foreign.Protected)
		})
	}
}

func TestUpdateIsWhatIsShown(t *testing.T) {
	t.Parallel()
	for name, file := range map[string][]byte{
		"with its tables": updated(build()),
		"without":         bytes.ReplaceAll(updated(build()), []byte("startxref"), []byte("startxxxx")),
	} {
		if text := textOf(t, cleaned(t, file).Content); !strings.Contains(text,
			"Another text") || strings.Contains(text, "Hello") {
			t.Errorf("%s: %q", name, text)
		}
	}
}

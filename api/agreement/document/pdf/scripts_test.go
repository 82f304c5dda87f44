package pdf_test

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"portal/api/agreement/document"
	"portal/api/agreement/document/documenttest"
	"portal/api/agreement/document/pdf"
)

// names are some in each script.
var names = map[string]string{
	"Cyrillic":   "Олександр Ковальчук",
	"Greek":      "Γεώργιος Παπαδόπουλος",
	"Hebrew":     "דנה כהן",
	"Arabic":     "محمد عبد الله الحسيني",
	"Vowels":     "مُحَمَّد علاء",
	"Points":     "דָּנָה שָׁלוֹם",
	"Persian":    "علی\u200cرضا حسینی",
	"Devanagari": "श्रीकृष्ण क्षत्रिय",
	"Thai":       "ปิ่นเกล้า น้ำทิพย์",
	"Chinese":    "王小明",
	"Japanese":   "髙橋さくら",
	"Rare":       "𠮷野 﨑",
	"Korean":     "김철수",
	"wide":       "Ｄａｎａ",
	"brackets":   "דנה (כהן) לוי",
	"mixed":      "Ada Lovelace (עדה, 愛達) Ковальчук 12",
}

func named(name string) *document.Terms {
	of := documenttest.Terms("TX")
	of.Lease.Tenants[0].Name = name
	return of
}

func TestNamesOfEveryScriptAreShown(t *testing.T) {
	t.Parallel()
	for script, name := range names {
		t.Run(script, func(t *testing.T) {
			t.Parallel()
			if missing := pdf.Missing(name); len(missing) > 0 {
				t.Fatalf("%q is missing", missing)
			}
			content := render(t, named(name))
			said := documenttest.Tool(t, content, "pdftotext", "FILE", "-")
			if n := strings.Count(unmarked(said), name); n < 3 {
				t.Errorf("%s stands in the PDF %d times", name, n)
			}
			out := documenttest.Tool(t, content, "qpdf", "--check", "FILE")
			if !strings.Contains(out, "No syntax or stream encoding errors found") {
				t.Error(out)
			}
			keep(t, script, content)
			if !bytes.Equal(content, render(t, named(name))) {
				t.Error("another rendering has other bytes")
			}
		})
	}
}

// unmarked is a text without the marks of direction that pdftotext puts around names.
func unmarked(s string) string {
	return strings.NewReplacer("\u202a", "", "\u202b", "", "\u202c", "", "\u200e", "", "\u200f", "").Replace(s)
}

func TestLongNamesOfEveryScriptWrap(t *testing.T) {
	t.Parallel()
	for script, name := range names {
		t.Run(script, func(t *testing.T) {
			t.Parallel()
			words := strings.TrimSpace(strings.Repeat(name+" ", 10))
			word := strings.Repeat(strings.ReplaceAll(name, " ", ""), 12)
			of := named(words)
			of.Landlord.Name, of.Landlord.Signer = word, words
			content := render(t, of)
			keep(t, "long "+script, content)
			bounds := documenttest.Tool(t, content, "pdftotext", "-bbox", "FILE", "-")
			for _, page := range strings.Split(bounds, "<page ")[1:] {
				checkPlaces(t, script, placed.FindAllStringSubmatch(page, -1))
			}
		})
	}
}

func TestCertificateShowsNamesOfEveryScript(t *testing.T) {
	t.Parallel()
	c := documenttest.Certificate()
	c.Signed[0].Typed = strings.Repeat("محمد عبد الله الحسيني ", 6) + "محمد"
	c.Signed[1].Typed = "श्रीकृष्ण 王小明"
	d, err := document.Compose(named("محمد")).Execute(c)
	if err != nil {
		t.Fatal(err)
	}
	content, err := pdf.Render(d, made)
	if err != nil {
		t.Fatal(err)
	}
	keep(t, "certificate", content)
	said := squeezed(unmarked(documenttest.Tool(t, content, "pdftotext", "-layout", "FILE", "-")))
	for _, want := range []string{"الحسيني", "श्रीकृष्ण", "王小明"} {
		if strings.Count(said, want) < 2 {
			t.Errorf("the certificate does not say %s", want)
		}
	}
}

// keep writes a PDF to the folder of PORTAL_TEST_PICTURES, for people to look at.
func keep(t *testing.T, name string, content []byte) {
	t.Helper()
	folder := os.Getenv("PORTAL_TEST_PICTURES")
	if folder == "" {
		return
	}
	if err := os.WriteFile(filepath.Join(folder, name+".pdf"), content, 0o600); err != nil {
		t.Fatal(err)
	}
}

func TestCharactersWithoutGlyphAreMissing(t *testing.T) {
	t.Parallel()
	for s, want := range map[string]string{
		"𓀀 Ada":                 "𓀀",
		"Ада\u0530":             "\u0530",
		"\u0378":                "\u0378",
		"王\U0003ffff":           "\U0003ffff",
		"דנה\u202e":             "\u202e",
		"محمد\u061c":            "\u061c",
		"김\u3164":               "\u3164",
		"a\u200cb":              "\u200c",
		"क\u200dष علی\u200cرضا": "",
	} {
		if got := string(pdf.Missing(s)); got != want {
			t.Errorf("%q: missing is %q, want %q", s, got, want)
		}
	}
}

func TestNamesAreRenderedAtOnce(t *testing.T) {
	t.Parallel()
	var all sync.WaitGroup
	for _, name := range names {
		want := render(t, named(name))
		for range 2 {
			all.Go(func() {
				got, err := pdf.Render(document.Compose(named(name)), made)
				if err != nil || !bytes.Equal(got, want) {
					t.Errorf("%s: other bytes than alone: %v", name, err)
				}
			})
		}
	}
	all.Wait()
}

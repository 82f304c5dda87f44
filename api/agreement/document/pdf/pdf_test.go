package pdf_test

import (
	"bytes"
	"cmp"
	"regexp"
	"strings"
	"testing"
	"time"

	"portal/api/agreement/document"
	"portal/api/agreement/document/documenttest"
	"portal/api/agreement/document/pdf"
	"portal/api/portfolio"
	"portal/api/portfolio/lease/terms"
)

var made = time.Date(2026, 11, 24, 0, 0, 0, 0, time.UTC)

func render(t *testing.T, of *document.Terms) []byte {
	t.Helper()
	b, err := pdf.Render(document.Compose(of), made)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// frame is what stands above and below every page.
var frame = regexp.MustCompile(
	`Residential lease · [^\n]*\n|lea_01KA5R2M7Q8D4E6F9G1H3J5K7M, version 1\s+|Page \d+ of \d+\n|\f`,
)

func TestPDFOfEveryStateMatchesLeaseText(t *testing.T) {
	t.Parallel()
	for of := range documenttest.Some() {
		t.Run(string(of.Property.State)+" "+string(of.Lease.LeaseType), func(t *testing.T) {
			t.Parallel()
			content := render(t, of)
			said := squeezed(frame.ReplaceAllString(
				documenttest.Tool(t, content, "pdftotext", "-raw", "FILE", "-"),
				"\n",
			))
			for _, want := range documenttest.Must(of) {
				if !strings.Contains(said, squeezed(want)) {
					t.Errorf("the PDF does not say %q", want)
				}
			}
			out := documenttest.Tool(t, content, "qpdf", "--check", "FILE")
			if !strings.Contains(out, "No syntax or stream encoding errors found") {
				t.Error(out)
			}
		})
	}
}

// squeezed is a text without what depends on where its lines end.
func squeezed(s string) string { return strings.Join(strings.Fields(s), "") }

func TestPDFDescribesItself(t *testing.T) {
	t.Parallel()
	of := documenttest.Terms("IL")
	content := render(t, of)
	info := documenttest.Tool(t, content, "pdfinfo", "FILE")
	for _, want := range []string{
		"Title:           Residential lease: 1420 Maple Avenue",
		"Author:          Harbor Lane Rentals LLC",
		"Subject:         lea_01KA5R2M7Q8D4E6F9G1H3J5K7M, version 1",
		"CreationDate:    Tue Nov 24", "Page size:       612 x 792 pts (letter)",
		"JavaScript:      no", "Encrypted:       no",
	} {
		if !strings.Contains(info, want) {
			t.Errorf("pdfinfo does not say %q:\n%s", want, info)
		}
	}
	if fonts := documenttest.Tool(t, content, "pdffonts", "FILE"); strings.Count(fonts, "yes no  yes") != 2 {
		t.Errorf("the fonts are not both embedded with their texts:\n%s", fonts)
	}
	if !bytes.Contains(content, []byte("/Lang (en-US)")) || bytes.Count(content, []byte("/Title ")) < 27 {
		t.Error("the language or bookmarks are missing")
	}
}

func TestSameDocumentRendersSameBytes(t *testing.T) {
	t.Parallel()
	first := render(t, documenttest.Terms("TX"))
	for range 5 {
		if !bytes.Equal(first, render(t, documenttest.Terms("TX"))) {
			t.Fatal("another rendering has other bytes")
		}
	}
	other := documenttest.Terms("TX")
	other.Lease.MonthlyRent++
	if bytes.Equal(first, render(t, other)) {
		t.Error("a cent of rent changes nothing")
	}
}

func TestMissingGlyphsAreReportedNotDropped(t *testing.T) {
	t.Parallel()
	for s, want := range map[string]string{
		"Nguyễn Thị Phương Thảo":           "",
		"Łódź żółć ĂÂĐÊÔƠƯ ăâđêôơư ẵẫễỗỡữ": "",
		"ÆØÅ ßẞ ŒŸ ĲŁ ŞĞİ ķļņ":             "",
		"e\u0301 n\u0303":                  "",
		"“quotes” – — … € £ ™ №":           "",
		"שלום Ada 大阪":                      "",
		"አበበ":                              "አበ",
		"a\u200fb":                         "\u200f",
		"q\u0303":                          "\u0303",
		"😀":                                "😀",
		"two\nlines\tand a tab":            "",
	} {
		if got := string(pdf.Missing(s)); got != want {
			t.Errorf("%q: missing is %q, want %q", s, got, want)
		}
	}
	of := documenttest.Terms("TX")
	of.Lease.Tenants[0].Name = "አበበ"
	if _, err := pdf.Render(document.Compose(of), made); err == nil {
		t.Error("a name without glyphs is rendered")
	}
}

func TestLongDocumentIsComplete(t *testing.T) {
	t.Parallel()
	of := documenttest.Terms("CA")
	long := strings.TrimSpace(strings.Repeat("Only on the third floor and never after ten in the evening. ", 33))
	word := strings.Repeat("W", 300)
	of.Lease.Terms.Clauses = terms.Clauses{
		Pets:      &long,
		Smoking:   &long,
		Parking:   &long,
		Utilities: &word,
	}
	for range 2 {
		of.Lease.Tenants = append(of.Lease.Tenants, portfolio.Party{
			Name: strings.Repeat("Wolfeschlegelsteinhausenbergerdorff ", 7),
			Role: portfolio.PartyCoTenant,
		})
	}
	content := render(t, of)
	said := squeezed(frame.ReplaceAllString(documenttest.Tool(t, content, "pdftotext", "-raw", "FILE", "-"), "\n"))
	if strings.Count(said, squeezed(long)) != 3 || !strings.Contains(said, word) {
		t.Error("a long clause is not whole")
	}
}

func TestExecutedLeaseShowsEverySignature(t *testing.T) {
	t.Parallel()
	c, of := documenttest.Certificate(), documenttest.Terms("TX")
	d, err := document.Compose(of).Execute(c)
	if err != nil {
		t.Fatal(err)
	}
	content, err := pdf.Render(d, made)
	if err != nil {
		t.Fatal(err)
	}
	said := squeezed(frame.ReplaceAllString(documenttest.Tool(t, content, "pdftotext", "-layout", "FILE", "-"), "\n"))
	for _, s := range c.Signed {
		if n := strings.Count(said, squeezed(s.Typed)); n < 4 {
			t.Errorf(
				"%q stands in the PDF %d times, want it among the parties, above the line, below it and in the "+
					"certificate",
				s.Typed,
				n,
			)
		}
	}
	plain := squeezed(frame.ReplaceAllString(documenttest.Tool(t, content, "pdftotext", "-raw", "FILE", "-"), "\n"))
	for _, want := range []string{
		"B. Certificate of signatures", c.SHA256, c.Head, c.Verify,
		"November 24, 2026, 00:01:02 UTC",
	} {
		if !strings.Contains(plain, squeezed(want)) {
			t.Errorf("the PDF does not say %q", want)
		}
	}
	out := documenttest.Tool(t, content, "qpdf", "--check", "FILE")
	if !strings.Contains(out, "No syntax or stream encoding errors found") {
		t.Error(out)
	}
}

// BenchmarkRender is what a document costs: once composed and rendered, also with names in other scripts.
func BenchmarkRender(b *testing.B) {
	latin := documenttest.Terms("CA").Lease.Tenants[0].Name
	for _, name := range []string{"", "Arabic", "Chinese", "long Arabic", "long Chinese"} {
		b.Run(name, func(b *testing.B) {
			of := documenttest.Terms("CA")
			of.Lease.Tenants[0].Name = cmp.Or(names[name], latin)
			if script, is := strings.CutPrefix(name, "long "); is {
				of.Lease.Tenants[0].Name = strings.Repeat(names[script], 12)
			}
			for b.Loop() {
				if _, err := pdf.Render(document.Compose(of), made); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

func TestXMPMetadataDescribesDocument(t *testing.T) {
	t.Parallel()
	of := documenttest.Terms("TX")
	of.Landlord.Name = "Maple & Oak <LLC>"
	said := documenttest.Tool(t, render(t, of), "pdfinfo", "-meta", "FILE")
	for _, want := range []string{
		"Maple &amp; Oak &lt;LLC&gt;", "<rdf:li>en-US</rdf:li>",
		"Residential lease: 1420 Maple Avenue", "<xmp:CreateDate>",
	} {
		if !strings.Contains(said, want) {
			t.Errorf("the metadata do not say %q:\n%s", want, said)
		}
	}
}

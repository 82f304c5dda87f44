package pdf_test

import (
	"regexp"
	"slices"
	"strings"
	"testing"

	"portal/api/agreement/document"
	"portal/api/agreement/document/documenttest"
	"portal/api/agreement/document/pdf"
	"portal/api/contact"
)

// structure is what a screen reader follows: the elements with their texts, as poppler prints them.
func structure(t *testing.T, content []byte) string {
	t.Helper()
	if info := documenttest.Tool(t, content, "pdfinfo", "FILE"); !strings.Contains(info, "Tagged:          yes") {
		t.Errorf("the PDF is not tagged:\n%s", info)
	}
	return documenttest.Tool(t, content, "pdfinfo", "-struct-text", "FILE")
}

var quoted = regexp.MustCompile(`(?m)^ *"(.*)"$`)

// readAloud is the text of a structure, an element a line.
func readAloud(structure string) string {
	var b strings.Builder
	for _, m := range quoted.FindAllStringSubmatch(structure, -1) {
		b.WriteString(m[1] + "\n")
	}
	return b.String()
}

// repeated is the head of the table of disclosures, which stands on each of its pages and is read once.
var repeated = regexp.MustCompile(`(?m)^(Disclosure Why Law|Disclosure\nWhy\nLaw)\n`)

func TestScreenReaderFindsEveryWordOnce(t *testing.T) {
	t.Parallel()
	executed, err := document.Compose(documenttest.Terms("TX")).Execute(documenttest.Certificate())
	if err != nil {
		t.Fatal(err)
	}
	all := map[string]*document.Document{"executed": executed}
	for _, state := range []contact.State{"CA", "IL", "DC"} {
		of := documenttest.Terms(state)
		documenttest.Answer(of, true)
		all[string(state)] = document.Compose(of)
	}
	for name, d := range all {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			content, err := pdf.Render(d, made)
			if err != nil {
				t.Fatal(err)
			}
			text := frame.ReplaceAllString(documenttest.Tool(t, content, "pdftotext", "-raw", "FILE", "-"), "\n")
			printed := strings.Fields(repeated.ReplaceAllString(text, ""))
			read := strings.Fields(repeated.ReplaceAllString(readAloud(structure(t, content)), ""))
			slices.Sort(printed)
			slices.Sort(read)
			if !slices.Equal(printed, read) {
				t.Errorf("the pages have %d words, the structure %d", len(printed), len(read))
			}
		})
	}
}

func TestStructureNamesHeadingsListsAndTables(t *testing.T) {
	t.Parallel()
	got := structure(t, render(t, documenttest.Terms("IL")))
	for _, want := range []string{
		"Document\n  Sect\n    H1 (block)\n      \"Summary of rights: Safer Homes Act (765 ILCS 750)\"\n",
		"\n  H1 (block)\n    \"Residential lease\"\n",
		"\n  H2 (block)\n    \"Key terms\"\n  Table (block)\n    TR\n      TH:\n         /Scope /Row\n" +
			"        \"Landlord\"\n      TD\n        \"Harbor Lane Rentals LLC\"\n",
		"\n    TR\n      TH:\n         /Scope /Column\n        \"Charge\"\n",
		"\n    H2 (block)\n      \"1. Parties\"\n    P (block)\n      \"1.1 The landlord is Harbor Lane Rentals LLC.",
		"\n      LI (block)\n        Lbl (block)\n          \"•\"\n        LBody (block)\n",
	} {
		if !strings.Contains(got, want) {
			t.Errorf("the structure has no %q", want)
		}
	}
	if n, want := strings.Count(got, "H2 (block)"), 27; n < want {
		t.Errorf("the structure has %d headings, want %d at least", n, want)
	}
}

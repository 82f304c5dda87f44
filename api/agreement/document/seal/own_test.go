package seal_test

import (
	"crypto/sha256"
	"fmt"
	"strings"
	"testing"
	"time"

	"portal/api/agreement/document"
	"portal/api/agreement/document/documenttest"
	"portal/api/agreement/document/foreign"
	"portal/api/agreement/document/pdf"
	"portal/api/portfolio"
	"portal/api/portfolio/lease/terms"
)

// TestLeasesOfAllStatesWithOwnTextAreSealed renders leases whose text is the landlord's own, with another attachment
// and a guarantor, and has other programs look at them.
func TestLeasesOfAllStatesWithOwnTextAreSealed(t *testing.T) {
	t.Parallel()
	text := attachment(t, "Our lease.pdf", "The tenant keeps the garden", "The landlord keeps the roof")
	rules := attachment(t, "House rules.pdf", "Quiet hours are from 10 PM")
	s, cert := selfMade(t)
	for of := range documenttest.Some() {
		if of.Lease.LeaseType != portfolio.Fixed {
			continue
		}
		t.Run(string(of.Property.State), func(t *testing.T) {
			t.Parallel()
			said := &of.Lease.Terms
			said.Document, said.Clauses, said.Answers = new(terms.Own), terms.Clauses{}, nil
			of.Attachments = []document.Attachment{
				{ID: "att_1", Name: text.Name, Pages: 2, SHA256: sum(text.Content), Lease: true},
				{ID: "att_2", Name: rules.Name, Pages: 1, SHA256: sum(rules.Content)},
			}
			text, rules := text, rules
			text.Lease = true
			d, err := document.Compose(of).Execute(documenttest.Certificate())
			if err != nil {
				t.Fatal(err)
			}
			plain, err := pdf.Render(d, made, text, rules)
			if err != nil {
				t.Fatal(err)
			}
			content := sealed(t, s, plain)
			if out := documenttest.Tool(t, content, "qpdf", "--check", "FILE"); strings.Contains(out, "WARNING") ||
				!strings.Contains(out, "No syntax or stream encoding errors found") {
				t.Errorf("qpdf says\n%s", out)
			}
			out := documenttest.Tool(t, content, "pdfsig", "-nocert", "FILE")
			if !strings.Contains(out, "Signature is Valid.") || !strings.Contains(out, "Total document signed") {
				t.Errorf("pdfsig says\n%s", out)
			}
			cms(t, content, cert)
			read := strings.Join(strings.Fields(documenttest.Tool(t, content, "pdftotext", "FILE", "-")), " ")
			at := 0
			for _, want := range []string{
				"Text of the lease", "$1,450.50", "keeps the garden", "keeps the roof", "SHA-256: " + sum(text.Content),
				"The first page is part of the lease", "Guaranty", "By signing, each party agrees",
				"Certificate of signatures", "Quiet hours",
			} {
				n := strings.Index(read[at:], want)
				if n < 0 {
					t.Errorf("%s: no %q in its place", of.Property.State, want)
					continue
				}
				at += n
			}
		})
	}
}

// attachment is a PDF of somebody else's as it is kept.
func attachment(t *testing.T, name string, texts ...string) pdf.Attachment {
	t.Helper()
	d, err := foreign.NewCleaner(time.Minute).Clean(t.Context(), documenttest.Pages(texts...))
	if err != nil {
		t.Fatal(err)
	}
	return pdf.Attachment{Name: name, Content: d.Content}
}

func sum(content []byte) string { return fmt.Sprintf("%x", sha256.Sum256(content)) }

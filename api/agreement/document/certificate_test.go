package document_test

import (
	"encoding/json"
	"fmt"
	"reflect"
	"strings"
	"testing"

	"portal/api/access"
	"portal/api/agreement/document"
	"portal/api/agreement/document/documenttest"
)

func TestDocumentSurvivesJSONRoundTrip(t *testing.T) {
	t.Parallel()
	for of := range documenttest.Leases() {
		d := document.Compose(of)
		text, err := json.Marshal(d)
		if err != nil {
			t.Fatal(err)
		}
		var again document.Document
		if err := json.Unmarshal(text, &again); err != nil {
			t.Fatal(err)
		}
		if !reflect.DeepEqual(&again, d) {
			t.Errorf("%s: the document has changed", of.Property.State)
		}
	}
	kept := `{"Sections":[{"Number":"4","Blocks":[{"paragraph":{"Number":"4.1","Text":"Rent"}},{"points":["a"]},` +
		`{"table":{"Head":["b"],"Rows":[["c"]]}},{"signature":{"Name":"Ada"}}]}]}`
	var d document.Document
	if err := json.Unmarshal([]byte(kept), &d); err != nil {
		t.Fatal(err)
	}
	if said := text(&d); !strings.Contains(said, "4. 4.1 Rent a b c : Ada") {
		t.Errorf("a document that was kept says %q", said)
	}
}

func TestExecutedDocumentHasEverySignature(t *testing.T) {
	t.Parallel()
	d := document.Compose(documenttest.Terms("TX"))
	before, err := json.Marshal(d)
	if err != nil {
		t.Fatal(err)
	}
	c := documenttest.Certificate()
	e, err := d.Execute(c)
	if err != nil {
		t.Fatal(err)
	}
	var all []string
	e.Texts(func(s string) { all = append(all, s) })
	said := strings.Join(all, "\n")
	for _, want := range append(
		documenttest.MustCertify(c),
		"B. Certificate of signatures",
		"Mozilla/5.0 (iPhone) ???",
	) {
		if !strings.Contains(said, want) {
			t.Errorf("the document does not say %q", want)
		}
	}
	if after, err := json.Marshal(d); err != nil || string(after) != string(before) {
		t.Errorf("the document that was signed has changed: %v", err)
	}
	for name, wrong := range map[string][]document.Signed{
		"three of four": c.Signed[:3],
		"five of four":  append(c.Signed[:4:4], c.Signed[0]),
		"nobody":        nil,
	} {
		if _, err := d.Execute(&document.Certificate{Signed: wrong}); err == nil {
			t.Errorf("%s have signed, and the document is executed", name)
		}
	}
}

func TestCertificateShowsStartAndEndOfLongLog(t *testing.T) {
	t.Parallel()
	for entries, want := range map[int]string{
		200:    "",
		201:    "Entries left out here: 1",
		10_000: "Entries left out here: 9800",
	} {
		c := documenttest.Certificate()
		c.Log = nil
		for i := range entries {
			c.Log = append(c.Log, document.Happening{At: c.Signed[0].At, What: fmt.Sprintf("entry %d.", i+1)})
		}
		e, err := document.Compose(documenttest.Terms("TX")).Execute(c)
		if err != nil {
			t.Fatal(err)
		}
		said := text(e)
		if strings.Contains(said, "left out here") != (want != "") || !strings.Contains(said, want) ||
			strings.Count(said, "entry ") > 201 {
			t.Errorf("of %d entries: %d are shown", entries, strings.Count(said, "entry "))
		}
		for _, i := range []int{1, 50, entries - 149, entries} {
			if !strings.Contains(said, fmt.Sprintf("entry %d.", i)) {
				t.Errorf("of %d entries, the %d. is left out", entries, i)
			}
		}
	}
}

// A draft of test mode can be taken for a lease as easily as one that is signed.
func TestDraftOfTestModeIsMarked(t *testing.T) {
	t.Parallel()
	of := documenttest.Terms("TX")
	of.Lease.Mode = access.Live
	if said := text(document.Compose(of)); strings.Contains(strings.ToLower(said), "test mode") {
		t.Errorf("a live lease says %q", said)
	}
	of.Lease.Mode = access.Test
	d := document.Compose(of)
	c := documenttest.Certificate()
	c.Test = true
	e, err := d.Execute(c)
	if err != nil {
		t.Fatal(err)
	}
	for _, d := range []*document.Document{d, e} {
		if d.Title != "TEST MODE: Residential lease" || strings.Count(d.Note, "Made in test mode") != 1 ||
			strings.Contains(text(d), "no email was sent") {
			t.Errorf("%s, %s", d.Title, d.Note)
		}
	}
}

package docs

import (
	"strconv"

	"portal/views/kit"
)

// envelopeFields are the fields of the envelope (docs/decisions/0008).
var envelopeFields = []kit.Definition{
	{Name: "type", What: "The class of the error: one of the types below."},
	{Name: "code", What: "What went wrong, exactly. An entry below."},
	{
		Name: "message",
		What: "The same for a person: what is wrong with this request and what to do. Its wording may change, so do not match on it.",
	},
	{Name: "param", What: "Dotted path of the first field or parameter at fault, null where none is."},
	{
		Name: "errors",
		What: "Every field at fault with its param, code and message; empty where none is.",
	},
	{Name: "request_id", What: "Names this request. Tell it to support."},
	{Name: "doc_url", What: "The entry of the code on this page."},
}

// envelope is an answer as an example; page is where the dictionary stands.
func envelope(page string) string {
	return `{
  "error": {
    "type": "validation_error",
    "code": "invalid_field",
    "message": "limit must be a whole number between 1 and 100; not \"500\".",
    "param": "limit",
    "errors": [
      {
        "param": "limit",
        "code": "invalid_field",
        "message": "limit must be a whole number between 1 and 100; not \"500\"."
      }
    ],
    "request_id": "req_01KA5R2M7Q8D4E6F9G1H3J5K7M",
    "doc_url": "` + page + `#invalid_field"
  }
}`
}

// Errors is the error dictionary.
type Errors struct {
	URL    string // public address of this page, which answers link to
	Asked  string // what the codes are filtered by, "" for nothing
	Types  []ErrorType
	Groups []ErrorGroup
}

// ErrorType is a class of errors.
type ErrorType struct {
	Type  string
	Title string // what it means, in a few words
	About string // what a caller does about it
}

// ErrorGroup is the codes of one status.
type ErrorGroup struct {
	Status  int
	Phrase  string // of the status
	Entries []ErrorEntry
}

// ErrorEntry is one code of the dictionary.
type ErrorEntry struct {
	Code   string
	Type   string
	Status int
	Cause  string
	Remedy string
}

// Draw puts the dictionary into a page.
func (e Errors) Draw(d *Doc) error {
	d.Rows = nil
	var err error
	if d.Intro, err = drawn(errorsIntro(e)); err != nil {
		return err
	}
	if e.Asked == "" {
		if err := d.section("envelope", "The envelope", errorEnvelope(e)); err != nil {
			return err
		}
		if err := d.section("types", "Types", errorTypes(e.Types)); err != nil {
			return err
		}
	}
	for _, g := range e.Groups {
		title := strconv.Itoa(g.Status) + " " + g.Phrase
		if err := d.section("status-"+strconv.Itoa(g.Status), title, errorEntries(g.Entries)); err != nil {
			return err
		}
	}
	return nil
}

// summary says how many codes match a filter.
func (e Errors) summary() string {
	n := 0
	for _, g := range e.Groups {
		n += len(g.Entries)
	}
	switch n {
	case 0:
		return "No codes match “" + e.Asked + "”."
	case 1:
		return "1 code matches “" + e.Asked + "”."
	}
	return strconv.Itoa(n) + " codes match “" + e.Asked + "”."
}

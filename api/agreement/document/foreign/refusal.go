package foreign

import (
	"errors"

	"portal/api/fault"
)

// Refusal is why a PDF is not taken.
type Refusal string

// The reasons for which PDFs are refused.
const (
	TooLarge     Refusal = "too_large"      // more than MostBytes
	NotPDF       Refusal = "not_pdf"        // no header of a PDF
	Protected    Refusal = "protected"      // encrypted, even if it opens without a password
	Damaged      Refusal = "damaged"        // it is incomplete, or breaks the rules of PDF
	NoPages      Refusal = "no_pages"       // a page tree without a page
	TooManyPages Refusal = "too_many_pages" // more than MostPages
	PageTooLarge Refusal = "page_too_large" // a side of more than MostSide
	Unpacked     Refusal = "unpacked"       // more than mostUnpacked, or pictures of too many pixels
	TooComplex   Refusal = "too_complex"    // it would take too long
	DynamicForm  Refusal = "dynamic_form"   // a form of XFA alone, which has no pages of its own
	Undrawn      Refusal = "undrawn"        // a value or a comment is visible, but the file doesn't say how
	HiddenLayers Refusal = "hidden_layers"  // content that is not shown by default
	Portfolio    Refusal = "portfolio"      // a collection of files
)

var sentences = map[Refusal]string{
	TooLarge: "The file is larger than 10 MB. Send a smaller copy of it.",
	NotPDF:   "The file is not a PDF. Save or print the document as a PDF file and send that.",
	Protected: "The PDF is protected by a password or restricted. " +
		"Save a copy without protection, or print it to a new PDF file, and send that.",
	Damaged: "The PDF is damaged or incomplete. Open it, print it to a new PDF file, and send that.",
	NoPages: "The PDF has no pages. Send one that has at least one page.",
	TooManyPages: "The PDF has more than 100 pages. Send only the pages that belong to the lease, " +
		"or several shorter files.",
	PageTooLarge: "The PDF has a page with a side of more than 100 inches. Print it to a new PDF file " +
		"with smaller pages.",
	Unpacked: "The PDF becomes too large when it is opened. Save its pictures with a lower resolution, " +
		"or print it to a new PDF file.",
	TooComplex: "The PDF took too long to read. Print it to a new PDF file and send that.",
	DynamicForm: "The PDF is a form that only Adobe software can show. Open it there, print it to a new " +
		"PDF file, and send that.",
	Undrawn: "The PDF has a filled-in field or a comment that other programs may not show. " +
		"Print it to a new PDF file and check that everything is visible.",
	HiddenLayers: "The PDF has hidden layers. Print what should be visible to a new PDF file and send that.",
	Portfolio:    "The PDF is a collection of several files. Send each of them as a PDF file of its own.",
}

// Error is the sentence for people.
func (r Refusal) Error() string { return sentences[r] }

// fault is the refusal as callers get it; RefusalOf finds it again.
func (r Refusal) fault() error {
	return fault.New(fault.InvalidField, "%s", r.Error()).Because(r)
}

// RefusalOf tells why Clean has refused a PDF; false where that is not what happened.
func RefusalOf(err error) (Refusal, bool) { return errors.AsType[Refusal](err) }

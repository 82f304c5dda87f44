// Package foreign makes a harmless PDF out of one that somebody sends: only what draws its pages is
// copied, object by object, by a list of what is known. Scripts, actions, links, embedded files, and
// metadata are on no list. Fields and comments are drawn into their pages.
//
// It is a reader of its own, because the memory and the time of a file are bounded by what has been
// read and unpacked so far (budget). It never decodes a picture or a font.
//
// It knows nothing of leases, and nothing of how pages are put into another document.
package foreign

import (
	"context"
	"errors"
	"runtime/debug"
	"time"

	"portal/api/intake"
)

// What is taken.
const (
	// MostBytes is how large a PDF may be as it is sent.
	MostBytes = 10 << 20
	// MostPages is how many pages it may have.
	MostPages = 100
	// MostSide is how long a side of a page may be, in points: 100 inches.
	MostSide = 7200
)

// Document is a PDF as it is kept. The same file always makes the same one.
type Document struct {
	Content []byte // the PDF
	Pages   []Page
}

// Page is a page of a Document. All that it shows is one form XObject, the resource P of the page, whose
// matrix is the identity.
type Page struct {
	Width, Height float64 // as it is shown, which is after it was turned, in points
	Rotate        int     // by how many degrees it is turned clockwise: 0, 90, 180, or 270
	Object        int     // number of the form XObject in Content
}

// Cleaner cleans one PDF at a time. A process has one of them, so that the memory is that of one.
type Cleaner struct{ gate *intake.Gate }

// NewCleaner makes a cleaner that has others wait for so long while it cleans a PDF.
func NewCleaner(patience time.Duration) *Cleaner {
	return &Cleaner{gate: intake.NewGate(1, patience)}
}

// Clean reads a PDF and makes a harmless one of it. It does not keep or change file.
//
// What is not taken is refused with fault.InvalidField, of which RefusalOf tells the reason. Who waits
// in vain for others gets fault.Unavailable. An end of ctx is an error as it is.
func (c *Cleaner) Clean(ctx context.Context, file []byte) (Document, error) {
	if len(file) > MostBytes {
		return Document{}, TooLarge.fault()
	}
	leave, err := c.gate.Enter(ctx)
	if err != nil {
		return Document{}, err
	}
	defer leave()
	defer intake.Frugally(mostUnpacked)() // nobody knows yet what is packed in it
	spent := &budget{ctx: ctx}
	d, err := clean(spent, file)
	if spent.done > smallWork {
		debug.FreeOSMemory() // or the next one comes on top of this one
	}
	if why, is := RefusalOf(err); is {
		return Document{}, why.fault()
	}
	return d, err
}

// smallWork is what a file may take, in units of a budget, that leaves little memory behind.
const smallWork = 4 << 20

// clean reads with the table of the file, and where that leads nowhere, with one of all objects that
// are found in it.
func clean(spent *budget, data []byte) (Document, error) {
	data, err := fromHeader(data)
	if err != nil {
		return Document{}, err
	}
	f := newFile(data, spent)
	err = f.readTable()
	if err == nil {
		var d Document
		if d, err = rewrite(f); err == nil {
			return d, nil
		}
	}
	if !errors.Is(err, Damaged) {
		return Document{}, err
	}
	spent.unpacked = 0
	f = newFile(data, spent)
	if err = f.search(); err != nil {
		return Document{}, err
	}
	return rewrite(f)
}

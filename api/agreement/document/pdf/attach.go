package pdf

import (
	"fmt"
	"unicode/utf16"

	"portal/api/agreement/document/foreign"
)

// Attachment is a PDF that stands behind a document.
type Attachment struct {
	Name    string // what a screen reader and the outline call it
	Content []byte // of a foreign.Document
	Lease   bool   // it stands behind the first page
}

// attached is an attachment with where it stands.
type attached struct {
	*foreign.Insert
	name  string
	lease bool
	first int // page of the whole, from 1
}

func open(all []Attachment) ([]*attached, error) {
	behind := make([]*attached, len(all))
	for i, a := range all {
		insert, err := foreign.Open(a.Content)
		if err != nil {
			return nil, fmt.Errorf("pdf: the attachment %s: %w", a.Name, err)
		}
		behind[i] = &attached{Insert: insert, name: a.Name, lease: a.Lease}
	}
	return behind, nil
}

// attachAll makes the pages of the attachments that are the text of the lease, or of the others.
func (w *writer) attachAll(lease bool) {
	for _, a := range w.attached {
		if a.lease == lease {
			w.attach(a)
		}
	}
}

// attach makes the pages of an attachment. What they show takes the place of these pages in the file (inserted); their
// places in the outline and in the structure stay.
func (w *writer) attach(a *attached) {
	a.first = w.PageCount() + 1
	w.in(part, func() {
		for page := range a.Pages() {
			w.bare = true
			w.AddPage()
			w.bare = false
			if page == 0 {
				w.Bookmark(a.name, 0, 0)
			}
			w.in(picture(fmt.Sprintf("%s, page %d of %d", a.name, page+1, a.Pages())), func() {
				w.tag()
				w.untag()
			})
		}
	})
}

// picture is a figure that a screen reader reads as a text: nothing is known of what the pages of an attachment say.
func picture(alternative string) kind {
	return kind{name: "Figure", attributes: " /Alt " + inUTF16(alternative)}
}

// inUTF16 is a text as a file has it, in UTF-16, which holds every character.
func inUTF16(s string) string {
	b := []byte{0xfe, 0xff}
	for _, u := range utf16.Encode([]rune(s)) {
		b = append(b, byte(u>>8), byte(u))
	}
	return fmt.Sprintf("<%x>", b)
}

// inserted are the objects of all attachments, numbered from next on, and what their pages are, by the page.
func (w *writer) inserted(next int) (objects [][]byte, pages map[int][]byte) {
	pages = map[int][]byte{}
	for _, a := range w.attached {
		number := func(page int) int { return pageObject(a.first + page) }
		own, shown := a.Objects(next+len(objects), number, "/Figure <</MCID 0>> BDC\n", "\nEMC")
		objects = append(objects, own...)
		for i, entries := range shown {
			pages[a.first+i] = entries
		}
	}
	return objects, pages
}

package docs

// Changes are the changes of a kind in a release.
type Changes struct {
	ID      string
	Title   string
	Entries []string // in Markdown
}

// shownChanges is how many entries of a kind are not folded.
const shownChanges = 5

// shown are the entries that are not folded. Two more are shown rather than folded.
func (c Changes) shown() int {
	if len(c.Entries) <= shownChanges+2 {
		return len(c.Entries)
	}
	return shownChanges
}

// DrawChanges makes changes what the row shows.
func (r *DocRow) DrawChanges(all []Changes) (err error) {
	for _, c := range all {
		r.Parts = append(r.Parts, DocPart{ID: c.ID, Title: c.Title})
	}
	r.HTML, err = drawn(changes(all))
	return err
}

package docs

// StateOnMap is a state on the map of lease rules.
type StateOnMap struct {
	Code    string // of the USPS
	Name    string
	Path    string // of its page
	Cap     string // of the deposit, in months of rent
	Limited bool   // it has one
}

// without is the page without its sections, for one that has something before them.
func (d Doc) without() Doc {
	d.Rows = nil
	return d
}

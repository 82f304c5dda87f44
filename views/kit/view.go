// Package kit holds the components that pages are made of: the frame and its navigation,
// tables, forms, buttons, badges, code, charts and empty states, each with its plain data.
//
// It knows nothing of requests, records or rules, nor which pages there are.
package kit

import (
	"slices"
	"strings"
	"unicode"

	"portal/static"
)

// Frame is what surrounds a page.
type Frame struct {
	Title string // of the window, without the name of the product
	About string // one sentence for search engines and previews, "" for a page that none should show
	// Canonical is the absolute address that search engines know the page by, "" for none.
	Canonical string
	Card      string // absolute address of the picture of previews, "" for none

	Style   string   // address of the style sheet
	Styles  []string // addresses of further ones
	Script  string   // address of the script, "" for none
	Scripts []string // addresses of further ones
	Icon    string   // address of the icon
	Refresh int      // seconds after which the page is asked for again, 0 for never

	Person     *Person    // nil: nobody is signed in
	Navigation []NavGroup // where they may go
	Modes      []Mode     // of the records of their account; none where they look at none
	Palette    string     // address that answers what is typed into the palette, "" for none
	Search     string     // address of the page that searches those, "" for none
	Test       bool       // the records that are shown are those of test mode
	Clock      string     // the day of a test clock that is ahead of the real day, "" where it is not
	Said       []Toast    // what was just done
}

// Public is the frame of a page that search engines may know, at a path below the address of the
// service. About is one sentence on it.
func (f Frame) Public(about, base, path string) Frame {
	f.About, f.Canonical, f.Card = about, base+path, base+static.URL("card.png")
	return f
}

// With is the frame of a page that needs a style sheet of its own, by its plain name.
func (f Frame) With(sheet string) Frame {
	f.Styles = append(slices.Clip(f.Styles), static.URL(sheet))
	return f
}

// Home is the first place of the reader.
func (f Frame) Home() Link {
	name := strings.ToLower(f.homeName())
	if f.Person == nil {
		name = "the home page"
	}
	return Link{Name: "Go to " + name, Path: f.home()}
}

// Nearest are the place of the navigation that the page stands below, and the search.
func (f Frame) Nearest() []Link {
	var all []Link
	for _, p := range f.above() {
		all = append(all, Link{Name: "Go to " + strings.ToLower(p.Name), Path: p.Path})
	}
	if f.Search != "" {
		all = append(all, Link{Name: "Search", Path: f.Search})
	}
	return all
}

// home is where the brand leads: to the first place of the signed-in user.
func (f Frame) home() string {
	if f.Person != nil && len(f.Navigation) > 0 {
		return f.Navigation[0].Items[0].Path
	}
	return "/"
}

// homeName is what home is called.
func (f Frame) homeName() string {
	if f.Person != nil && len(f.Navigation) > 0 {
		return f.Navigation[0].Items[0].Name
	}
	return "Home"
}

// above is the place of the navigation that the page stands below.
func (f Frame) above() []NavItem {
	for _, g := range f.Navigation {
		for _, p := range g.Items {
			if p.Here == HereWithin {
				return []NavItem{p}
			}
		}
	}
	return nil
}

// Person is the signed-in user.
type Person struct {
	Email   string
	Account string // that they look at, "" for none
	Role    string
	Plan    string // of the account, "" where it is not known
}

// beneath is what stands below the name: the plan, or the role.
func (p Person) beneath() string {
	if p.Plan != "" {
		return p.Plan
	}
	return p.Role
}

// name is that of the account, or of the person who looks at none.
func (p Person) name() string {
	if p.Account != "" {
		return p.Account
	}
	return p.Email
}

// initials are those of the name.
func (p Person) initials() string { return Initials(p.name()) }

// Initials are the first letters of the first two words of a name.
func Initials(name string) string {
	var letters []rune
	for word := range strings.FieldsSeq(name) {
		letters = append(letters, unicode.ToUpper([]rune(word)[0]))
		if len(letters) == 2 {
			break
		}
	}
	return string(letters)
}

// NavGroup are places of the navigation that belong together.
type NavGroup struct {
	Title string // "" for none
	Items []NavItem
}

// NavItem is a page that one may go to.
type NavItem struct {
	Name string
	Path string
	Icon string // by its name in the sprite, "" for none
	Here Here

	Count NavCount // of what waits there
}

// NavCount is how much waits at a place, "" for nothing.
type NavCount struct {
	Number string
	Words  string // for who hears the number: " open"
	Bad    bool   // it needs attention
}

// Here reports whether a place is the one that is read.
type Here string

// What aria-current says of a place.
const (
	HereNot    Here = ""
	HerePage   Here = "page"
	HereWithin Here = "true" // a page below it is read
)

// Mode leads to the same page for test or live records.
type Mode struct {
	Name string
	Icon string
	Path string
	Here bool
}

// Missing is the page of a path that leads nowhere.
type Missing struct {
	Refused
	Path string
}

// Refused is a page that says why there is no answer, and what to do next.
type Refused struct {
	Frame
	Status    int
	Words     string
	Next      []Link // the first is the most likely one
	RequestID string // to tell support, "" where it helps nobody
}

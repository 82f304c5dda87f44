package kit

import "portal/static"

// GuestHeader surrounds a page for somebody who has a link and no account: the name of
// who wrote to them, and no way into the API's pages.
type GuestHeader struct {
	Title string // of the window, without From
	From  string // who wrote to the reader, "" where nobody is known
	About string // what it is about, beside From; "" for nothing
	Style string // address of the style sheet
	Icon  string // address of the icon

	Footer   string // "" for who has sent the link
	Contract bool   // the page shows a contract
	Spanish  bool   // the page speaks Spanish
	Other    Link   // the page in the other language, the zero value where it has one alone
	Bar      []GuestTab
}

// GuestTab is one of a few pages for the same reader, at the bottom of each of them.
type GuestTab struct {
	Name string
	Icon string
	Path string
	Here bool
}

// attributes mark the page that is shown.
func (t GuestTab) attributes() map[string]any {
	if t.Here {
		return map[string]any{"aria-current": "page"}
	}
	return nil
}

// GuestNotice is a page that says one thing.
type GuestNotice struct {
	GuestHeader
	Title  string
	Words  []string // paragraphs
	Next   Link     // where the reader goes on, the zero value for nowhere
	Button string   // "" for none
	Action string   // where Button posts, "" for the page's own address
}

// posts says where the button posts.
func (n GuestNotice) posts() map[string]any {
	if n.Action == "" {
		return nil
	}
	return map[string]any{"action": n.Action}
}

// Fact is something about a home: Bedrooms, 2.
type Fact struct{ Name, Value string }

// styles are the addresses of the style sheets.
func (l GuestHeader) styles() []string {
	all := []string{l.Style, static.URL("resident.css")}
	if l.Contract {
		all = append(all, static.URL("contract.css"))
	}
	return all
}

// Say is a text in the language of the page.
func (l GuestHeader) Say(english, spanish string) string {
	if l.Spanish {
		return spanish
	}
	return english
}

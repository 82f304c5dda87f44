package page

import (
	"net/http"
	"strings"

	"portal/api/access"
	"portal/views/kit"
)

// NavGroup is pages that stand together in the navigation.
type NavGroup struct {
	Title    string
	Audience Audience
	Items    []NavItem
}

// NavItem is a page in the navigation. {mode} in its path is the mode of the page that
// is read, or that which was last read.
type NavItem struct {
	Path, Name string
	Icon       string   // by its name in the sprite, "" for none
	who        Audience // of the page, which navigation does not say itself
}

// navigation is what surrounds the page that a request is answered with.
type navigation struct{ *Request }

// Reachable is the navigation without what has no page.
func Reachable(all []NavGroup, routes []Route) []NavGroup {
	there := map[string]Audience{}
	for _, r := range routes {
		if r.Method == http.MethodGet {
			there[r.Path] = r.Audience
		}
	}
	var kept []NavGroup
	for _, g := range all {
		var pages []NavItem
		for _, p := range g.Items {
			if who, is := there[p.Path]; is {
				p.who = who
				pages = append(pages, p)
			}
		}
		if g.Items = pages; len(pages) > 0 {
			kept = append(kept, g)
		}
	}
	return kept
}

// groups are those that the reader may go to.
func (v navigation) groups() []kit.NavGroup {
	all := make([]kit.NavGroup, 0, len(v.Shell.Navigation))
	for _, g := range v.Shell.Navigation {
		if !v.goes(g.Audience) {
			continue
		}
		all = append(all, v.Listed(g))
	}
	return v.Mark(all)
}

// Listed is a group of the navigation, as far as the reader may go there.
func (v *Request) Listed(g NavGroup) kit.NavGroup {
	of := kit.NavGroup{Title: g.Title, Items: make([]kit.NavItem, 0, len(g.Items))}
	mode := "/" + string(navigation{v}.lastMode())
	for _, p := range g.Items {
		if p.who == Member && v.Person.Account == nil {
			continue
		}
		if rest, either := strings.CutPrefix(p.Path, "/{mode}"); either {
			p.Path = mode + rest
		}
		of.Items = append(of.Items, kit.NavItem{Name: p.Name, Icon: p.Icon, Path: p.Path})
	}
	return of
}

// goes reports whether the reader has use for a group of the navigation.
func (v navigation) goes(w Audience) bool {
	switch {
	case v.Person == nil || v.Person.Pending:
		return w == Guest
	case w == Staff:
		return v.IsStaff()
	case w == Member:
		return v.Person.Account != nil
	}
	return w == SignedIn
}

// Mark marks the place that the page belongs to: that with the longest path which
// begins its own.
func (v *Request) Mark(all []kit.NavGroup) []kit.NavGroup {
	here, longest := v.Request().URL.Path, ""
	if strings.HasPrefix(here, v.In("/units/")) { // they are found by their property
		here = v.In("/properties/units")
	}
	for _, g := range all {
		for _, p := range g.Items {
			if (here == p.Path || strings.HasPrefix(here, p.Path+"/")) && len(p.Path) > len(longest) {
				longest = p.Path
			}
		}
	}
	for _, g := range all {
		for i := range g.Items {
			switch g.Items[i].Path {
			case here:
				g.Items[i].Here = kit.HerePage
			case longest:
				g.Items[i].Here = kit.HereWithin
			}
		}
	}
	return all
}

const modeKey = "mode"

// lastMode is that of this page, or of the last one that has one.
func (v navigation) lastMode() access.Mode {
	if m := v.Mode(); m != "" {
		return m
	}
	if v.Session.Kept(modeKey) == string(access.Live) {
		return access.Live
	}
	return access.Test
}

// modes are the same page for either mode. A page of one record leads to the list in
// the other mode, where the record is not.
func (v navigation) modes() []kit.Mode {
	if v.Mode() == "" {
		return nil
	}
	if v.Session.Kept(modeKey) != string(v.Mode()) && v.route.Method == http.MethodGet {
		v.Session.Keep(modeKey, string(v.Mode()))
	}
	if v.route.single {
		return nil
	}
	_, rest, _ := strings.Cut(v.route.Path[1:], "/")
	rest, _, _ = strings.Cut(rest, "/:")
	return []kit.Mode{
		{Name: "Test", Path: "/test/" + rest, Here: v.Mode() == access.Test},
		{Name: "Live", Path: "/live/" + rest, Here: v.Mode() == access.Live},
	}
}

// reader is the signed-in user, as the frame shows them.
func (v navigation) reader() *kit.Person {
	who := v.Person
	if who == nil || who.Pending {
		return nil
	}
	p := &kit.Person{Email: who.Email}
	if who.Account != nil {
		p.Account, p.Role = who.Account.Name, string(who.Account.Role)
	}
	if v.IsStaff() {
		p.Role = "staff"
	}
	return p
}

// toasts is what an earlier request left to say.
func (v navigation) toasts() []kit.Toast {
	tone, what, there := strings.Cut(v.Session.Take(saidKey), "\n")
	if !there {
		return nil
	}
	return []kit.Toast{{Tone: kit.Tone(tone), Text: what}}
}

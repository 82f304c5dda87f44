package web

import (
	"strings"

	"portal/api/access"
	"portal/views"
)

// group is pages that stand together in the navigation.
type group struct {
	title string
	who   who
	pages []place
}

// place is a page in the navigation. {mode} in its path is the mode of the page that
// is read, or that which was last read.
type place struct {
	path, name string
	who        who // of the page, which navigation does not say itself
}

// reachable is the navigation without what has no page.
func reachable(all []group, routes []route) []group {
	there := map[string]who{}
	for _, r := range routes {
		if r.method == "GET" {
			there[r.path] = r.who
		}
	}
	var kept []group
	for _, g := range all {
		var pages []place
		for _, p := range g.pages {
			if who, is := there[p.path]; is {
				p.who = who
				pages = append(pages, p)
			}
		}
		if g.pages = pages; len(pages) > 0 {
			kept = append(kept, g)
		}
	}
	return kept
}

// places are those that the reader may go to.
func (v *visit) places() []views.Places {
	var all []views.Places
	for _, g := range v.shell.places {
		if !v.goes(g.who) {
			continue
		}
		all = append(all, v.listed(g))
	}
	return v.mark(all)
}

func (v *visit) listed(g group) views.Places {
	of := views.Places{Title: g.title}
	for _, p := range g.pages {
		if p.who == member && v.person.Account == nil {
			continue
		}
		of.Places = append(of.Places, views.Place{Name: p.name, Path: strings.Replace(p.path, "{mode}", string(v.lastMode()), 1)})
	}
	return of
}

// goes tells whether the reader has use for a group of the navigation.
func (v *visit) goes(w who) bool {
	switch {
	case v.person == nil || v.person.Pending:
		return w == guest
	case w == staff:
		return v.isStaff()
	case w == member:
		return v.person.Account != nil
	}
	return w == person
}

// mark marks the place that the page belongs to: that with the longest path which
// begins its own.
func (v *visit) mark(all []views.Places) []views.Places {
	here, longest := v.Request().URL.Path, ""
	if strings.HasPrefix(here, v.in("/units/")) { // they are found by their property
		here = v.in("/properties/units")
	}
	for _, g := range all {
		for _, p := range g.Places {
			if (here == p.Path || strings.HasPrefix(here, p.Path+"/")) && len(p.Path) > len(longest) {
				longest = p.Path
			}
		}
	}
	for _, g := range all {
		for i := range g.Places {
			switch g.Places[i].Path {
			case here:
				g.Places[i].Here = views.HerePage
			case longest:
				g.Places[i].Here = views.HereWithin
			}
		}
	}
	return all
}

const modeKey = "mode"

// lastMode is that of this page, or of the last one that has one.
func (v *visit) lastMode() access.Mode {
	if m := v.mode(); m != "" {
		return m
	}
	if v.kept(modeKey) == string(access.Live) {
		return access.Live
	}
	return access.Test
}

// modes are the same page for either mode. A page of one record leads to the list in
// the other mode, where the record is not.
func (v *visit) modes() []views.Mode {
	if v.mode() == "" {
		return nil
	}
	if v.kept(modeKey) != string(v.mode()) && v.route.method == "GET" {
		v.keep(modeKey, string(v.mode()))
	}
	if v.route.single {
		return nil
	}
	_, rest, _ := strings.Cut(v.route.path[1:], "/")
	rest, _, _ = strings.Cut(rest, "/:")
	return []views.Mode{
		{Name: "Test", Path: "/test/" + rest, Here: v.mode() == access.Test},
		{Name: "Live", Path: "/live/" + rest, Here: v.mode() == access.Live},
	}
}

// reader is who is signed in, as the frame shows them.
func (v *visit) reader() *views.Person {
	who := v.person
	if who == nil || who.Pending {
		return nil
	}
	p := &views.Person{Email: who.Email}
	if who.Account != nil {
		p.Account, p.Role = who.Account.Name, string(who.Account.Role)
	}
	if v.isStaff() {
		p.Role = "staff"
	}
	return p
}

// said is what an earlier visit left to say.
func (v *visit) said() []views.Said {
	tone, what, there := strings.Cut(v.take(saidKey), "\n")
	if !there {
		return nil
	}
	return []views.Said{{Tone: views.Tone(tone), Text: what}}
}

// Package frame is what surrounds the pages of signed-in users: the navigation, their account,
// the switch of the mode, the search, and the numbers of what waits for them.
//
// It knows neither SQL nor any page: the table of the navigation names them.
package frame

import (
	"net/http"
	"strings"

	"portal/api/access"
	"portal/views/kit"
	"portal/web/page"
)

// Fill adds to the frame of a page what its reader may do and where they may go.
func Fill(v *page.Request, f *kit.Frame) {
	f.Person, f.Navigation, f.Modes = reader(v), groups(v), modes(v)
	if f.Person != nil && v.Person.Account != nil && v.Shell.Served("/{mode}/search") {
		f.Search = "/" + string(LastMode(v)) + "/search"
		if v.Shell.Served("/{mode}/palette") {
			f.Palette = "/" + string(LastMode(v)) + "/palette"
		}
	}
}

// groups are those of the navigation that the reader may go to.
func groups(v *page.Request) []kit.NavGroup {
	waiting := waits(v)
	all := make([]kit.NavGroup, 0, len(v.Shell.Navigation))
	for _, g := range v.Shell.Navigation {
		if !goes(v, g.Audience) {
			continue
		}
		if of := Listed(v, g, waiting); len(of.Items) > 0 {
			all = append(all, of)
		}
	}
	return v.Mark(all)
}

// goes reports whether the reader has use for a group of the navigation.
func goes(v *page.Request, w page.Audience) bool {
	switch {
	case v.Person == nil || v.Person.Pending:
		return w == page.Guest
	case w == page.Staff:
		return v.IsStaff()
	case w == page.Member:
		return v.Person.Account != nil
	}
	return w == page.SignedIn
}

// Listed is a group of the navigation, as far as the reader may go there, with the numbers of what waits for them.
func Listed(v *page.Request, g page.NavGroup, waiting map[string]kit.NavCount) kit.NavGroup {
	of := kit.NavGroup{Title: g.Title, Items: make([]kit.NavItem, 0, len(g.Items))}
	mode := "/" + string(LastMode(v))
	for _, p := range g.Items {
		if p.Audience == page.Member && v.Person.Account == nil {
			continue
		}
		count := waiting[p.Path]
		if rest, either := strings.CutPrefix(p.Path, "/{mode}"); either {
			p.Path = mode + rest
		}
		if p.Query != "" {
			p.Path += "?" + p.Query
		}
		of.Items = append(of.Items, kit.NavItem{Name: p.Name, Icon: p.Icon, Path: p.Path, Count: count})
	}
	return of
}

// waits is how much waits for the reader. A page is shown without its numbers where they cannot be counted.
func waits(v *page.Request) (all map[string]kit.NavCount) {
	w := v.Shell.Waiting
	if w == nil || v.Person == nil || v.Person.Pending {
		return nil
	}
	var err error
	switch {
	case v.IsStaff():
		all, err = w.ForStaff(v.Ctx())
	case v.Person.Account != nil:
		all, err = w.Counts(v.Ctx(), v.Person.Actor(LastMode(v)).Portfolio)
	}
	if err != nil {
		v.Shell.Log.Warn("numbers of the navigation are missing", "error", err)
	}
	return all
}

const modeKey = "mode"

// LastMode is the mode of this page, or of the last one that has one.
func LastMode(v *page.Request) access.Mode {
	if m := v.Mode(); m != "" {
		return m
	}
	if v.Session.Kept(modeKey) == string(access.Live) {
		return access.Live
	}
	return access.Test
}

// modes are the same page for either mode. A page of one record leads to the list in
// the other mode, where the record is not, and one that has no other mode to the first page of it.
func modes(v *page.Request) []kit.Mode {
	if v.Person == nil || v.Person.Pending || v.Person.Account == nil {
		return nil
	}
	here, r := v.Mode(), v.Route()
	if here != "" && v.Session.Kept(modeKey) != string(here) && r.Method == http.MethodGet {
		v.Session.Keep(modeKey, string(here))
	}
	rest := "overview"
	if !v.Shell.Served("/{mode}/overview") {
		rest = "properties"
	}
	if here != "" && !r.Single() {
		_, rest, _ = strings.Cut(r.Path[1:], "/")
		rest, _, _ = strings.Cut(rest, "/:")
	}
	return []kit.Mode{
		{Name: "Test", Icon: "flask-conical", Path: "/test/" + rest, Here: here == access.Test},
		{Name: "Live", Icon: "zap", Path: "/live/" + rest, Here: here == access.Live},
	}
}

// reader is the signed-in user, as the frame shows them.
func reader(v *page.Request) *kit.Person {
	who := v.Person
	if who == nil || who.Pending {
		return nil
	}
	p := &kit.Person{Email: who.Email}
	if who.Account != nil {
		p.Account, p.Role = who.Account.Name, page.Label(who.Account.Role)
		if tier := who.Account.Plan.Tier; tier != "" {
			p.Plan = page.Label(tier) + " plan"
		}
	}
	if v.IsStaff() {
		p.Role = "Staff"
	}
	return p
}

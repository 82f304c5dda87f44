package page

import (
	"net/http"
	"strings"

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
	Query      string   // of a list that is narrowed down, "" for none
	Words      string   // that it is searched for by, beside its name
	Audience   Audience // of the page, which navigation does not say itself
}

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
				p.Audience = who
				pages = append(pages, p)
			}
		}
		if g.Items = pages; len(pages) > 0 {
			kept = append(kept, g)
		}
	}
	return kept
}

// Mark marks the place that the page belongs to: that with the longest path which
// begins its own.
func (v *Request) Mark(all []kit.NavGroup) []kit.NavGroup {
	here, longest := v.Request().URL.Path, ""
	if strings.HasPrefix(here, v.In("/units/")) { // they are found by their property
		here = v.In("/properties/units")
	}
	if strings.HasPrefix(here, v.In("/payouts")) { // they are opened from the ledger
		here = v.In("/ledger")
	}
	if strings.HasPrefix(here, v.In("/settings/")) { // those of one mode belong to the settings of all
		here = "/settings/leases"
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

// said is what an earlier request left to say.
func (v *Request) said() []kit.Toast {
	tone, what, there := strings.Cut(v.Session.Take(saidKey), "\n")
	if !there {
		return nil
	}
	return []kit.Toast{{Tone: kit.Tone(tone), Text: what}}
}

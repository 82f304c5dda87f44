package developer

import (
	"strings"

	"portal/api/access"
	"portal/api/developer"
	"portal/views/kit"
	"portal/web/listing"
	"portal/web/page"
)

// keyOrders are the orders of the keys.
var keyOrders = []string{"newest", "oldest", "name"}

// sortedKeys are the keys of the account in the order that the address asks for.
func (p *keyPages) sortedKeys(v *page.Request) ([]developer.Key, error) {
	all, err := p.Developer.AccountKeys(v.Ctx(), v.Member())
	listing.Sort(
		all,
		v.Form().Among("sort", keyOrders),
		func(k *developer.Key) (string, string) { return k.Name, k.ID },
	)
	return all, err
}

func (p *keyPages) keys(v *page.Request) error {
	all, err := p.sortedKeys(v)
	if err != nil {
		return err
	}
	approved, err := v.Approved(p.Developer)
	if err != nil {
		return err
	}
	create, empty := firstKey(v, approved)
	view := listing.List{
		Title: "API keys", About: "Test keys use demo data. Live keys use your records.", Path: "/keys",
		Ask: "Sort the keys", Orders: keyOrders,
	}.View(v)
	view.Grid = kit.GridOf(kit.Table{
		Caption: "API keys",
		Empty:   empty,
		Columns: []kit.Column{
			{Name: "Name"},
			{Name: "Status", Width: kit.Short},
			{Name: "Mode", Width: kit.Narrow, Card: kit.CardDetail},
			{Name: "Scopes", Width: kit.Medium, Card: kit.CardHidden},
			{Name: "Created by", Card: kit.CardHidden},
			{Name: "Last use", Right: true, Width: kit.Short, Card: kit.CardAmount},
		},
	}, all, func(k *developer.Key) []kit.Cell {
		return []kit.Cell{
			{Text: k.Name, Path: "/keys/" + k.ID, Faint: k.KeyPrefix + "…"},
			{Status: keyStatuses[k.State(v.Shell.Now())]},
			{Status: keyModes[k.Mode]},
			{Text: strings.ReplaceAll(k.Scopes.String(), ",", ", ")},
			{Text: k.Creator},
			{Time: v.TimeOr(k.LastUsedAt, "Never")},
		}
	})
	if len(all) > 0 {
		view.Primary = create
	}
	return v.Show(kit.ListingPage(view))
}

// firstKey is how the reader comes to a key: what makes one or what comes first, and what is said while
// there is none.
func firstKey(v *page.Request, approved bool) (kit.Action, kit.Empty) {
	switch {
	case !approved:
		to := kit.Action{Name: "Request API access", Path: "/access"}
		return to, kit.Empty{
			Title:  "No keys yet",
			Words:  "A key can be created once your request for API access is approved.",
			Action: kit.Link{Name: to.Name, Path: to.Path},
		}
	case !v.Owns():
		return kit.Action{}, kit.Empty{
			Title: "No keys yet",
			Words: "Owners of the account create keys. Ask one of them.",
		}
	}
	to := kit.Action{Name: "Create key", Path: "/keys/new", Icon: "plus"}
	return to, kit.Empty{
		Title:  "No keys yet",
		Words:  "Start with a test key. It uses a demo portfolio, so nothing it does is real.",
		Action: kit.Link{Name: to.Name, Path: to.Path},
	}
}

// keyModes are the tags of the modes.
var keyModes = map[access.Mode]kit.Status{
	access.Test: {Tone: kit.Idle, Text: "Test", Icon: "flask-conical"},
	access.Live: {Tone: kit.Done, Text: "Live", Icon: "zap"},
}

package developer

import (
	"cmp"
	"strconv"
	"strings"
	"time"

	"portal/api/access"
	"portal/api/developer"
	views "portal/views/developer"
	"portal/views/kit"
	"portal/web/listing"
	"portal/web/page"
)

// keyPages is the pages of API keys.
type keyPages struct{ *Section }

func (p *keyPages) routes() []page.Route {
	return []page.Route{
		page.Get("/keys", page.Member, p.keys),
		page.Get("/keys.csv", page.Member, p.exportKeys),
		page.Post("/keys", page.Owner, p.addKey).Confirmed().Once(),
		page.Get("/keys/new", page.Owner, p.newKey).Confirmed(),
		page.Get("/keys/:id", page.Member, p.key),
		page.Get("/keys/:id/revoke", page.Owner, p.askRevoke),
		page.Post("/keys/:id/revoke", page.Owner, p.revokeKey),
		page.Get("/keys/:id/roll", page.Owner, p.askRoll).Confirmed(),
		page.Post("/keys/:id/roll", page.Owner, p.rollKey).Confirmed().Once(),
	}
}

var keyStatuses = map[developer.KeyState]kit.Status{
	developer.KeyActive:  {Tone: kit.Done, Text: "Active"},
	developer.KeyEnding:  {Tone: kit.Warned, Text: "Ends soon"},
	developer.KeyExpired: {Tone: kit.Idle, Text: "Expired"},
	developer.KeyRevoked: {Tone: kit.Failed, Text: "Revoked"},
}

func (p *keyPages) key(v *page.Request) error {
	k, err := p.Developer.KeyOf(v.Ctx(), v.Member(), v.Param("id"))
	if err != nil {
		return err
	}
	return v.Show(views.KeyPage(views.KeyView{
		Record: keyRecord(v, &k),
		Curl:   "curl -H \"Authorization: Bearer $PORTAL_KEY\" \\\n  " + p.Base() + "/api/v1/external/me",
		May:    v.Owns(),
	}))
}

// keyRecord is what a key’s page says of it.
func keyRecord(v *page.Request, k *developer.Key) kit.Record {
	state := k.State(v.Shell.Now())
	r := kit.Record{
		Frame:   v.Frame(k.Name),
		Heading: kit.Heading{Title: k.Name, About: k.KeyPrefix + "…", Status: keyStatuses[state]},
		Facts: []kit.Facts{
			{Title: "Access", Terms: []kit.Term{
				{Name: "Mode", Text: string(k.Mode)},
				{Name: "Scopes", Text: strings.ReplaceAll(k.Scopes.String(), ",", ", ")},
				{Name: "Last use", Time: v.TimeOr(k.LastUsedAt, "Never")},
				{Name: "Expires", Time: v.TimeOr(k.ExpiresAt, "Never")},
				{Name: "Revoked", Time: v.TimeOr(k.RevokedAt, "")},
			}},
			{Title: "Details", Terms: []kit.Term{
				{Name: "ID", Text: k.ID, ID: true},
				{Name: "Created", Time: v.Time(k.CreatedAt)},
				{Name: "Created by", Text: k.Creator},
			}},
		},
	}
	if v.Owns() && (state == developer.KeyActive || state == developer.KeyEnding) {
		at := "/keys/" + k.ID
		r.Primary = kit.Action{Name: "Roll key", Path: at + "/roll", Icon: "rotate-cw", How: kit.Asks}
		r.Menu = []kit.Action{{Name: "Revoke key…", Path: at + "/revoke", How: kit.Asks, Bad: true}}
	}
	return r
}

func (p *keyPages) newKey(v *page.Request) error {
	if approved, err := v.Approved(p.Developer); err != nil || !approved {
		if err == nil {
			v.Say(kit.Waiting, "A key can be created once your request for API access is approved.")
			err = v.SeeOther("/access")
		}
		return err
	}
	return p.keyForm(v, v.Blank(nil))
}

func (p *keyPages) addKey(v *page.Request) error {
	f := v.Form()
	c := keyCreate.BindForm(v, f, keyGroups(v)...)
	if f.Rejected() {
		return p.keyForm(v, f)
	}
	k, err := p.Developer.AddKey(v.Ctx(), v.Member(), c)
	if err != nil {
		return f.Again(v, err, p.keyForm)
	}
	return p.showKey(v, &k, "")
}

var keyCreate = page.InputOf[developer.KeyCreate]("create_key")

func (p *keyPages) keyForm(v *page.Request, f *page.Form) error {
	heading := kit.Heading{Title: "Create key", Back: kit.Link{Name: "API keys", Path: "/keys"}}
	return f.Show(v, heading, keyCreate.Form(kit.Form{
		Action: "/keys",
		Submit: "Create key",
		Cancel: "/keys",
		Groups: keyGroups(v),
	}), "The key is shown once, when you create it.")
}

// keyGroups are the fields of a new key. A link to them may say which scopes are chosen.
func keyGroups(v *page.Request) []kit.FieldGroup {
	scopes := cmp.Or(v.Form().Among("scopes", []string{"read", "write", "payments"}), "read")
	return []kit.FieldGroup{{Fields: []kit.Field{
		{Name: "name", Label: "Name", Hint: "What uses the key, and where.", Complete: "off"},
		{
			Name:  "mode",
			Label: "Mode",
			Kind:  "radios",
			Choices: []kit.Choice{
				{
					Value:  "test",
					Label:  "Test",
					Hint:   "Uses the demo portfolio. No money moves and no email is sent.",
					Chosen: true,
				},
				{Value: "live", Label: "Live", Hint: "Uses your own portfolio. Changes are real."}},
		},
		{
			Name:  "scopes",
			Label: "Scopes",
			Kind:  "radios",
			Choices: []kit.Choice{
				{
					Value: "read",
					Label: "read",
					Hint: "Reads properties, tenants, leases, tickets, and payments. Changes nothing. Best for " +
						"most assistants.",
					Chosen: scopes == "read",
				},
				{
					Value: "write",
					Label: "read and write",
					Hint: "Also creates properties and tickets, invites tenants, generates leases, updates records, " +
						"and triggers test events.",
					Chosen: scopes == "write",
				},
				{
					Value:  "payments",
					Label:  "read, write, and payments",
					Hint:   "Also changes the rent or the deposit of a lease.",
					Chosen: scopes == "payments",
				},
			},
		},
		{
			Name:  "expires_at",
			Label: "Last day",
			Kind:  "date",
			Hint: "The key works until the end of that day (" + v.Zone().String() +
				"). Leave it empty for a key that doesn’t expire.",
			Least:    v.Shell.Now().In(v.Zone()).Format(time.DateOnly),
			Optional: true,
		},
	}}}
}

// showKey shows a key whole, this one time.
func (p *keyPages) showKey(v *page.Request, k *developer.Key, old string) error {
	v.SeenAt(
		"/keys/"+k.ID,
		"That form was sent before, and this is its key. We can’t show it again. If you didn’t copy it, roll it.",
	)
	words := "The key lets an assistant read your portfolio at " + p.Base() +
		"/mcp. Other clients take the same address and header."
	switch {
	case k.Mode == access.Test:
		words = "At " + p.Base() +
			"/mcp a test key only reads, and sees the demo portfolio. Other clients take the same address and header."
	case k.Scopes.Has(access.Write):
		words = "At " + p.Base() +
			"/mcp this key can change your records. A key that only reads is safer for an assistant."
	}
	view := views.NewKey{
		Frame: v.Frame("The new key"),
		Name:  k.Name,
		Old:   old,
		Words: words,
		Secret: kit.Secret{
			Title: "Your new key",
			Value: *k.Plaintext,
			Words: "It’s shown only once. Save it where your program reads it. If you lose it, roll the key.",
		},
		Curl: "curl -H \"Authorization: Bearer " + *k.Plaintext + "\" \\\n  " + p.Base() + "/api/v1/external/me",
		Client: "claude mcp add --transport http portal " + p.Base() +
			"/mcp \\\n  --header \"Authorization: Bearer " + *k.Plaintext + "\"",
	}
	a := v.Person.Account
	way, err := p.Developer.Progress(v.Ctx(), v.Member(), a.Test, a.Live)
	if err != nil {
		return err
	}
	if key := "/keys/" + k.ID; way.Done() {
		view.Next = kit.Link{Name: "I copied the key", Path: key}
	} else { // on with the first steps
		view.Next, view.View = kit.Link{Name: "I copied the key, continue", Path: "/overview"}, key
	}
	return v.Show(views.NewKeyPage(view))
}

func (p *keyPages) askRevoke(v *page.Request) error {
	k, err := p.Developer.KeyOf(v.Ctx(), v.Member(), v.Param("id"))
	if err != nil {
		return err
	}
	words := []string{
		"Requests with " + k.KeyPrefix +
			"… are refused right away, including those from assistants. You can’t restore a revoked key.",
	}
	if k.LastUsedAt != nil {
		words = append(
			words,
			"It was last used "+v.Time(*k.LastUsedAt).Ago+". Roll it instead if something still needs a key.",
		)
	}
	return v.Show(kit.ConfirmPage(kit.Confirm{
		Frame: v.Frame("Revoke key"),
		Title: "Revoke “" + k.Name + "”?",
		Words: words,
		Form:  kit.Form{Submit: "Revoke key", Danger: true, Cancel: "/keys/" + k.ID},
	}))
}

func (p *keyPages) revokeKey(v *page.Request) error {
	if err := p.Developer.StopKey(v.Ctx(), v.Member(), v.Param("id")); err != nil {
		return err
	}
	return v.Done("/keys", "Key revoked. Requests with it are refused.")
}

// overlaps are when the old key may end, in the words of the form.
var overlaps = []string{"At once", "In an hour", "In 24 hours", "In 7 days"}

func (p *keyPages) askRoll(v *page.Request) error { return p.rollForm(v, v.Blank(nil)) }

func (p *keyPages) rollForm(v *page.Request, f *page.Form) error {
	k, err := p.Developer.KeyOf(v.Ctx(), v.Member(), v.Param("id"))
	if err != nil {
		return err
	}
	field := kit.Field{Name: "ends", Label: "The old key ends", Kind: "radios"}
	for i, words := range overlaps {
		field.Choices = append(field.Choices, kit.Choice{Value: strconv.Itoa(i), Label: words, Chosen: i == 2})
	}
	words := []string{
		"You get a new key with the same name, mode, and scopes. It’s shown once. Both keys work until the old one ends.",
	}
	if k.ExpiresAt != nil {
		words = append(words, "The new key lasts as long as the old one was set to last.")
	}
	return v.ShowAs(f.Status, kit.ConfirmPage(kit.Confirm{
		Frame: v.Frame("Roll key"),
		Title: "Roll “" + k.Name + "”?",
		Words: words,
		Form: f.Fill(kit.Form{
			Action: "/keys/" + k.ID + "/roll",
			Submit: "Roll key",
			Cancel: "/keys/" + k.ID,
			Groups: []kit.FieldGroup{{Fields: []kit.Field{field}}},
		}),
	}))
}

func (p *keyPages) rollKey(v *page.Request) error {
	f := v.Form()
	i, ok := f.Between("ends", 0, len(developer.Overlaps)-1, "Choose when the old key ends.")
	if !ok {
		return p.rollForm(v, f)
	}
	k, err := p.Developer.RollKey(v.Ctx(), v.Member(), v.Param("id"), developer.Overlaps[i])
	if err != nil {
		return f.Again(v, err, p.rollForm)
	}
	return p.showKey(v, &k, ended(developer.Overlaps[i]))
}

// ended says what becomes of the key that was rolled.
func ended(after time.Duration) string {
	switch {
	case after == 0:
		return "The old key has ended. Requests with it are refused."
	case after < 48*time.Hour:
		return "The old key works for " + page.Counted(int(after/time.Hour), "more hour") +
			", unless it expires before then. Replace it with the new one."
	}
	return "The old key works for " + page.Counted(int(after/(24*time.Hour)), "more day") +
		", unless it expires before then. Replace it with the new one."
}

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

package lease

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"net/http"
	"slices"

	"portal/api/change"
	"portal/api/fault"
	"portal/api/language"
	"portal/api/portfolio/lease/condition"
	"portal/views/kit"
	views "portal/views/lease"
	"portal/web/page"
)

// areaIn is the room that the address names, with its place among all.
func areaIn(v *page.Request, c *leaseCondition) (at int, err error) {
	at = slices.IndexFunc(c.Areas, func(a condition.Area) bool { return a.ID == v.Param("area") })
	if at < 0 {
		return at, fault.NotFound("area")
	}
	return at, nil
}

// askRoom shows the form of a room. A room has one of its own: a whole report may hold more than a form does, and a
// landlord goes from room to room.
func (p *conditionPages) askRoom(v *page.Request, c *leaseCondition) error {
	at, err := areaIn(v, c)
	if err != nil {
		return err
	}
	if !c.LandlordCanWrite() {
		return v.RefuseAt(c.at, "The report is signed, so it can’t be changed.")
	}
	return p.roomForm(v, c, at, v.Form())
}

func (p *conditionPages) roomForm(v *page.Request, c *leaseCondition, at int, f *page.Form) error {
	before, err := p.before(v, c)
	if err != nil {
		return err
	}
	area := &c.Areas[at]
	title := area.Label(language.English)
	view := views.ConditionRoom{
		Frame:    v.Frame(title),
		Heading:  kit.Heading{Title: title, About: c.lease.RentalAddress, Back: c.back()},
		Progress: conditionProgress(len(area.Items), unjudgedIn(area)),
	}
	if next := nextRoom(c, at); next != nil {
		view.Next = "Save, go on to " + next.Label(language.English)
	}
	form := kit.Form{Action: c.at + "/areas/" + area.ID, Cancel: c.at, Submit: "Save"}
	for i := range area.Items {
		item := itemSaid(v, c.Report, &area.Items[i], before)
		own := conditionPhotos(v, c.Report, &area.Items[i], condition.Landlord)
		if len(own) > 0 {
			item.Said = slices.Insert(item.Said, 0, views.ConditionRemark{
				Who: "Your photos", Words: page.Counted(len(own), "photo"), Photos: own,
			})
		}
		view.Items = append(view.Items, item)
		form.Groups = append(form.Groups, itemGroup(&area.Items[i]))
	}
	view.Form = f.Fill(form)
	return v.ShowAs(f.Status, views.ConditionRoomPage(view))
}

// nextRoom is the room with items behind one, nil behind the last one.
func nextRoom(c *leaseCondition, at int) *condition.Area {
	for i := at + 1; i < len(c.Areas); i++ {
		if len(c.Areas[i].Items) > 0 {
			return &c.Areas[i]
		}
	}
	return nil
}

// itemGroup asks for the condition of an item and a note.
func itemGroup(item *condition.Item) kit.FieldGroup {
	name := item.Label(language.English)
	choices := []kit.Choice{}
	for _, value := range condition.State("").Values() {
		state := condition.State(value)
		choices = append(choices, kit.Choice{
			Value:  value,
			Label:  state.Label(language.English),
			Chosen: item.Landlord.Condition != nil && *item.Landlord.Condition == state,
		})
	}
	return kit.FieldGroup{Title: name, Fields: []kit.Field{
		{
			Name: "condition." + item.ID, Label: "Condition", Of: "of " + name, Kind: "radios", Optional: true,
			Unmarked: true, Choices: choices,
		},
		{
			Name:     "note." + item.ID,
			Label:    "Note",
			Of:       "on " + name,
			Lines:    2,
			Longest:  condition.MostNote,
			Optional: true,
			Complete: "off",
			Value:    item.Landlord.Note,
		},
		{Name: "was." + item.ID, Kind: "hidden", Value: mark(item.Landlord)},
	}}
}

// mark is by what a form tells later what it showed of an item.
func mark(r condition.Remark) string {
	text, err := json.Marshal(r)
	if err != nil {
		panic(err) // it holds nothing that JSON cannot
	}
	sum := sha256.Sum256(text)
	return hex.EncodeToString(sum[:8])
}

// saveRoom saves what was typed of the items of a room, and goes on to where the button leads.
func (p *conditionPages) saveRoom(v *page.Request, c *leaseCondition) error {
	at, err := areaIn(v, c)
	if err != nil {
		return err
	}
	f, area := v.Form(), &c.Areas[at]
	changes := roomChanges(f, area)
	if !f.Rejected() {
		_, err = p.Portfolio.Conditions.Save(v.Ctx(), v.Actor(), c.LeaseID, c.Kind, changes)
	}
	if fault.Is(err, fault.StaleWrite) { // it has changed since it was read above
		now, err := p.Portfolio.Conditions.Report(v.Ctx(), v.Actor(), c.LeaseID, c.Kind)
		if err != nil {
			return err
		}
		c.Report = now
		return p.saveRoom(v, c)
	}
	if f.Refused(err) || f.Rejected() {
		for i := range changes {
			f.Move(fmt.Sprintf("items.%d.condition", i), "condition."+changes[i].ItemID)
			f.Move(fmt.Sprintf("items.%d.note", i), "note."+changes[i].ItemID)
		}
		return p.roomForm(v, c, at, f)
	}
	if err != nil {
		return err
	}
	to, next := c.at+"#"+area.ID, nextRoom(c, at)
	switch item := f.Text("photos"); {
	case slices.ContainsFunc(area.Items, func(i condition.Item) bool { return i.ID == item }):
		to = c.at + "/items/" + item
	case f.Text("do") == "next" && next != nil:
		to = c.at + "/areas/" + next.ID
	case f.Text("do") == "good":
		to = c.at + "/areas/" + area.ID
	}
	return v.Done(to, area.Label(language.English)+" is saved.")
}

// roomChanges are what was typed of the items of a room that its form did not show. An item of which the report says
// something else than the form showed is refused, with what was typed still there.
func roomChanges(f *page.Form, area *condition.Area) (changes []condition.Change) {
	stale := false
	for i := range area.Items {
		item := &area.Items[i]
		now, typed := item.Landlord, typedRemark(f, item)
		was := f.Text("was." + item.ID)
		switch {
		case typed.Same(now) || mark(typed) == was:
		case mark(now) == was:
			changes = append(changes, condition.Change{
				ItemID: item.ID, Condition: change.To(typed.Condition), Note: change.To(typed.Note), Seen: &now,
			})
		default:
			rejectStale(f, item, now, typed)
			f.Values.Set("was."+item.ID, mark(now))
			stale = true
		}
	}
	lost := lostNotes(f, area)
	if stale || len(lost) > 0 {
		f.Status, f.Problem = http.StatusConflict, page.ConflictMessage
		if stale {
			f.Problem += " What you typed is still here, with the current values beside it. Check it and save again."
		}
		for _, note := range lost {
			f.Problem += " An item was removed. Your note on it was: “" + note + "”."
		}
	}
	return changes
}

// rejectStale says how an item stands now, where that is not what was typed.
func rejectStale(f *page.Form, item *condition.Item, now, typed condition.Remark) {
	if !(condition.Remark{Condition: now.Condition}).Same(condition.Remark{Condition: typed.Condition}) {
		says := "It has no condition now."
		if now.Condition != nil {
			says = "It says “" + now.Condition.Label(language.English) + "” now."
		}
		f.Reject("condition."+item.ID, says)
	}
	if now.Note != typed.Note {
		says := "It’s empty now."
		if now.Note != "" {
			says = "It says “" + now.Note + "” now."
		}
		f.Reject("note."+item.ID, says)
	}
}

// typedRemark is what was typed of an item; what was not sent of it is as it is.
func typedRemark(f *page.Form, item *condition.Item) condition.Remark {
	typed := item.Landlord
	if state := condition.State(f.Text("condition." + item.ID)); state != "" {
		typed.Condition = &state
	}
	if name := "note." + item.ID; len(f.Values[name]) > 0 {
		typed.Note = page.LineEnds(f.Text(name))
	}
	if typed.Condition == nil && f.Text("do") == "good" {
		typed.Condition = new(condition.Good)
	}
	return typed
}

// lostNotes are the notes on items that the room no longer has. The form that is shown again does not hold them.
func lostNotes(f *page.Form, area *condition.Area) (all []string) {
	for itemID, note := range f.Named("note.") {
		has := func(i condition.Item) bool { return i.ID == itemID }
		if note != "" && !slices.ContainsFunc(area.Items, has) {
			all = append(all, note)
		}
	}
	slices.Sort(all)
	return all
}

// askArrange shows the form that adds and removes areas and items.
func (p *conditionPages) askArrange(v *page.Request, c *leaseCondition) error {
	if !c.LandlordCanWrite() {
		return v.RefuseAt(c.at, "The report is signed, so it can’t be changed.")
	}
	return p.arrangeForm(v, c, v.Form())
}

func (p *conditionPages) arrangeForm(v *page.Request, c *leaseCondition, f *page.Form) error {
	listed, areas := []kit.Choice{{Label: "None of the list"}}, []kit.Choice{{Label: "None"}}
	for _, code := range condition.AreaCodes() {
		listed = append(listed, kit.Choice{Value: string(code), Label: code.Name(language.English)})
	}
	groups := []kit.FieldGroup{
		{Title: "Add an area", Fields: []kit.Field{
			{Name: "area", Label: "From the list, with its items", Kind: "select", Optional: true, Unmarked: true},
			{
				Name: "area_name", Label: "Or with a name of your own", Longest: condition.MostName, Optional: true,
				Unmarked: true, Complete: "off",
			},
			{Name: "area_items", Label: "Items", Hint: "One on each line.", Lines: 3, Optional: true, Complete: "off"},
		}},
		{Title: "Add items", Fields: []kit.Field{
			{Name: "to", Label: "To the area", Kind: "select", Optional: true, Unmarked: true},
			{
				Name:     "items",
				Label:    "Names",
				Hint:     "One on each line.",
				Lines:    3,
				Optional: true,
				Unmarked: true,
				Complete: "off",
			},
		}},
	}
	for i := range c.Areas {
		a := &c.Areas[i]
		name := a.Label(language.English)
		areas = append(areas, kit.Choice{Value: a.ID, Label: name})
		gone := []kit.Choice{{Value: a.ID, Label: "The whole area"}}
		for k := range a.Items {
			gone = append(gone, kit.Choice{Value: a.Items[k].ID, Label: a.Items[k].Label(language.English)})
		}
		groups = append(groups, kit.FieldGroup{Title: "Remove from: " + name, Folded: true, Fields: []kit.Field{{
			Name: "remove." + a.ID, Label: "Remove", Of: "from " + name, Kind: "checks", Optional: true, Unmarked: true,
			Choices: gone, Hint: "Your conditions, notes, and photos of it are removed too.",
		}}})
	}
	groups[0].Fields[0].Choices, groups[1].Fields[0].Choices = listed, areas
	return f.Show(v, kit.Heading{Title: "Areas and items", About: c.lease.RentalAddress, Back: c.back()}, kit.Form{
		Action: c.at + "/arrange", Submit: "Save areas", Cancel: c.at, Groups: groups,
	})
}

// arrange adds and removes areas and items.
func (p *conditionPages) arrange(v *page.Request, c *leaseCondition) error {
	f := v.Form()
	a := arrangement(f, c)
	var err error
	if !f.Rejected() {
		_, err = p.Portfolio.Conditions.Arrange(v.Ctx(), v.Actor(), c.LeaseID, c.Kind, a)
	}
	if f.Refused(err) || f.Rejected() {
		for from, to := range map[string]string{
			"add_areas.0.code": "area", "add_areas": "area", "add_areas.0.name": "area_name",
			"add_areas.0.items": "area_items", "add_items": "items",
		} {
			f.Move(from, to)
		}
		for i := range a.AddItems {
			f.Move(fmt.Sprintf("add_items.%d.name", i), "items")
			f.Move(fmt.Sprintf("add_items.%d.area_id", i), "to")
		}
		return p.arrangeForm(v, c, f)
	}
	if err != nil {
		return err
	}
	return v.Done(c.at, "The areas are saved.")
}

// arrangement is what was typed into the form of areas and items.
func arrangement(f *page.Form, c *leaseCondition) (a condition.Arrangement) {
	code, name, items := f.Text("area"), f.Text("area_name"), lines(f, "area_items")
	switch {
	case code != "" && name != "":
		f.Reject("area_name", "Choose an area of the list, or type a name.")
	case code != "" || name != "":
		a.AddAreas = []condition.NewArea{{Code: condition.Code(code), Name: name, Items: items}}
	case len(items) > 0:
		f.Reject("area", "Choose an area of the list, or type a name.")
	}
	added := lines(f, "items")
	if to := f.Text("to"); to == "" && len(added) > 0 {
		f.Reject("to", "Choose an area.")
	} else if to != "" && len(added) == 0 {
		f.Reject("items", "Type a name.")
	} else {
		for _, item := range added {
			a.AddItems = append(a.AddItems, condition.NewItem{AreaID: to, Name: item})
		}
	}
	for i := range c.Areas {
		for _, gone := range f.All("remove." + c.Areas[i].ID) {
			if gone == c.Areas[i].ID {
				a.RemoveAreas = append(a.RemoveAreas, gone)
			} else {
				a.RemoveItems = append(a.RemoveItems, gone)
			}
		}
	}
	if !f.Rejected() && len(a.AddAreas)+len(a.AddItems)+len(a.RemoveAreas)+len(a.RemoveItems) == 0 {
		f.Reject("area", "Choose what to add or remove.")
	}
	return a
}

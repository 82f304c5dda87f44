package condition

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"portal/api/access"
	"portal/api/change"
	"portal/api/fault"
	"portal/api/id"
	"portal/api/texts"
)

// Change is what a side says of an item from now on. What is absent stays as it is.
type Change struct {
	ItemID    string
	Condition change.Field[*State] // nil: not looked at, or nothing to say beside the landlord
	Note      change.Field[string] // "" for none
	Seen      *Remark              // what the side said when the caller saw it; nil: whatever it says now
}

// Save writes what the landlord says of some items, until the landlord has signed. All other items stay as they are, so
// that people who save different ones at once lose nothing.
func (s *Service) Save(
	ctx context.Context, by access.Actor, leaseID string, kind Kind, changes []Change,
) (*Report, error) {
	return s.change(ctx, by, leaseID, kind, func(_ context.Context, r *Report) error {
		if !r.LandlordCanWrite() {
			return frozen("the landlord has")
		}
		return r.say(changes, func(i *Item) *Remark { return &i.Landlord })
	})
}

// SaveAsTenant writes what the tenants say of some items, until the first of them has signed.
func (s *Service) SaveAsTenant(
	ctx context.Context, by access.Actor, leaseID string, kind Kind, changes []Change,
) (*Report, error) {
	return s.changeAsTenant(ctx, by, leaseID, kind, func(_ context.Context, r *Report) error {
		if !r.TenantsCanWrite() {
			return frozen("a tenant has")
		}
		return r.say(changes, func(i *Item) *Remark { return &i.Tenant })
	})
}

// say takes over what a side says.
func (r *Report) say(changes []Change, side func(*Item) *Remark) error {
	for i, c := range changes {
		_, item := r.Item(c.ItemID)
		if item == nil {
			return fault.NotFound("item").At(param("items", i, "id"))
		}
		said := side(item)
		if c.Seen != nil && !c.Seen.Same(*said) {
			return stale()
		}
		if state := c.Condition.Value; state != nil && !slices.Contains(state.Values(), string(*state)) {
			return fault.New(fault.InvalidField, "%q is not a condition.", *state).At(param("items", i, "condition"))
		}
		c.Condition.Into(&said.Condition)
		if !c.Note.Given {
			continue
		}
		note := strings.TrimSpace(strings.ReplaceAll(c.Note.Value, "\r\n", "\n"))
		switch {
		case utf8.RuneCountInString(note) > MostNote:
			return fault.New(fault.InvalidField, "A note has at most %d characters.", MostNote).
				At(param("items", i, "note"))
		case texts.Unreadable(note, true):
			return fault.New(fault.InvalidField, "A note has characters that can't be shown.").
				At(param("items", i, "note"))
		}
		said.Note = note
	}
	return nil
}

func param(list string, i int, field string) string { return fmt.Sprintf("%s.%d.%s", list, i, field) }

// Arrangement is which areas and items a report has besides those that it has already, and which no more. What is
// removed is removed first.
type Arrangement struct {
	RemoveAreas []string // ids
	RemoveItems []string // ids
	AddAreas    []NewArea
	AddItems    []NewItem
}

// NewArea is an area to be added, of the built-in list with its items, or with names of its own.
type NewArea struct {
	Code  Code     // of AreaCodes, "" for one with a name
	Name  string   // "" for one with a code
	Items []string // the names of its items; besides those of the built-in list for one with a code
}

// NewItem is an item to be added to an area.
type NewItem struct {
	AreaID string
	Name   string
}

// Arrange adds and removes areas and items, until somebody has signed. An item of which the tenants have said something
// is not removed.
func (s *Service) Arrange(
	ctx context.Context, by access.Actor, leaseID string, kind Kind, a Arrangement,
) (*Report, error) {
	return s.change(ctx, by, leaseID, kind, func(ctx context.Context, r *Report) error {
		if !r.LandlordCanWrite() {
			return frozen("the landlord has")
		}
		gone, err := r.remove(&a)
		if err != nil {
			return err
		}
		if err := r.add(&a, s.Now(by.Portfolio)); err != nil {
			return err
		}
		if len(gone) == 0 {
			return nil
		}
		return s.store.RemoveConditionPhotos(ctx, by.Portfolio, r.ID, gone...)
	})
}

// remove takes areas and items out, and tells which photos go with them.
func (r *Report) remove(a *Arrangement) (photos []string, err error) {
	items := slices.Clone(a.RemoveItems)
	for i, areaID := range a.RemoveAreas {
		at := slices.IndexFunc(r.Areas, func(a Area) bool { return a.ID == areaID })
		if at < 0 {
			return nil, fault.NotFound("area").At(fmt.Sprintf("remove_areas.%d", i))
		}
		for k := range r.Areas[at].Items {
			items = append(items, r.Areas[at].Items[k].ID)
		}
	}
	slices.Sort(items)
	for _, itemID := range slices.Compact(items) {
		area, item := r.Item(itemID)
		if item == nil {
			return nil, fault.NotFound("item").At("remove_items")
		}
		if item.saidByTenants() {
			return nil, fault.New(fault.InvalidTransition,
				"The tenants have said something of an item that would be removed.").At("remove_items")
		}
		for _, p := range item.Photos {
			photos = append(photos, p.ID)
		}
		area.Items = slices.DeleteFunc(area.Items, func(i Item) bool { return i.ID == itemID })
	}
	r.Areas = slices.DeleteFunc(r.Areas, func(area Area) bool { return slices.Contains(a.RemoveAreas, area.ID) })
	return photos, nil
}

// add puts areas behind those that there are, and items behind those of their area.
func (r *Report) add(a *Arrangement, now time.Time) error {
	for i, n := range a.AddAreas {
		area, err := r.areaOf(n, i, now)
		if err != nil {
			return err
		}
		r.Areas = append(r.Areas, area)
	}
	for i, n := range a.AddItems {
		at := slices.IndexFunc(r.Areas, func(a Area) bool { return a.ID == n.AreaID })
		if at < 0 {
			return fault.NotFound("area").At(param("add_items", i, "area_id"))
		}
		item, err := itemNamed(n.Name, param("add_items", i, "name"), now)
		if err != nil {
			return err
		}
		r.Areas[at].Items = append(r.Areas[at].Items, item)
	}
	return r.fit()
}

// areaOf is an area to be added.
func (r *Report) areaOf(n NewArea, i int, now time.Time) (a Area, err error) {
	if _, known := itemsOf(n.Code); n.Code != "" && !known {
		return a, fault.New(
			fault.InvalidField,
			"%q is not an area of the list.",
			n.Code,
		).At(
			param("add_areas", i, "code"),
		)
	}
	if n.Code != "" {
		a = newArea(n.Code, now)
		a.Number = r.nextOf(n.Code)
	} else {
		a = Area{ID: id.New(id.ConditionArea, now), Items: []Item{}}
		if a.Name, err = tidy(n.Name, param("add_areas", i, "name")); err != nil {
			return a, err
		}
	}
	for _, name := range n.Items {
		item, err := itemNamed(name, param("add_areas", i, "items"), now)
		if err != nil {
			return a, err
		}
		a.Items = append(a.Items, item)
	}
	return a, nil
}

// nextOf is the number of the next area with a code, 0 for the first one. An only one without a number becomes the
// first.
func (r *Report) nextOf(code Code) (next int) {
	for i := range r.Areas {
		if r.Areas[i].Code == code {
			r.Areas[i].Number = max(r.Areas[i].Number, 1)
			next = max(next, r.Areas[i].Number+1)
		}
	}
	return next
}

// itemNamed is an item with a name of its own.
func itemNamed(name, at string, now time.Time) (Item, error) {
	name, err := tidy(name, at)
	return Item{ID: id.New(id.ConditionItem, now), Name: name, Photos: []Photo{}}, err
}

// tidy is a name with single spaces, which must be in bounds.
func tidy(name, at string) (string, error) {
	name = strings.Join(strings.Fields(name), " ")
	switch n := utf8.RuneCountInString(name); {
	case n == 0:
		return "", fault.New(fault.MissingField, "Enter a name.").At(at)
	case n > MostName:
		return "", fault.New(fault.InvalidField, "A name has at most %d characters.", MostName).At(at)
	case texts.Unreadable(name, false):
		return "", fault.New(fault.InvalidField, "A name has characters that can't be shown.").At(at)
	}
	return name, nil
}

// fit refuses more areas and items than a report may have.
func (r *Report) fit() error {
	if len(r.Areas) > MostAreas {
		return fault.New(fault.InvalidField, "A report has at most %d areas.", MostAreas).At("add_areas")
	}
	for i := range r.Areas {
		if len(r.Areas[i].Items) > MostAreaItems {
			return fault.New(fault.InvalidField, "An area has at most %d items.", MostAreaItems).At("add_items")
		}
	}
	if r.Items() > MostItems {
		return fault.New(fault.InvalidField, "A report has at most %d items.", MostItems).At("add_items")
	}
	return nil
}

package condition

import (
	"slices"
	"strconv"
	"time"

	"portal/api/id"
	"portal/api/language"
	"portal/api/portfolio"
)

// Code is an area or an item of the built-in list, which has a name in each language.
type Code string

// The areas of the built-in list.
const (
	Entry    Code = "entry"
	Living   Code = "living_room"
	Kitchen  Code = "kitchen"
	Bathroom Code = "bathroom"
	Bedroom  Code = "bedroom"
	Laundry  Code = "laundry"
	Outside  Code = "outside"
	Safety   Code = "safety"
)

// standard is an area of the built-in list with its items, in their order.
type standard struct {
	area  Code
	items []Code
}

// standards are the areas of the built-in list, in their order.
var standards = []standard{
	{Entry, []Code{"walls", "floor", "doors", "lights", "closet"}},
	{Living, []Code{"walls", "floor", "windows", "doors", "lights", "heating"}},
	{Kitchen, []Code{
		"walls", "floor", "windows", "lights", "stove", "hood", "refrigerator", "dishwasher", "kitchen_sink",
		"cabinets",
	}},
	{Bathroom, []Code{"walls", "floor", "doors", "lights", "toilet", "sink", "tub", "fan", "mirror"}},
	{Bedroom, []Code{"walls", "floor", "windows", "doors", "lights", "closet"}},
	{Laundry, []Code{"walls", "floor", "washer", "dryer", "connections"}},
	{Outside, []Code{"balcony", "yard", "parking", "mailbox", "outdoor_lights"}},
	{Safety, []Code{"smoke_alarms", "carbon_monoxide_alarms", "locks", "keys", "thermostat"}},
}

// named are the names of codes: in English and in Spanish.
var named = map[Code][2]string{
	Entry:    {"Entry and hallway", "Entrada y pasillo"},
	Living:   {"Living room", "Sala"},
	Kitchen:  {"Kitchen", "Cocina"},
	Bathroom: {"Bathroom", "Baño"},
	Bedroom:  {"Bedroom", "Dormitorio"},
	Laundry:  {"Laundry", "Lavandería"},
	Outside:  {"Outside and parking", "Exterior y estacionamiento"},
	Safety:   {"Keys and safety", "Llaves y seguridad"},

	"walls":                  {"Walls and ceiling", "Paredes y techo"},
	"floor":                  {"Floor", "Piso"},
	"windows":                {"Windows and coverings", "Ventanas y cortinas o persianas"},
	"doors":                  {"Doors and locks", "Puertas y cerraduras"},
	"lights":                 {"Lights and outlets", "Luces y enchufes"},
	"closet":                 {"Closet", "Clóset"},
	"heating":                {"Heating and cooling", "Calefacción y aire acondicionado"},
	"stove":                  {"Stove and oven", "Estufa y horno"},
	"hood":                   {"Range hood", "Campana extractora"},
	"refrigerator":           {"Refrigerator", "Nevera"},
	"dishwasher":             {"Dishwasher", "Lavaplatos"},
	"kitchen_sink":           {"Sink and faucet", "Fregadero y llave"},
	"sink":                   {"Sink and faucet", "Lavabo y llave"},
	"cabinets":               {"Cabinets and counters", "Gabinetes y encimeras"},
	"toilet":                 {"Toilet", "Inodoro"},
	"tub":                    {"Tub and shower", "Tina y ducha"},
	"fan":                    {"Exhaust fan", "Extractor de aire"},
	"mirror":                 {"Mirror and fixtures", "Espejo y accesorios"},
	"washer":                 {"Washer", "Lavadora"},
	"dryer":                  {"Dryer", "Secadora"},
	"connections":            {"Water and power connections", "Conexiones de agua y electricidad"},
	"balcony":                {"Porch, balcony or patio", "Porche, balcón o patio"},
	"yard":                   {"Yard and fence", "Jardín y cerca"},
	"parking":                {"Parking or garage", "Estacionamiento o garaje"},
	"mailbox":                {"Mailbox", "Buzón"},
	"outdoor_lights":         {"Outdoor lights", "Luces exteriores"},
	"smoke_alarms":           {"Smoke alarms", "Detectores de humo"},
	"carbon_monoxide_alarms": {"Carbon monoxide alarms", "Detectores de monóxido de carbono"},
	"locks":                  {"Locks of the entry doors", "Cerraduras de las puertas de entrada"},
	"keys":                   {"Keys handed over", "Llaves entregadas"},
	"thermostat":             {"Thermostat", "Termostato"},
}

// Name is what a code is called in a language, "" for one that is not in the list.
func (c Code) Name(l language.Language) string {
	names := named[c]
	return l.Say(names[0], names[1])
}

// AreaCodes are the areas of the built-in list, in their order.
func AreaCodes() (all []Code) {
	for _, s := range standards {
		all = append(all, s.area)
	}
	return all
}

// itemsOf are the items that an area of the built-in list has, and whether it is in the list.
func itemsOf(area Code) ([]Code, bool) {
	i := slices.IndexFunc(standards, func(s standard) bool { return s.area == area })
	if i < 0 {
		return nil, false
	}
	return standards[i].items, true
}

// Label is what an area is called in a language, such as Bedroom 2. A name that a member gave it is as it was written.
func (a *Area) Label(l language.Language) string {
	switch {
	case a.Code == "":
		return a.Name
	case a.Number > 0:
		return a.Code.Name(l) + " " + strconv.Itoa(a.Number)
	}
	return a.Code.Name(l)
}

// Label is what an item is called in a language. A name that a member gave it is as it was written.
func (i *Item) Label(l language.Language) string {
	if i.Code == "" {
		return i.Name
	}
	return i.Code.Name(l)
}

// Label is what a condition is called in a language.
func (s State) Label(l language.Language) string {
	switch s {
	case Good:
		return l.Say("Good", "Bueno")
	case Fair:
		return l.Say("Fair", "Regular")
	case Poor:
		return l.Say("Poor", "Malo")
	case Missing:
		return l.Say("Missing", "Falta")
	}
	return l.Say("Not applicable", "No corresponde")
}

// Label is what a kind of report is called in a language.
func (k Kind) Label(l language.Language) string {
	if k == MoveOut {
		return l.Say("Move-out report", "Informe de salida")
	}
	return l.Say("Move-in report", "Informe de entrada")
}

// How many rooms of a kind a report begins with at most, so that it keeps within MostAreas and MostItems.
const (
	mostBathrooms = 8
	mostBedrooms  = 20
)

// areasOf are the areas that a report of a unit begins with, with all items of the built-in list. A unit of which
// nobody knows how many rooms it has gets one of each kind.
func areasOf(u *portfolio.Unit, now time.Time) (all []Area) {
	many := map[Code]int{Bathroom: 1, Bedroom: 1}
	if u.Bathrooms != nil {
		many[Bathroom] = min(max((int(*u.Bathrooms)+1)/2, 1), mostBathrooms)
	}
	if u.Bedrooms != nil {
		many[Bedroom] = min(*u.Bedrooms, mostBedrooms)
	}
	for _, s := range standards {
		n, several := many[s.area]
		if !several {
			n = 1
		}
		for i := range n {
			a := newArea(s.area, now)
			if n > 1 {
				a.Number = i + 1
			}
			all = append(all, a)
		}
	}
	return all
}

// newArea is an area of the built-in list with its items.
func newArea(code Code, now time.Time) Area {
	a := Area{ID: id.New(id.ConditionArea, now), Code: code, Items: []Item{}}
	items, _ := itemsOf(code)
	for _, item := range items {
		a.Items = append(a.Items, Item{ID: id.New(id.ConditionItem, now), Code: item, Photos: []Photo{}})
	}
	return a
}

// copied are areas and items with the same ids and names, of which nobody has said anything.
func copied(from []Area) []Area {
	all := make([]Area, len(from))
	for i := range from {
		all[i] = from[i]
		all[i].Items = make([]Item, len(from[i].Items))
		for k := range from[i].Items {
			item := &from[i].Items[k]
			all[i].Items[k] = Item{ID: item.ID, Code: item.Code, Name: item.Name, Photos: []Photo{}}
		}
	}
	return all
}

// PairedArea is an area of the reports of a tenancy with its items beside each other.
type PairedArea struct {
	*Area // as the move-out report has it, or else the move-in report
	Items []PairedItem
}

// PairedItem is an item as it was at moving in and at moving out, nil where a report does not have it.
type PairedItem struct {
	In, Out *Item
}

// Item is the item as the move-out report has it, or else the move-in report.
func (p PairedItem) Item() *Item {
	if p.Out != nil {
		return p.Out
	}
	return p.In
}

// Changed reports whether the landlord says another condition at moving out than at moving in.
func (p PairedItem) Changed() bool {
	if p.In == nil || p.Out == nil || p.In.Landlord.Condition == nil || p.Out.Landlord.Condition == nil {
		return false
	}
	return *p.In.Landlord.Condition != *p.Out.Landlord.Condition
}

// Beside puts the items of the reports of a tenancy beside each other, each of which may be nil. Those with one id are
// the same, and else those with the same name in an area of the same name. Areas and items come in the order of the
// move-out report, and what only the move-in report has behind them.
func Beside(in, out *Report) (all []PairedArea) {
	var before, after []Area
	if in != nil {
		before = in.Areas
	}
	if out != nil {
		after = out.Areas
	}
	used := map[*Area]bool{}
	for i := range after {
		a := &after[i]
		same := match(before, used, func(b *Area) bool { return b.ID == a.ID }, func(b *Area) bool {
			return b.Code == a.Code && b.Number == a.Number && b.Name == a.Name &&
				!slices.ContainsFunc(after, func(a Area) bool { return a.ID == b.ID })
		})
		all = append(all, paired(same, a))
	}
	for i := range before {
		if !used[&before[i]] {
			all = append(all, paired(&before[i], nil))
		}
	}
	return all
}

// paired is an area of two reports, of which one may not have it.
func paired(before, after *Area) PairedArea {
	p := PairedArea{Area: after}
	var in, out []Item
	if before != nil {
		in = before.Items
	}
	if after != nil {
		out = after.Items
	} else {
		p.Area = before
	}
	used := map[*Item]bool{}
	for i := range out {
		item := &out[i]
		same := match(in, used, func(b *Item) bool { return b.ID == item.ID }, func(b *Item) bool {
			return b.Code == item.Code && b.Name == item.Name &&
				!slices.ContainsFunc(out, func(i Item) bool { return i.ID == b.ID })
		})
		p.Items = append(p.Items, PairedItem{In: same, Out: item})
	}
	for i := range in {
		if !used[&in[i]] {
			p.Items = append(p.Items, PairedItem{In: &in[i]})
		}
	}
	return p
}

// match finds the first of some that was not used and fits by the first of some tests that any fits, and uses it.
func match[T any](all []T, used map[*T]bool, tests ...func(*T) bool) *T {
	for _, fits := range tests {
		for i := range all {
			if one := &all[i]; !used[one] && fits(one) {
				used[one] = true
				return one
			}
		}
	}
	return nil
}

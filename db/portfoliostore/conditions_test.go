package portfoliostore_test

import (
	"crypto/sha256"
	"reflect"
	"slices"
	"strings"

	"portal/api/clock"
	"portal/api/portfolio"
	"portal/api/portfolio/lease/terms"
	"portal/db/dbtest"
)

// condition is a field of a filter that is set, and who passes it by a plain
// reading of its documentation.
type condition struct {
	field  string // of the filter
	value  any    // of that field
	passes func(record any) bool
}

func (c condition) String() string { return c.field + "=" + dbtest.Show(c.value) }

// conditions are some for each field of a kind's filter, of values that the rows
// have and of one that none has.
func (r *fixture) conditions(k kind, rows []any) (all []condition) {
	for _, f := range reflect.VisibleFields(k.filter) {
		switch f.Name {
		case "Query", "Limit", "StartingAfter", "Newest", "Sort", "Whole", "Walk", "Today":
			continue
		}
		of := r.conditionsOf(f, rows)
		r.Want(len(of) > 0, "nobody knows what the filter %s of %s means", f.Name, k.name)
		all = append(all, of...)
	}
	return all
}

func (r *fixture) conditionsOf(f reflect.StructField, rows []any) []condition {
	switch {
	case f.Name == "Search":
		return searches(rows)
	case f.Name == "Named":
		return naming(rows)
	case f.Name == "Overdue":
		return []condition{overdue(true), overdue(false)}
	case f.Name == "HasGuarantors":
		return either(f.Name, func(l *portfolio.Lease) bool { return len(l.GuarantorIDs()) > 0 })
	case strings.HasPrefix(f.Name, "Has"):
		return either(f.Name, func(l *portfolio.Lease) bool {
			return dbtest.Field(new(agreed(l.ID)), strings.TrimPrefix(f.Name, "Has")).Len() > 0
		})
	case f.Type.Kind() == reflect.String:
		return equalities(f, rows)
	case f.Type.Kind() == reflect.Pointer:
		return ranges(f.Name, rows)
	}
	return nil
}

func overdue(want bool) condition {
	return condition{"Overdue", &want, func(record any) bool {
		p := record.(*portfolio.Payment)
		unpaid := p.Status == portfolio.PaymentDue || p.Status == portfolio.PaymentPartiallyPaid ||
			p.Status == portfolio.PaymentFailed
		return (unpaid && p.DueDate < today) == want
	}}
}

// either are the leases for which something holds, and the others.
func either(field string, holds func(*portfolio.Lease) bool) (both []condition) {
	for _, want := range []bool{true, false} {
		both = append(both, condition{field, &want, func(record any) bool {
			return holds(record.(*portfolio.Lease)) == want
		}})
	}
	return both
}

// agreed is what a lease of the demo names in its terms, by its id: most of them something, few of them vehicles.
func agreed(id string) (t terms.Terms) {
	n := int(sha256.Sum256([]byte(id))[0])
	if n%3 == 0 {
		t.Pets = []terms.Pet{{Kind: "Cat"}, {Kind: "Dog"}}
	}
	if n%20 == 0 {
		t.Vehicles = []terms.Vehicle{{Make: "Honda"}}
	}
	if n%4 < 3 {
		t.Utilities = []terms.Utility{{Name: "Water", PaidBy: terms.Tenant}}
	}
	if n%6 == 1 {
		t.CoOwners = []terms.CoOwner{{Name: "Kim Ellis", Email: "kim@example.com"}}
	}
	if n%5 == 0 {
		t.Occupants, t.Clauses.Pets = []string{"Sam"}, new("One cat is allowed.")
	}
	if n%7 == 0 && t.Vehicles == nil {
		t.Vehicles = []terms.Vehicle{} // as none are written, too
	}
	return t
}

// equalities ask for the most frequent value, a rare one and one that is absent; of statuses for each, as indexes
// have some of them alone.
func equalities(f reflect.StructField, rows []any) (all []condition) {
	fold := func(s string) string { return s }
	if f.Name == "City" || f.Name == "Email" {
		fold = asciiLower
	}
	count := map[string]int{}
	for _, row := range rows {
		for _, v := range valuesOf(row, f.Name) {
			count[v]++
		}
	}
	var values []string
	for v := range count {
		values = append(values, v)
	}
	slices.SortFunc(values, func(a, b string) int { return 2*(count[b]-count[a]) + strings.Compare(a, b) })
	some := []string{values[0], values[len(values)-1]}
	if f.Name == "Status" {
		some = values
	}
	for _, v := range append(some, "absent") {
		asked := v
		if fold(v) != v {
			asked = asciiUpper(v)
		}
		all = append(all, condition{f.Name, asked, func(record any) bool {
			return slices.ContainsFunc(valuesOf(record, f.Name), func(s string) bool { return fold(s) == fold(asked) })
		}})
	}
	return all
}

// valuesOf are the values of a record that an equality of a filter looks at: the
// field of its name, or of its plural. None where the field is null.
func valuesOf(record any, name string) []string {
	v := dbtest.Field(record, name)
	if !v.IsValid() {
		return dbtest.Field(record, name+"s").Interface().([]string)
	}
	if v = reflect.Indirect(v); !v.IsValid() {
		return nil
	}
	return []string{v.String()}
}

// limits are the filters by a moment or a day: the field of the record, and
// whether what passes lies above.
var limits = map[string]struct {
	field string
	above bool
}{
	"CreatedAfter": {"CreatedAt", true}, "UpdatedAfter": {"UpdatedAt", true},
	"EndingAfter": {"EndDate", true}, "EndingBefore": {"EndDate", false},
	"DueAfter": {"DueDate", true}, "DueBefore": {"DueDate", false},
}

// ranges cut at a third and at the last of the values.
func ranges(name string, rows []any) (all []condition) {
	limit, known := limits[name]
	if !known {
		return nil
	}
	var values []int64
	for _, row := range rows {
		if v, set := number(row, limit.field); set {
			values = append(values, v)
		}
	}
	slices.Sort(values)
	for _, at := range []int64{values[len(values)/3], values[len(values)-1]} {
		all = append(all, condition{name, bound(name, at), func(record any) bool {
			v, set := number(record, limit.field)
			return set && (limit.above && v > at || !limit.above && v < at)
		}})
	}
	return all
}

func bound(name string, at int64) any {
	if name == "CreatedAfter" || name == "UpdatedAfter" {
		return new(clock.Time(at))
	}
	return new(clock.Date(at))
}

func number(record any, field string) (n int64, set bool) {
	v := reflect.Indirect(dbtest.Field(record, field))
	if !v.IsValid() {
		return 0, false
	}
	return v.Int(), true
}

// with is a filter with a limit and conditions set.
func (k kind) with(limit int, conditions ...condition) (filter any) {
	filter, page := k.query()
	page.Limit = limit
	for _, c := range conditions {
		f := reflect.ValueOf(filter).Elem().FieldByName(c.field)
		f.Set(reflect.ValueOf(c.value).Convert(f.Type()))
	}
	return filter
}

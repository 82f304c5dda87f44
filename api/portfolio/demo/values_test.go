package demo_test

import (
	"reflect"
	"slices"
	"strings"
	"testing"

	"portal/api/access"
	"portal/api/contact"
	"portal/api/portfolio"
	"portal/api/portfolio/lease/terms"
)

// field is a field of a record, or of a struct in one, with its value there.
type field struct {
	reflect.StructField
	owner reflect.Type
	value reflect.Value
}

func (f field) String() string { return f.owner.Name() + "." + f.Name }

// fields visits every field of every record of a book.
func (s *datedBook) fields(visit func(field)) {
	all := reflect.ValueOf(s.Book)
	for i := range all.NumField() {
		for j := range all.Field(i).Len() {
			walkFields(all.Field(i).Index(j), visit)
		}
	}
}

func walkFields(v reflect.Value, visit func(field)) {
	switch v.Kind() {
	case reflect.Pointer:
		if !v.IsNil() {
			walkFields(v.Elem(), visit)
		}
	case reflect.Slice:
		for i := range v.Len() {
			walkFields(v.Index(i), visit)
		}
	case reflect.Struct:
		if v.Type() == reflect.TypeFor[terms.Terms]() {
			return // no lease of the demo has a document that would say all of them
		}
		for i := range v.NumField() {
			visit(field{v.Type().Field(i), v.Type(), v.Field(i)})
			walkFields(v.Field(i), visit)
		}
	}
}

type enum interface{ Values() []string }

// single are the enumerations of which a demo has one value, or a choice.
var single = []reflect.Type{reflect.TypeFor[access.Mode](), reflect.TypeFor[contact.State]()}

func TestEveryEnumValueOccurs(t *testing.T) {
	each(t, func(t *testing.T, s *datedBook) {
		seen := map[string]map[string]bool{}
		values := map[string][]string{}
		s.fields(func(f field) {
			v := reflect.Indirect(f.value)
			if !v.IsValid() || slices.Contains(single, v.Type()) {
				return
			}
			if e, ok := v.Interface().(enum); ok {
				if seen[f.String()] == nil {
					seen[f.String()], values[f.String()] = map[string]bool{}, e.Values()
				}
				seen[f.String()][v.String()] = true
			}
		})
		if len(seen) < 15 {
			t.Errorf("only %d enumerations found", len(seen))
		}
		for name, all := range values {
			for _, value := range all {
				if !seen[name][value] {
					t.Errorf("no %s is %s", name, value)
				}
				delete(seen[name], value)
			}
			for value := range seen[name] {
				t.Errorf("%s %q is none of %q", name, value, all)
			}
		}
	})
}

// notFields are filters for a range of days, for words of several fields, and for what is
// computed when a record is read, and the day of the caller. The tests of leases, of the ledger and
// of searches hold that both sides of them exist.
var notFields = []string{"EndingBefore", "EndingAfter", "DueBefore", "DueAfter", "Overdue", "Search", "Named", "Today"}

// A filter by an enumeration is found in the test above; this one holds that the
// field which a filter asks for is one that the records have.
func TestEveryFilterFindsSomething(t *testing.T) {
	s := shelves()[0]
	for filter, rows := range map[any]any{
		portfolio.PropertyFilter{}: s.Properties,
		portfolio.TenantFilter{}:   s.Tenants,
		portfolio.LeaseFilter{}:    s.Leases,
		portfolio.TicketFilter{}:   s.Tickets,
		portfolio.PaymentFilter{}:  s.Payments,
	} {
		asked := reflect.TypeOf(filter)
		for i := range asked.NumField() {
			f := asked.Field(i)
			if f.Anonymous || slices.Contains(notFields, f.Name) {
				continue
			}
			if name, is := strings.CutPrefix(f.Name, "Has"); is {
				if with := naming(s.Leases, name); with == 0 || with == len(s.Leases) {
					t.Errorf("%s.%s would part nothing: %d of %d", asked.Name(), f.Name, with, len(s.Leases))
				}
				continue
			}
			if kinds := distinct(reflect.ValueOf(rows), f.Name); kinds < 2 {
				t.Errorf("%s.%s would part nothing: %d values", asked.Name(), f.Name, kinds)
			}
		}
	}
}

// naming counts the leases that name guarantors, or have any of a list of their terms.
func naming(all []portfolio.Lease, list string) (n int) {
	for i := range all {
		has := slices.ContainsFunc(all[i].Tenants, func(p portfolio.Party) bool {
			return p.Role == portfolio.PartyGuarantor
		})
		if list != "Guarantors" {
			has = reflect.ValueOf(all[i].Terms).FieldByName(list).Len() > 0
		}
		if has {
			n++
		}
	}
	return n
}

// distinct counts the values of a field; a filter for a tenant finds the parties.
func distinct(rows reflect.Value, name string) int {
	seen := map[any]bool{}
	for i := range rows.Len() {
		v := rows.Index(i).FieldByName(name)
		if !v.IsValid() {
			v = rows.Index(i).FieldByName(name + "s")
		}
		if v.Kind() == reflect.Slice {
			v = v.Index(0)
		}
		if v = reflect.Indirect(v); v.IsValid() {
			seen[v.Interface()] = true
		}
	}
	return len(seen)
}

// alwaysNull are fields for which no document exists, which are computed when a record is read, or which follow from
// what a person decides.
var alwaysNull = []string{
	"Lease.Landlord", "Lease.DocumentID", "Lease.DocumentURL", "Lease.EsignURL", "Lease.DaysUntilEnd",
	"Payment.ReversesPaymentID",
}

func TestEveryNullableFieldIsBothSetAndNull(t *testing.T) {
	each(t, func(t *testing.T, s *datedBook) {
		set, null := map[string]int{}, map[string]int{}
		s.fields(func(f field) {
			if f.Type.Kind() != reflect.Pointer {
				return
			}
			if f.value.IsNil() {
				null[f.String()]++
			} else {
				set[f.String()]++
			}
		})
		for name := range null {
			if set[name] == 0 && !slices.Contains(alwaysNull, name) {
				t.Errorf("%s is never set", name)
			}
		}
		for name := range set {
			if null[name] == 0 {
				t.Errorf("%s is never null", name)
			}
		}
	})
}

func TestPropertiesSpanStatesAndYears(t *testing.T) {
	each(t, func(t *testing.T, s *datedBook) {
		states, old, young := map[contact.State]bool{}, 0, 0
		for _, p := range s.Properties {
			states[p.State] = true
			switch {
			case p.YearBuilt == nil:
			case *p.YearBuilt < 1978:
				old++
			case *p.YearBuilt >= 2016:
				young++
			}
		}
		if len(states) < 7 || old < 5 || young < 3 {
			t.Errorf("%d states, %d buildings from before 1978, %d recent ones", len(states), old, young)
		}
	})
}

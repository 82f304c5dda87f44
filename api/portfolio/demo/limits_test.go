package demo_test

import (
	"fmt"
	"reflect"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"portal/api/contact"
	"portal/api/id"
)

func TestEveryFieldRespectsItsTagLimits(t *testing.T) {
	each(t, func(t *testing.T, s *datedBook) {
		checked := map[string]int{}
		s.fields(func(f field) {
			for _, v := range scalars(f.value) {
				for tag, broken := range limits {
					want, ok := f.Tag.Lookup(tag)
					if !ok {
						continue
					}
					checked[tag]++
					if broken(v, want, f) {
						t.Errorf("%s %v breaks %s %q", f, v, tag, want)
					}
				}
			}
		})
		for tag := range limits {
			if checked[tag] == 0 {
				t.Errorf("no field has the tag %s", tag)
			}
		}
	})
}

// scalars are the values in a field: none, one, or those of a list.
func scalars(v reflect.Value) []reflect.Value {
	switch v = reflect.Indirect(v); v.Kind() {
	case reflect.Invalid, reflect.Struct:
		return nil
	case reflect.Slice:
		var all []reflect.Value
		for i := range v.Len() {
			all = append(all, scalars(v.Index(i))...)
		}
		return all
	}
	return []reflect.Value{v}
}

// limits tell of each tag whether a value breaks it.
var limits = map[string]func(v reflect.Value, want string, f field) bool{
	"min": func(v reflect.Value, want string, _ field) bool { return number(v) < parse(want) },
	"max": func(v reflect.Value, want string, _ field) bool {
		if want == "next_year" {
			return v.Int() > int64(time.Now().Year()+1)
		}
		return number(v) > parse(want)
	},
	"minlen": func(v reflect.Value, want string, _ field) bool { return length(v) < parse(want) },
	"maxlen": func(v reflect.Value, want string, _ field) bool { return length(v) > parse(want) },
	"const":  func(v reflect.Value, want string, _ field) bool { return v.String() != want },
	"format": func(v reflect.Value, want string, f field) bool { return !formats[want](v.String(), f) },
}

var (
	fictional = regexp.MustCompile(`^\+1[2-9][0-9]{2}55501[0-9]{2}$`)
	reserved  = regexp.MustCompile(`@([a-z0-9-]+\.)*example\.(com|net|org)$`)
	zip       = regexp.MustCompile(`^[0-9]{5}(-[0-9]{4})?$`)
)

// formats hold besides their form that nobody is reached by what a demo says.
var formats = map[string]func(string, field) bool{
	"id": validID,
	"phone": func(s string, _ field) bool {
		n, err := contact.Phone(s)
		return err == nil && n == s && fictional.MatchString(s)
	},
	"email": func(s string, _ field) bool {
		n, err := contact.Email(s)
		return err == nil && n == s && reserved.MatchString(s)
	},
	"postal-code": func(s string, _ field) bool { return zip.MatchString(s) },
}

// validID takes the prefix of a field, or of any kind where the record's own id
// stands in the struct that all records embed.
func validID(s string, f field) bool {
	prefix, ok := f.Tag.Lookup("prefix")
	if !ok {
		prefix, _, _ = strings.Cut(s, "_")
		ok = slices.Contains([]string{id.Property, id.Unit, id.Tenant, id.Lease, id.Ticket, id.Payment}, prefix)
	}
	return ok && id.Valid(prefix, s)
}

func number(v reflect.Value) float64 {
	if v.CanInt() {
		return float64(v.Int())
	}
	return v.Float()
}

func length(v reflect.Value) float64 { return float64(utf8.RuneCountInString(v.String())) }

func parse(s string) float64 {
	n, err := strconv.ParseFloat(s, 64)
	if err != nil {
		panic(fmt.Sprintf("the tag %q is not a number", s))
	}
	return n
}

func TestYearBuiltIsInRange(t *testing.T) {
	each(t, func(t *testing.T, s *datedBook) {
		for _, p := range s.Properties {
			if p.YearBuilt != nil && (*p.YearBuilt < 1600 || *p.YearBuilt > s.now.Year()+1) {
				t.Errorf("%s was built in %d", p.StreetAddress, *p.YearBuilt)
			}
		}
	})
}

func TestNoTextIsBlank(t *testing.T) {
	each(t, func(t *testing.T, s *datedBook) {
		s.fields(func(f field) {
			for _, v := range scalars(f.value) {
				if v.Kind() == reflect.String && (v.String() == "" || v.String() != strings.TrimSpace(v.String())) {
					t.Errorf("%s is %q", f, v)
				}
			}
		})
	})
}

package operation

import (
	"fmt"
	"reflect"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"portal/api/clock"
	"portal/api/contact"
	"portal/api/fault"
	"portal/api/id"
	"portal/api/money"
	"portal/api/texts"
)

// setter puts the text of a parameter into a field, or says what is wrong with it.
type setter func(v reflect.Value, raw string) *fault.Detail

// enumerated is a type with a closed list of values.
type enumerated interface{ Values() []string }

// counted is a number of a form of its own.
type counted interface {
	appender
	Form() string // in words, for messages
	Parse(string) (any, error)
	Range() (step, low, high float64) // step divides without a rest in floating point
}

// normal is a type whose values are accepted in other spellings too.
type normal interface{ Normal(string) string }

func setterOf(f field) setter {
	t := f.typ
	if t.Kind() == reflect.Pointer {
		inner := f
		inner.typ = t.Elem()
		set := setterOf(inner)
		return func(v reflect.Value, raw string) *fault.Detail {
			p := reflect.New(inner.typ)
			v.Set(p)
			return set(p.Elem(), raw)
		}
	}
	switch zero := reflect.Zero(t).Interface().(type) {
	case clock.Time:
		return parsed(f, clock.ParseTime, "a moment from 1970 on in RFC 3339, such as 2026-11-02T16:20:11.482Z")
	case clock.Date:
		return parsed(f, clock.ParseDate, "a day from 1600 on as YYYY-MM-DD, such as 2026-11-02")
	case money.Cents:
		return amount(f)
	case counted:
		return parsed(f, zero.Parse, zero.Form())
	case enumerated:
		return enum(f, zero.Values())
	}
	switch t.Kind() {
	case reflect.String:
		return text(f)
	case reflect.Int, reflect.Int64:
		return integer(f)
	case reflect.Bool:
		return boolean(f)
	default:
		panic(fmt.Sprintf("operation: %s cannot be read into %s", f.name, t))
	}
}

func invalid(f field, format string, args ...any) *fault.Detail {
	return &fault.Detail{
		Param:   f.name,
		Code:    fault.InvalidField,
		Message: f.name + " " + fmt.Sprintf(format, args...),
	}
}

func parsed[T any](f field, parse func(string) (T, error), what string) setter {
	return func(v reflect.Value, raw string) *fault.Detail {
		x, err := parse(raw)
		if err != nil {
			return invalid(f, "must be %s; not %s.", what, quote(raw))
		}
		v.Set(reflect.ValueOf(x))
		return nil
	}
}

func enum(f field, values []string) setter {
	spell, _ := reflect.TypeAssert[normal](reflect.Zero(f.typ))
	return func(v reflect.Value, raw string) *fault.Detail {
		s := raw
		if spell != nil {
			s = spell.Normal(raw)
		}
		if slices.Contains(values, s) {
			v.SetString(s)
			return nil
		}
		hint := ""
		if near := Nearest(s, values); near != "" && len(values) < 20 {
			hint = " Did you mean " + near + "?"
		}
		return invalid(f, "must be one of %s; not %s.%s", strings.Join(values, ", "), quote(raw), hint)
	}
}

func integer(f field) setter {
	whole := strings.TrimSpace("a whole number " + fault.Between("of", f.min, f.max))
	return func(v reflect.Value, raw string) *fault.Detail {
		n, err := strconv.Atoi(raw)
		if err != nil || strconv.Itoa(n) != raw || f.min != nil && n < *f.min || f.max != nil && n > *f.max {
			return invalid(f, "must be %s; not %s.", whole, quote(raw))
		}
		v.SetInt(int64(n))
		return nil
	}
}

// amount reads dollars; its bounds are whole dollars, from 0 where none is given.
func amount(f field) setter {
	low, high := money.Cents(0), money.Max
	if f.min != nil {
		low = money.Dollars(int64(*f.min))
	}
	if f.max != nil {
		high = money.Dollars(int64(*f.max))
	}
	within := fmt.Sprintf("between %s and %s", low.AppendJSON(nil), high.AppendJSON(nil))
	return func(v reflect.Value, raw string) *fault.Detail {
		c, err := money.Parse(raw)
		if err != nil || c < low || c > high {
			return invalid(
				f,
				"must be an amount in dollars %s with at most two decimals, such as 1450.00; not %s.",
				within,
				quote(raw),
			)
		}
		v.SetInt(int64(c))
		return nil
	}
}

func boolean(f field) setter {
	return func(v reflect.Value, raw string) *fault.Detail {
		if raw != "true" && raw != "false" {
			return invalid(f, "must be true or false; not %s.", quote(raw))
		}
		v.SetBool(raw == "true")
		return nil
	}
}

// text takes a string without control characters. An identifier is not judged here:
// one that cannot exist finds nothing.
func text(f field) setter {
	switch f.format {
	case "etag":
		return etag(f)
	case "cursor":
		return cursor(f, func(raw string) bool { return id.Valid(f.prefix, raw) })
	case "state-cursor":
		return cursor(f, func(raw string) bool { return slices.Contains(contact.State("").Values(), raw) })
	case "position":
		return cursor(f, func(raw string) bool {
			return utf8.RuneCountInString(raw) <= longestCursor &&
				checkText(f, raw) == nil
		})
	}
	normal := normalForms[f.format]
	return func(v reflect.Value, raw string) *fault.Detail {
		if f.in != "path" {
			if d := checkText(f, raw); d != nil {
				return d
			}
		}
		if normal != nil {
			var err error
			if raw, err = normal(raw); err != nil {
				return invalid(f, "is %s.", err)
			}
		}
		v.SetString(raw)
		return nil
	}
}

// longestCursor is how many characters a cursor has at most (docs/site/pagination.md).
const longestCursor = 100

// cursor reads the position in a list; an empty one is its beginning.
func cursor(f field, fits func(string) bool) setter {
	return func(v reflect.Value, raw string) *fault.Detail {
		if raw != "" && !fits(raw) {
			return &fault.Detail{Param: f.name, Code: fault.InvalidCursor,
				Message: f.name +
					" is not a cursor of this list; pass next_cursor of the page before, or leave it out to start " +
					"at the beginning."}
		}
		v.SetString(raw)
		return nil
	}
}

// etag reads a version in double quotes, as ETag gives it; * is any version. The mark
// of a weak one, which a proxy may have added, says nothing about a version.
func etag(f field) setter {
	form := regexp.MustCompile(formats["etag"])
	return func(v reflect.Value, raw string) *fault.Detail {
		if !form.MatchString(raw) {
			return invalid(f, `must be one ETag of the record with its double quotes, as in If-Match: "3".`)
		}
		v.SetString(strings.TrimPrefix(raw, "W/"))
		return nil
	}
}

// normalForms are how the text of a format is brought to the form that is stored.
var normalForms = map[string]func(string) (string, error){
	"email": contact.Email, "phone": contact.Phone, "postal-code": postalCode,
}

// postalCode reads a ZIP code of 5 or 9 digits.
func postalCode(s string) (string, error) {
	digits := strings.Replace(s, "-", "", 1)
	if strings.Trim(digits, "0123456789") != "" || len(digits) != 5 && len(digits) != 9 ||
		s != digits && (len(digits) != 9 || s[5] != '-') {
		return "", fmt.Errorf("not a ZIP code, such as 78701 or 78701-1234: %s", quote(s))
	}
	if len(digits) == 9 {
		return digits[:5] + "-" + digits[5:], nil
	}
	return digits, nil
}

func checkText(f field, raw string) *fault.Detail {
	n := utf8.RuneCountInString(raw)
	switch {
	case !utf8.ValidString(raw):
		return invalid(f, "is not valid UTF-8.")
	case texts.Unreadable(raw, f.format == "text"):
		return invalid(f, fault.Invisible+"; not %s.", quote(raw))
	case f.format == "ref" && f.in == "":
		return nil // found or not
	case f.fixed != "" && raw != f.fixed:
		return invalid(f, "must be %s; not %s.", f.fixed, quote(raw))
	case raw == "":
		return invalid(f, "is empty; %s.", f.remedy())
	case f.in == "" && strings.TrimSpace(raw) == "":
		return invalid(f, "is blank; %s.", f.remedy())
	case f.minLen != nil && n < *f.minLen || f.maxLen != nil && n > *f.maxLen:
		return invalid(f, "%s", fault.Characters(n, f.minLen, f.maxLen))
	case f.format == "search" && !strings.ContainsFunc(raw, searchable):
		return invalid(f, "must have a letter or a digit; not %s.", quote(raw))
	}
	return nil
}

// remedy is what to do about a field that is empty.
func (f field) remedy() string {
	if f.needed {
		return "give it a value: it is required"
	}
	return "give it a value or leave it out"
}

// searchable tells a character that a search can be for, as the pattern of the format does.
func searchable(r rune) bool {
	return '0' <= r && r <= '9' || 'A' <= r && r <= 'Z' || 'a' <= r && r <= 'z' ||
		r >= '\u00AA' && (r < '\u2028' || r > '\u202F') // those are blanks and marks of direction
}

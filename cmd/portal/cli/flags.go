package cli

import (
	"errors"
	"flag"
	"slices"
	"strconv"
	"strings"
	"time"

	"portal/api/clock"
)

// Flags are the flags of a command. Every command has --json.
type Flags struct {
	*flag.FlagSet
	JSON   string // what the help says of --json
	checks []func(*Call) error
}

// Check adds a check of the command line. Checks run in their order before anything is opened.
func (f *Flags) Check(check func(*Call) error) { f.checks = append(f.checks, check) }

// choice declares a flag whose value is one of a few, which the usage lists.
func (f *Flags) choice(name, value, usage string, values []string) *string {
	chosen := f.String(name, value, usage)
	f.Check(func(*Call) error {
		if !slices.Contains(values, *chosen) {
			return Misuse("--" + name + " must be " + usage)
		}
		return nil
	})
	return chosen
}

// optional declares a flag for a text that is nil if it is empty.
func (f *Flags) optional(to **string, name, usage string) {
	text := f.String(name, "", usage)
	f.Check(func(*Call) error {
		*to = optionalText(*text)
		return nil
	})
}

// repeated declares a flag that may be repeated. Its values are told nobody: they may be secret.
func (f *Flags) repeated(name, usage string) *[]string {
	var all []string
	f.Func(name, usage, func(s string) error {
		all = append(all, s)
		return nil
	})
	return &all
}

// number declares a flag for a whole number that is nil if it is not given.
func (f *Flags) number(to **int, name, usage string) {
	f.Func(name, usage, func(s string) error {
		n, err := strconv.Atoi(s)
		if err != nil {
			return errors.New("not a whole number")
		}
		*to = &n
		return nil
	})
}

// since declares the flag --since, whose time is nil if it is not given.
func (f *Flags) since(to **clock.Time) {
	text := f.String("since", "", "only those created at or after this time: 2026-11-02T16:00:00Z or 2026-11-02")
	f.Check(func(*Call) error {
		if *text == "" {
			return nil
		}
		at, err := instant(*text)
		if err != nil {
			return Misuse("--since: " + err.Error())
		}
		*to = &at
		return nil
	})
}

// instant reads a moment, or the beginning of a day in UTC.
func instant(s string) (clock.Time, error) {
	if d, err := clock.ParseDate(s); err == nil {
		return clock.At(d.Std()), nil
	}
	return clock.ParseTime(s)
}

// moment reads a time: RFC 3339, a day, or how long from now (720h). It is nil for "".
func moment(s string) (*clock.Time, error) {
	if s == "" {
		return nil, nil //nolint:nilnil // absent is a value here
	}
	if d, err := time.ParseDuration(s); err == nil {
		return new(clock.At(time.Now().Add(d))), nil
	}
	t, err := instant(s)
	if err != nil {
		return nil, Misuse("a time must be 2027-01-31T12:00:00Z, 2027-01-31, or a duration such as 720h")
	}
	return &t, nil
}

// oneOf refuses the value of a flag that is none of its values; "" is none given.
func oneOf(name, value string, values []string) error {
	if value != "" && !slices.Contains(values, value) {
		return Misuse(name + " must be one of " + strings.Join(values, ", "))
	}
	return nil
}

// Words splits a list at commas and spaces.
func Words(list string) []string {
	return strings.FieldsFunc(list, func(r rune) bool { return r == ',' || r == ' ' })
}

// orNone is a text that may be absent, as "".
func orNone(s *string) string {
	if s == nil {
		return ""
	}
	return *s
}

func optionalText(s string) *string {
	if s == "" {
		return nil
	}
	return &s
}

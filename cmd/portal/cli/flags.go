package cli

import (
	"errors"
	"flag"
	"strconv"
	"time"

	"portal/api/clock"
)

// optionalNumber is a flag that tells absent from 0.
type optionalNumber struct{ value *int }

func number(f *flag.FlagSet, name, usage string) *optionalNumber {
	n := &optionalNumber{}
	f.Var(n, name, usage)
	return n
}

// String is flag.Value.
func (n *optionalNumber) String() string {
	if n.value == nil {
		return ""
	}
	return strconv.Itoa(*n.value)
}

// Set is flag.Value.
func (n *optionalNumber) Set(s string) error {
	v, err := strconv.Atoi(s)
	if err != nil {
		return errors.New("not a whole number")
	}
	n.value = &v
	return nil
}

// moment reads a time: RFC 3339, a day, or how long from now (720h).
func moment(s string) (*clock.Time, error) {
	if s == "" {
		return nil, nil //nolint:nilnil // absent is a value here
	}
	if d, err := time.ParseDuration(s); err == nil {
		return new(clock.At(time.Now().Add(d))), nil
	}
	if d, err := clock.ParseDate(s); err == nil {
		return new(clock.At(d.Std())), nil
	}
	t, err := clock.ParseTime(s)
	if err != nil {
		return nil, Misuse("a time must be 2027-01-31T12:00:00Z, 2027-01-31, or a duration such as 720h")
	}
	return &t, nil
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

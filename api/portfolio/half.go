package portfolio

import (
	"fmt"

	"portal/api/money"
)

// Half counts in halves: 3 is 1.5.
type Half int

// AppendJSON appends the count as a JSON number with at most one decimal.
func (h Half) AppendJSON(b []byte) []byte {
	c := money.Cents(h * 50).AppendJSON(b)
	if h%2 == 0 {
		return c[:len(c)-3]
	}
	return c[:len(c)-1]
}

// MarshalJSON writes a number with at most one decimal.
func (h Half) MarshalJSON() ([]byte, error) { return h.AppendJSON(nil), nil }

// UnmarshalJSON reads a number in steps of 0.5.
func (h *Half) UnmarshalJSON(b []byte) error {
	v, err := ParseHalf(string(b))
	if err == nil {
		*h = v
	}
	return err
}

// ParseHalf reads a count in steps of 0.5, at most 100.
func ParseHalf(s string) (Half, error) {
	c, err := money.Parse(s)
	if err != nil || c < 0 || c > 10_000 || c%50 != 0 {
		return 0, fmt.Errorf("not a number in steps of 0.5 between 0 and 100: %q", s)
	}
	return Half(c / 50), nil
}

// Form is what a count looks like, for messages.
func (Half) Form() string { return "a number in steps of 0.5 between 0 and 100" }

// Range is the step and the bounds of a count.
func (Half) Range() (step, low, high float64) { return 0.5, 0, 100 }

// Parse reads a count; see ParseHalf.
func (Half) Parse(s string) (any, error) { return ParseHalf(s) }

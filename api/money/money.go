// Package money is dollars in whole cents. No floating point touches a sum.
package money

import (
	"fmt"
	"strconv"
	"strings"

	"portal/api/texts"
)

// Cents is an amount in cents of a US dollar. On the wire it is a JSON number in
// dollars with two decimals.
type Cents int64

// Max bounds an amount: $999,999,999.99.
const Max Cents = 99_999_999_999

// Dollars is a whole number of dollars.
func Dollars(n int64) Cents { return Cents(n * 100) }

// Parse reads a decimal number of dollars with at most two decimals, as JSON
// and a rent roll write it: 1450, 1450.5, 1450.50. A dollar sign or thousands
// separators are not read.
func Parse(s string) (Cents, error) {
	digits, negative := strings.CutPrefix(s, "-")
	whole, fraction, dot := strings.Cut(digits, ".")
	if !number(whole) || dot && !number(fraction) || len(fraction) > 2 || len(whole) > 9 {
		return 0, fmt.Errorf("not an amount in dollars with at most two decimals: %q", s)
	}
	cents, err := strconv.ParseInt(whole+(fraction + "00")[:2], 10, 64)
	if err != nil {
		return 0, err
	}
	if negative {
		cents = -cents
	}
	return Cents(cents), nil
}

func number(s string) bool {
	for i := range len(s) {
		if s[i] < '0' || s[i] > '9' {
			return false
		}
	}
	return s != ""
}

// String is the amount in dollars with two decimals and no sign of currency.
func (c Cents) String() string { return string(c.AppendJSON(nil)) }

// AppendJSON appends the amount as a JSON number with two decimals.
func (c Cents) AppendJSON(b []byte) []byte {
	if c < 0 {
		b, c = append(b, '-'), -c
	}
	b = strconv.AppendInt(b, int64(c/100), 10)
	return append(b, '.', byte('0'+c%100/10), byte('0'+c%10))
}

// MarshalJSON writes a number with two decimals.
func (c Cents) MarshalJSON() ([]byte, error) { return c.AppendJSON(nil), nil }

// UnmarshalJSON reads a number with at most two decimals.
func (c *Cents) UnmarshalJSON(b []byte) error {
	v, err := Parse(string(b))
	if err == nil {
		*c = v
	}
	return err
}

// Dollars is an amount as tables show it, always with its cents: $1,450.00 or −$50.00.
func (c Cents) Dollars() string {
	if c < 0 {
		return "−" + (-c).Dollars()
	}
	whole, cents, _ := strings.Cut(c.String(), ".")
	return "$" + texts.Grouped(whole) + "." + cents
}

// Words is an amount as people write it: $1,450 or $1,450.50.
func (c Cents) Words() string {
	if c < 0 {
		return "-" + (-c).Words()
	}
	whole, cents, _ := strings.Cut(c.String(), ".")
	if cents == "00" {
		return "$" + texts.Grouped(whole)
	}
	return "$" + texts.Grouped(whole) + "." + cents
}

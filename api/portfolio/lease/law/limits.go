package law

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"portal/api/money"
)

// condition tells which leases a limit is for: those of which a figure is at most, or above,
// another one. The zero condition is for all.
type condition struct {
	figure figure
	above  bool
	bound  int64
}

// figure is what a condition looks at.
type figure string

const (
	rent  figure = "rent"  // a month, in dollars
	units figure = "units" // in the building, which nobody has told
	term  figure = "term"  // in months, 0 for month-to-month
)

// readCondition reads rent<=700 or units>4.
func readCondition(s string) (c condition, err error) {
	if s == "" {
		return c, nil
	}
	name, bound, found := strings.Cut(s, "<=")
	if !found {
		name, bound, c.above = strings.Cut(s, ">")
	}
	c.figure = figure(name)
	if c.figure != rent && c.figure != units && c.figure != term {
		return c, fmt.Errorf("%q is no condition", s)
	}
	c.bound, err = strconv.ParseInt(bound, 10, 64)
	return c, err
}

// mayHold reports whether the condition holds for a lease, or may, for all that is known of it.
func (c condition) mayHold(t Terms) bool {
	switch c.figure {
	case rent:
		return c.above == (t.Rent > money.Dollars(c.bound))
	case term:
		return c.above == (t.months() > c.bound)
	}
	return true
}

// words say when the condition holds, as a sentence, "" for always.
func (c condition) words() string {
	said := c.clause()
	if said == "" {
		return ""
	}
	return strings.ToUpper(said[:1]) + said[1:] + "."
}

// clause says it within a sentence.
func (c condition) clause() string {
	most := map[bool]string{false: "at most ", true: "more than "}[c.above]
	switch {
	case c.figure == rent:
		return "the monthly rent is " + most + money.Dollars(c.bound).Words()
	case c.figure == units:
		return "the building has " + most + strconv.FormatInt(c.bound, 10) + " units"
	case c.figure == term && c.bound == 0 && !c.above:
		return "the lease is month-to-month"
	case c.figure == term && c.bound == 0:
		return "the lease is not month-to-month"
	case c.figure == term && c.above:
		return "the term is " + strconv.FormatInt(c.bound+1, 10) + " months or more"
	case c.figure == term:
		return "the term is less than " + strconv.FormatInt(c.bound+1, 10) + " months"
	}
	return ""
}

// sum is an amount of money that depends on the rent at most: the greatest or the least of
// its parts.
type sum struct {
	parts   []part
	greater bool
}

// part is a percentage of the rent, a flat amount, or an amount a day up to a limit.
type part struct {
	percent float64
	flat    money.Cents // of a daily amount: the most in all
	daily   money.Cents
}

// readSum reads pct:5|flat:50:greater, daily:5:max:50 and the like.
func readSum(s string) (sum, error) {
	var all sum
	pieces := strings.Split(s, "|")
	last := len(pieces) - 1
	if shorter, is := strings.CutSuffix(pieces[last], ":greater"); is {
		pieces[last], all.greater = shorter, true
	} else if shorter, is := strings.CutSuffix(pieces[last], ":lesser"); is {
		pieces[last] = shorter
	} else if len(pieces) > 1 {
		return all, fmt.Errorf("%q does not say whether the greater or the lesser counts", s)
	}
	for _, piece := range pieces {
		p, err := readPart(piece)
		if err != nil {
			return all, fmt.Errorf("%q: %w", s, err)
		}
		all.parts = append(all.parts, p)
	}
	return all, nil
}

func readPart(s string) (p part, err error) {
	kind, rest, _ := strings.Cut(s, ":")
	switch kind {
	case "pct":
		p.percent, err = strconv.ParseFloat(rest, 64)
	case "flat":
		p.flat, err = money.Parse(rest)
	case "daily":
		daily, most, found := strings.Cut(rest, ":max:")
		if !found {
			return p, fmt.Errorf("%q has no limit in all", s)
		}
		if p.daily, err = money.Parse(daily); err == nil {
			p.flat, err = money.Parse(most)
		}
	default:
		err = fmt.Errorf("%q is no amount", s)
	}
	return p, err
}

// of is the amount for a monthly rent, cut to the cent, and the most in all of what grows by the
// day. A percentage of what is overdue is taken of one month’s rent.
func (s sum) of(monthly money.Cents) money.Cents { return s.on(monthly, math.MaxInt64) }

// on is of as far as it has grown on a day on which rent is late, the first of which is 1.
func (s sum) on(monthly money.Cents, day int64) money.Cents {
	var most money.Cents
	for i, p := range s.parts {
		amount := p.flat
		switch {
		case p.percent > 0:
			amount = share(monthly, p.percent)
		case p.daily > 0 && day < int64(p.flat/p.daily)+1:
			amount = min(p.daily*money.Cents(day), p.flat)
		}
		if i == 0 || s.greater == (amount > most) {
			most = amount
		}
	}
	return most
}

// allowsDaily reports whether the sum grows by at least as much a day.
func (s sum) allowsDaily(fee money.Cents) bool {
	return slices.ContainsFunc(s.parts, func(p part) bool { return p.daily > 0 && fee <= p.daily })
}

// share is a percentage of an amount, cut to the cent. Percentages have at most two decimals.
func share(of money.Cents, percent float64) money.Cents {
	return of * money.Cents(math.Round(percent*100)) / 10_000
}

// words say what the amount is.
func (s sum) words(base string) string {
	var all []string
	for _, p := range s.parts {
		all = append(all, p.words(base))
	}
	text := strings.Join(all, " or ")
	if len(all) == 1 {
		return text
	}
	return text + ", whichever is " + map[bool]string{true: "greater", false: "less"}[s.greater]
}

func (p part) words(base string) string {
	switch {
	case p.percent > 0:
		return number(p.percent) + "% of " + base
	case p.daily > 0:
		return p.daily.Words() + " a day up to " + p.flat.Words()
	}
	return p.flat.Words()
}

func number(f float64) string { return strconv.FormatFloat(f, 'f', -1, 64) }

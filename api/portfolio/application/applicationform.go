package application

import (
	"fmt"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"portal/api/clock"
	"portal/api/contact"
	"portal/api/fault"
	"portal/api/money"
	"portal/api/texts"
)

// Form is an application as it was typed.
type Form struct {
	FirstName, LastName, Email, Phone, MoveInDate, Adults, Children, Pets, MonthlyIncome, Notes string
}

// Bounds of what a household may be.
const (
	mostAdults   = 20
	mostChildren = 20
	aheadMonths  = 24 // how far ahead a move may lie
)

// read reads the form on a day, and names all fields at fault at once, in its order.
func (f Form) read(today clock.Date) (a Application, err error) {
	r := formReader{}
	last := today.AddMonths(aheadMonths)
	a.FirstName = r.line("first_name", "your first name", f.FirstName, 127)
	a.LastName = r.line("last_name", "your last name", f.LastName, 127)
	a.Email = reading(&r, "email", "your email address", f.Email, contact.Email, "an email address, such as dana@example.com")
	a.Phone = reading(&r, "phone", "your phone number", f.Phone, contact.Phone, "a phone number, such as (512) 555-0142")
	a.MoveInDate = reading(&r, "move_in_date", "the day you would like to move in", f.MoveInDate, dayWithin(today, last),
		fmt.Sprintf("a day from %s to %s", today.Words(), last.Words()))
	a.Adults = r.count("adults", "how many adults will live there", f.Adults, 1, mostAdults)
	if strings.TrimSpace(f.Children) != "" {
		a.Children = r.count("children", "how many children will live there", f.Children, 0, mostChildren)
	}
	a.Pets = r.text("pets", f.Pets, 300)
	a.MonthlyIncome = reading(&r, "monthly_income", "the monthly income of your household", f.MonthlyIncome, dollars, "an amount in dollars, such as 4,500")
	a.Notes = r.text("notes", f.Notes, 2000)
	return a, fault.Invalid(r.details)
}

// formReader gathers what is wrong with a form.
type formReader struct{ details []fault.Detail }

func (r *formReader) fault(code fault.Code, field, message string) {
	r.details = append(r.details, fault.Detail{Param: field, Code: code, Message: message})
}

// present tells a field that holds text, and notes one that does not.
func (r *formReader) present(field, what, typed string) bool {
	switch {
	case texts.Unreadable(typed, false) || texts.Reordered(typed):
		r.fault(fault.InvalidField, field, field+" "+fault.Invisible+".")
	case strings.TrimSpace(typed) == "":
		r.fault(fault.MissingField, field, "Enter "+what+".")
	default:
		return true
	}
	return false
}

// line reads a text of one line that must be there.
func (r *formReader) line(field, what, typed string, most int) string {
	if !r.present(field, what, typed) {
		return ""
	}
	v := strings.TrimSpace(typed)
	if utf8.RuneCountInString(v) > most {
		r.fault(fault.InvalidField, field, field+" "+fault.Characters(utf8.RuneCountInString(v), nil, &most))
	}
	return v
}

// text reads a text of several lines that may be left out.
func (r *formReader) text(field, typed string, most int) *string {
	v := strings.TrimSpace(strings.ReplaceAll(typed, "\r\n", "\n"))
	switch {
	case texts.Unreadable(v, true) || texts.Reordered(v):
		r.fault(fault.InvalidField, field, field+" "+fault.Invisible+".")
	case utf8.RuneCountInString(v) > most:
		r.fault(fault.InvalidField, field, field+" "+fault.Characters(utf8.RuneCountInString(v), nil, &most))
	case v != "":
		return &v
	}
	return nil
}

func (r *formReader) count(field, what, typed string, least, most int) int {
	if !r.present(field, what, typed) {
		return 0
	}
	n, err := strconv.Atoi(strings.TrimSpace(typed))
	if err != nil || n < least || n > most {
		r.fault(fault.InvalidField, field, fmt.Sprintf("Enter a whole number from %d to %d.", least, most))
	}
	return n
}

// reading reads a field that must be there and have a form.
func reading[T any](r *formReader, field, what, typed string, parse func(string) (T, error), form string) (v T) {
	if !r.present(field, what, typed) {
		return v
	}
	v, err := parse(strings.TrimSpace(typed))
	if err != nil {
		r.fault(fault.InvalidField, field, "Enter "+form+".")
	}
	return v
}

// dayWithin reads what a browser sends for a day, and what people type where it offers
// no calendar, between two days.
func dayWithin(first, last clock.Date) func(string) (clock.Date, error) {
	return func(s string) (clock.Date, error) {
		d, err := clock.ParseDate(s)
		if t, american := time.Parse("1/2/2006", s); american == nil {
			d, err = clock.Day(t.Date()), nil
		}
		if err == nil && (d < first || d > last) {
			err = fmt.Errorf("not between %s and %s: %s", first, last, d)
		}
		return d, err
	}
}

// dollars reads an amount as people type it: $4,500 or 4500.00.
func dollars(s string) (money.Cents, error) {
	c, err := money.Parse(strings.NewReplacer("$", "", ",", "", " ", "").Replace(s))
	if err == nil && c < 0 {
		err = fmt.Errorf("a negative amount: %q", s)
	}
	return c, err
}

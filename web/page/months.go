package page

import (
	"strings"
	"time"

	"portal/api/clock"
	"portal/views/kit"
)

// Say is a text in the language of a page.
type Say func(english, spanish string) string

// InEnglish is the Say of pages that are in English alone.
func InEnglish(english, _ string) string { return english }

// Months are the first and the last day of the months that the fields from and to ask for, or of the twelve months
// that end with this one where both are empty. It says in the form what is wrong with them.
func (f *Form) Months(today clock.Date, say Say) (from, until clock.Date, ok bool) {
	if f.Text("from") == "" && f.Text("to") == "" {
		return today.FirstOfMonth().AddMonths(-11), today.LastOfMonth(), true
	}
	first, last := f.month("from", today, say), f.month("to", today, say)
	if first == nil || last == nil {
		return 0, 0, false
	}
	if *last < *first {
		f.Reject("to", say("Choose the first month or a later one.", "Elija el primer mes o uno posterior."))
		return 0, 0, false
	}
	return *first, last.LastOfMonth(), true
}

// monthForms are those in which a month can be typed; the first one is that of browsers with a field for months.
var monthForms = []string{"2006-01", "1/2006", "January 2006", "Jan 2006"}

func (f *Form) month(name string, today clock.Date, say Say) *clock.Date {
	text := strings.Join(strings.Fields(f.Text(name)), " ")
	for _, form := range monthForms {
		at, err := time.Parse(form, text)
		if err != nil || at.Year() < 1900 {
			continue
		}
		day := clock.DateOf(at, time.UTC)
		if day > today {
			f.Reject(name, say("Choose this month or an earlier one.", "Elija este mes o uno anterior."))
			return nil
		}
		return &day
	}
	f.Reject(name, say("Enter the month as 2026-12: year, month.", "Escriba el mes como 2026-12: año, mes."))
	return nil
}

// MonthFields ask for the months that Form.Months reads.
func MonthFields(today clock.Date, say Say) []kit.Field {
	month := func(d clock.Date) string { return d.Std().Format(monthForms[0]) }
	field := kit.Field{
		Kind: "month", Most: month(today), Hint: say("Year and month, such as 2026-01.", "Año y mes, como 2026-01."),
	}
	from, to := field, field
	first := today.FirstOfMonth().AddMonths(-11)
	from.Name, from.Label, from.Value = "from", say("First month", "Primer mes"), month(first)
	to.Name, to.Label, to.Value = "to", say("Last month", "Último mes"), month(today)
	return []kit.Field{from, to}
}

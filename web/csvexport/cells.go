package csvexport

import (
	"fmt"
	"reflect"
	"strconv"
	"time"

	"portal/api/clock"
	"portal/api/money"
	"portal/api/portfolio"
	"portal/api/texts"
)

// Cells are a row of a file: the name of each column and its value, one after the other. An amount
// is in dollars such as 1450.00, a day 2026-11-26, a moment in UTC, a duration in milliseconds, a
// bool yes or no. A nil pointer is an empty cell.
type Cells []any

// names are those of the columns.
func (c Cells) names() []string {
	all := make([]string, 0, len(c)/2)
	for i := 0; i < len(c); i += 2 {
		all = append(all, c[i].(string))
	}
	return all
}

// values are the texts of the cells.
func (c Cells) values() []string {
	all := make([]string, 0, len(c)/2)
	for i := 1; i < len(c); i += 2 {
		all = append(all, text(c[i]))
	}
	return all
}

// text is a cell of a file.
func text(value any) string {
	if p := reflect.ValueOf(value); p.Kind() == reflect.Pointer {
		if p.IsNil() {
			return ""
		}
		value = p.Elem().Interface()
	}
	switch v := value.(type) {
	case int, int64, money.Cents, clock.Date, clock.Time: // whose text is always a number or a date
		return fmt.Sprint(v)
	case bool:
		return map[bool]string{true: "yes", false: "no"}[v]
	case time.Duration:
		return strconv.FormatFloat(float64(v.Microseconds())/1000, 'f', -1, 64)
	case nil:
		return ""
	}
	return texts.Inert(fmt.Sprint(value)) // tenants write names and descriptions
}

// HomeCells are the parts of the address of a unit, all empty where a row has none.
func HomeCells(h *portfolio.Home) Cells {
	if h == nil {
		h = &portfolio.Home{}
	}
	p := &h.Property
	return Cells{
		"Street address", p.StreetAddress, "Address line 2", p.StreetAddress2, "Unit", h.Unit.UnitNumber,
		"City", p.City, "State", p.State, "ZIP code", p.PostalCode,
	}
}

// RecordCells say when a record was created and last changed.
func RecordCells(r *portfolio.Record) Cells {
	return Cells{"Created (UTC)", r.CreatedAt, "Updated (UTC)", r.UpdatedAt}
}

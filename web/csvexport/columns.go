package csvexport

import (
	"portal/api/portfolio"
)

// Column is a column of a file.
type Column[T any] struct {
	Name string
	Of   func(row *T) Value
}

// HomeColumns are the parts of the address of a unit. of is nil where a row has none.
func HomeColumns[T any](of func(row *T) *portfolio.Home) []Column[T] {
	part := func(name string, text func(*portfolio.Home) Value) Column[T] {
		return Column[T]{name, func(row *T) Value {
			if h := of(row); h != nil {
				return text(h)
			}
			return Value{}
		}}
	}
	return []Column[T]{
		part("Street address", func(h *portfolio.Home) Value { return Text(h.Property.StreetAddress) }),
		part("Address line 2", func(h *portfolio.Home) Value { return TextOr(h.Property.StreetAddress2) }),
		part("Unit", func(h *portfolio.Home) Value { return Text(h.Unit.UnitNumber) }),
		part("City", func(h *portfolio.Home) Value { return Text(h.Property.City) }),
		part("State", func(h *portfolio.Home) Value { return Text(h.Property.State) }),
		part("ZIP code", func(h *portfolio.Home) Value { return TextOr(h.Property.PostalCode) }),
	}
}

// RecordColumns say when a record was created and last changed.
func RecordColumns[T any](of func(row *T) *portfolio.Record) []Column[T] {
	return []Column[T]{
		{"Created (UTC)", func(row *T) Value { return Of(of(row).CreatedAt) }},
		{"Updated (UTC)", func(row *T) Value { return Of(of(row).UpdatedAt) }},
	}
}

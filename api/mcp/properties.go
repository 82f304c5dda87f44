package mcp

import (
	"context"

	"portal/api/access"
	"portal/api/change"
	"portal/api/operation"
	"portal/api/portfolio"
	"portal/api/portfolio/property"
)

type propertyID struct {
	// The property.
	ID string `json:"property_id" format:"ref" prefix:"prop"`
}

func (e *Endpoint) readProperties() []*operation.Tool {
	return []*operation.Tool{
		operation.Asks(operation.ToolSpec{
			Name:  "list_properties",
			Title: "List properties",
			Description: "Properties with address, type and unit counts, in the order of creation. Needs read. " +
				"Answers a page: data, has_more, next_cursor.",
			Takes: paged("search", "state", "city", "property_type"),
		}, e.Portfolio.Properties.Properties),
		operation.Asks(operation.ToolSpec{
			Name:  "get_property",
			Title: "Get a property",
			Description: "One property with unit_count and all of its units (rent, size, status, current lease). " +
				"Needs read.",
			About: "property_id",
		}, func(ctx context.Context, by access.Actor, in propertyID) (*portfolio.PropertyWithUnits, error) {
			return e.Portfolio.Properties.Property(ctx, by, in.ID)
		}),
	}
}

type updateProperty struct {
	propertyID
	property.Update
	write
}

func (u updateProperty) aim() (change.Target, property.Update) { return u.to(u.ID), u.Update }

func (e *Endpoint) updateProperty() *operation.Tool {
	return updates[updateProperty](operation.ToolSpec{
		Name:  "update_property",
		Title: "Update a property",
		About: "property_id",
		Description: "Changes a property's name, address, type or year at once, unless dry_run. What is left out " +
			"stays; clear empties. Leases keep the address they were made with. Needs write. Answers the property.",
	}, e.Portfolio.Properties.UpdateProperty)
}

package rest

import (
	"portal/api/change"
	"portal/api/fault"
	"portal/api/operation"
	"portal/api/portfolio/property"
)

func (a *API) properties() []*operation.Operation {
	return []*operation.Operation{
		lists(operation.Spec{
			Name:        "list_properties",
			Path:        "/properties",
			Tag:         "Properties",
			Summary:     "List properties",
			Description: "The properties of the portfolio by ascending ID, which is the order of creation.",
		}, a.Portfolio.Properties.Properties),
		creates(operation.Spec{
			Name:    "create_property",
			Path:    "/properties",
			Tag:     "Properties",
			Summary: "Create a property",
			Description: "Creates a property with one unit. For live keys, the plan's limit of units applies. Add " +
				"more units and request verification in the dashboard.",
			Fails: []fault.Code{fault.UnitLimitReached},
		}, a.Portfolio.Properties.CreateProperty),
		retrieves[propertyPath](operation.Spec{
			Name:        "get_property",
			Path:        "/properties/{property_id}",
			Tag:         "Properties",
			Summary:     "Retrieve a property",
			Description: "One property with all of its units.",
		}, a.Portfolio.Properties.Property),
		updates(operation.Spec{
			Name:    "update_property",
			Path:    "/properties/{property_id}",
			Tag:     "Properties",
			Summary: "Update a property",
			Description: "Updates the address, type, name, or year of construction. Fields that you leave out stay " +
				"the same; null clears a field. Leases keep the address they were created with. " +
				"You can't change the address while documents of drafts or of leases out for signature contain it.",
			Fails: []fault.Code{fault.SignatureInProgress},
		}, func(in *updateProperty) property.Update {
			return in.Update
		}, a.Portfolio.Properties.UpdateProperty),
	}
}

type updateProperty struct {
	propertyPath
	seen
	property.Update
}

func (u updateProperty) aim() change.Target { return u.of(u.propertyPath.ID) }

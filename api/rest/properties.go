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
			Description: "The properties of the portfolio in ascending id, which is the order of their creation.",
		}, a.Portfolio.Properties.Properties),
		creates(operation.Spec{
			Name:        "create_property",
			Path:        "/properties",
			Tag:         "Properties",
			Summary:     "Create a property",
			Description: "Creates a property with one unit. For live keys, the plan's limit of units applies. Add more units and request verification in the dashboard.",
			Fails:       []fault.Code{fault.UnitLimitReached},
		}, a.Portfolio.Properties.CreateProperty),
		retrieves[propertyPath](operation.Spec{
			Name:        "get_property",
			Path:        "/properties/{property_id}",
			Tag:         "Properties",
			Summary:     "Retrieve a property",
			Description: "One property with all of its units.",
		}, a.Portfolio.Properties.Property),
		updates(operation.Spec{
			Name:        "update_property",
			Path:        "/properties/{property_id}",
			Tag:         "Properties",
			Summary:     "Update a property",
			Description: "Changes the address, the type, the name or the year of construction. What is absent stays, null clears. Leases keep the address they were made with. The address stays while documents of leases that wait for signatures, and those of drafts, say it.",
			Fails:       []fault.Code{fault.SignatureInProgress},
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

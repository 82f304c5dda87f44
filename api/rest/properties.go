package rest

import "portal/api/operation"

func (a *API) properties() []*operation.Operation {
	return []*operation.Operation{
		lists(operation.Spec{
			Name: "list_properties", Path: "/properties", Tag: "Properties",
			Summary:     "List properties",
			Description: "The properties of the portfolio in ascending id, which is the order of their creation.",
		}, a.Portfolio.Properties),
		retrieves[propertyPath](operation.Spec{
			Name: "get_property", Path: "/properties/{property_id}", Tag: "Properties",
			Summary:     "Retrieve a property",
			Description: "One property with all of its units.",
		}, a.Portfolio.Property),
	}
}

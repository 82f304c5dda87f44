package rest

import (
	"context"
	"net/http"

	"portal/api/access"
	"portal/api/list"
	"portal/api/operation"
	"portal/api/portfolio"
)

func (a *API) properties() []*operation.Operation {
	return []*operation.Operation{
		operation.Define(operation.Spec{
			Name: "list_properties", Method: http.MethodGet, Path: "/properties", Tag: "Properties",
			Summary:     "List properties",
			Description: "The properties of the portfolio in ascending id, which is the order of their creation.",
			Scope:       access.Read, Status: http.StatusOK,
		}, a.listProperties),
		operation.Define(operation.Spec{
			Name: "get_property", Method: http.MethodGet, Path: "/properties/{property_id}", Tag: "Properties",
			Summary:     "Retrieve a property",
			Description: "One property with all of its units.",
			Scope:       access.Read, Status: http.StatusOK,
		}, a.getProperty),
	}
}

func (a *API) listProperties(ctx context.Context, in *portfolio.PropertyFilter) (*list.Page[portfolio.Property], error) {
	return a.Portfolio.Properties(ctx, access.From(ctx), *in)
}

type propertyPath struct {
	ID string `in:"path" name:"property_id" format:"id" doc:"Identifier of the property."`
}

func (a *API) getProperty(ctx context.Context, in *propertyPath) (*portfolio.PropertyWithUnits, error) {
	return a.Portfolio.Property(ctx, access.From(ctx), in.ID)
}

package rest

import (
	"context"
	"net/http"

	"portal/api/access"
	"portal/api/list"
	"portal/api/operation"
)

// reads makes the entry of a GET.
func reads[I, O any](s operation.Spec, call func(context.Context, *I) (*O, error)) *operation.Operation {
	s.Method, s.Scope, s.Status = http.MethodGet, access.Read, http.StatusOK
	return operation.Define(s, call)
}

// lists makes the entry of a list from the rule that answers it.
func lists[F, T any](
	s operation.Spec, call func(context.Context, access.Actor, F) (*list.Page[T], error),
) *operation.Operation {
	return reads(s, func(ctx context.Context, in *F) (*list.Page[T], error) {
		return call(ctx, access.From(ctx), *in)
	})
}

// retrieves makes the entry of a single record from the rule that answers it.
func retrieves[P identified, T any](
	s operation.Spec, call func(context.Context, access.Actor, string) (*T, error),
) *operation.Operation {
	return reads(s, func(ctx context.Context, in *P) (*T, error) {
		return call(ctx, access.From(ctx), (*in).record())
	})
}

// identified is the path of a single record.
type identified interface{ record() string }

type recordPath struct {
	// Identifier of the record.
	ID string `in:"path" name:"id" format:"id"`
}

func (p recordPath) record() string { return p.ID }

type propertyPath struct {
	// Identifier of the property.
	ID string `in:"path" name:"property_id" format:"id"`
}

func (p propertyPath) record() string { return p.ID }

type endpointPath struct {
	// Identifier of the webhook endpoint.
	ID string `in:"path" name:"endpoint_id" format:"id" object:"webhook_endpoint" prefix:"we"`
}

func (p endpointPath) record() string { return p.ID }

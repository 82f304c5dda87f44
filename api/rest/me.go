package rest

import (
	"context"
	"net/http"

	"portal/api/access"
	"portal/api/developer"
	"portal/api/operation"
)

func (a *API) account() []*operation.Operation {
	return []*operation.Operation{
		operation.Define(operation.Spec{
			Name:        "get_me",
			Method:      http.MethodGet,
			Path:        "/me",
			Tag:         "Account",
			Summary:     "Retrieve the key itself",
			Description: "Your API key: its scopes, account, and plan, its rate limit and what is left of it, and the units in use.",
			Scope:       access.Read,
			Status:      http.StatusOK,
		}, a.getMe),
	}
}

func (a *API) getMe(ctx context.Context, _ *operation.Nothing) (*developer.Me, error) {
	x := requestOf(ctx)
	return a.Developer.Me(ctx, x.req.Caller, x.req.Limit.Remaining, x.req.Limit.Reset)
}

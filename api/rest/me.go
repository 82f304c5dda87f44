package rest

import (
	"context"

	"portal/api/developer"
	"portal/api/operation"
)

func (a *API) account() []*operation.Operation {
	return []*operation.Operation{
		reads(operation.Spec{
			Name:    "get_me",
			Path:    "/me",
			Tag:     "Account",
			Summary: "Retrieve the key itself",
			Description: "Your API key: its scopes, account, and plan, its rate limit and what is left of it, and " +
				"the units in use.",
		}, func(ctx context.Context, _ *operation.Nothing) (*developer.Me, error) {
			x := ctx.Value(requestKey{}).(*request)
			return a.Developer.Me(ctx, x.req.Caller, x.req.Limit.Remaining, x.req.Limit.Reset)
		}),
	}
}

package rest

import (
	"context"

	"portal/api/access"
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
				"the units in use. For a test key, also the test clock of the demo portfolio.",
		}, func(ctx context.Context, _ *operation.Nothing) (*developer.Me, error) {
			x := ctx.Value(requestKey{}).(*request)
			m, err := a.Developer.Me(ctx, x.req.Caller, x.req.Limit.Remaining, x.req.Limit.Reset)
			if err != nil || m.Mode != access.Test {
				return m, err
			}
			m.TestClock, err = a.Demo.Clock(ctx, *x.req.Caller.Actor())
			return m, err
		}),
	}
}

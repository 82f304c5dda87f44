package views

import "context"

// TokenField is the name of the hidden field by which a form shows that it is ours.
const TokenField = "token"

type tokenKey struct{}

// With lets the forms of a page carry the token of their reader. It is asked for
// when a form is drawn, so a page without one has none.
func With(ctx context.Context, token func() string) context.Context {
	return context.WithValue(ctx, tokenKey{}, token)
}

func formToken(ctx context.Context) string {
	if token, ok := ctx.Value(tokenKey{}).(func() string); ok {
		return token()
	}
	return ""
}

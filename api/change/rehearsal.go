package change

import "context"

type rehearsalKey struct{}

// Rehearsal marks a write whose transaction is rolled back: a preview. What has left
// the service cannot be rolled back, so a rule makes no secret and sends nothing then.
func Rehearsal(ctx context.Context) context.Context {
	return context.WithValue(ctx, rehearsalKey{}, true)
}

// Rehearsed tells whether a write will be rolled back.
func Rehearsed(ctx context.Context) bool {
	rehearsed, _ := ctx.Value(rehearsalKey{}).(bool)
	return rehearsed
}

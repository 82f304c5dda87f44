package change

import "context"

type dryRunKey struct{}

// WithDryRun marks a write whose transaction is rolled back: a preview. What has left
// the service cannot be rolled back, so a rule makes no secret and sends nothing then.
func WithDryRun(ctx context.Context) context.Context {
	return context.WithValue(ctx, dryRunKey{}, true)
}

// IsDryRun reports whether a write will be rolled back.
func IsDryRun(ctx context.Context) bool {
	dryRun, _ := ctx.Value(dryRunKey{}).(bool)
	return dryRun
}

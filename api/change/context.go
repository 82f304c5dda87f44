package change

import (
	"context"
	"sync/atomic"
)

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

// Wholly has a write that is rolled back do all that it does otherwise, so that a later step of the same
// transaction finds it: a lease that is signed in a preview needs its document. Nothing of it leaves the service.
func Wholly(ctx context.Context) context.Context { return context.WithValue(ctx, dryRunKey{}, false) }

type refusableKey struct{}

// WithRefusable marks the writes of a request, whose caller can send it again: where too many wait already, they
// are refused with fault.Unavailable before they begin. Other writes wait as long as it takes.
func WithRefusable(ctx context.Context) context.Context {
	return context.WithValue(ctx, refusableKey{}, new(atomic.Bool))
}

// IsRefusable reports whether a write may be refused when too many wait: nothing of its request was done yet.
func IsRefusable(ctx context.Context) bool {
	changed, marked := ctx.Value(refusableKey{}).(*atomic.Bool)
	return marked && !changed.Load()
}

type unhurriedKey struct{}

// WithUnhurried marks the writes of a job that makes many, one after the other: they go behind those of everybody else,
// but not forever.
func WithUnhurried(ctx context.Context) context.Context {
	return context.WithValue(ctx, unhurriedKey{}, true)
}

// IsUnhurried reports whether a write goes behind those of everybody else.
func IsUnhurried(ctx context.Context) bool { return ctx.Value(unhurriedKey{}) != nil }

// Changed says that something of a request was done, so that the rest of it is not refused.
func Changed(ctx context.Context) {
	if changed, marked := ctx.Value(refusableKey{}).(*atomic.Bool); marked {
		changed.Store(true)
	}
}

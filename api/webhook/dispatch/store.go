package dispatch

import (
	"context"
	"time"

	"portal/api/clock"
	"portal/api/webhook"
	"portal/api/webhook/signature"
)

// Store is what sending needs of the store. Its methods see all portfolios, as a process
// sends for all; each names the portfolio of what it touches.
type Store interface {
	// Promptly runs a short transaction, which does not wait for a connection until others
	// have ended.
	Promptly(ctx context.Context, do func(context.Context) error) error
	// Ready are endpoints that have a delivery whose attempt may start.
	Ready(ctx context.Context, now clock.Time) ([]webhook.EndpointRef, error)
	// ClaimEach takes deliveries of endpoints whose attempts may start, the longest due first;
	// nil for an endpoint that another process holds just now. Those of a disabled endpoint are
	// cancelled instead.
	ClaimEach(ctx context.Context, c webhook.Claim, endpoints []webhook.Wanted) ([]*webhook.Claimed, error)
	// ConcludeEach notes how attempts ended whose claims a process still has, by ascending
	// endpoint.
	ConcludeEach(ctx context.Context, by string, ended []webhook.Ended) ([]webhook.Concluded, error)
	// MayStart reports whether an endpoint is enabled, once all who change it now are through.
	MayStart(ctx context.Context, at webhook.EndpointRef) (bool, error)
	// Claimants are the processes that have claims at an endpoint.
	Claimants(ctx context.Context, at webhook.EndpointRef) ([]string, error)
	// Present lets other processes know that this one is alive, until the context ends, and
	// has it hear what they tell; heard must return soon.
	Present(ctx context.Context, process string, heard func(message string))
	// Tell tells all processes that are present, this one too, whatever transaction the
	// context is in. Nobody may hear it.
	Tell(ctx context.Context, message string) error
}

// Rules is what sending needs of the rules of endpoints.
type Rules interface {
	// GiveUpOn disables an endpoint of which nothing but failures has come for too long.
	GiveUpOn(ctx context.Context, p webhook.EndpointRef, last *webhook.Attempt) error
	// Unseal opens the secrets that sign now.
	Unseal(c *webhook.Claimed) (signature.Secrets, error)
	// SendBy has a dispatcher send what is queued.
	SendBy(d webhook.Sending)
}

// Retries remembers, along with the transaction, when failed deliveries are due.
type Retries interface {
	Retry(ctx context.Context, at time.Time, due webhook.Due) error
}

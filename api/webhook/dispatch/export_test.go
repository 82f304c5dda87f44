package dispatch

import (
	"context"
)

// Ask has other processes stop their attempts at an endpoint.
func (d *Dispatcher) Ask(ctx context.Context, endpoint string, processes []string) <-chan struct{} {
	return d.ask(ctx, endpoint, processes)
}

package main

import (
	"context"
	"log/slog"

	"portal/api/webhook"
)

// sending is the delivery of webhooks by this process.
type sending struct {
	*webhook.Dispatcher
	stop    context.CancelFunc // lets attempts that run finish, for a while
	stopped chan struct{}
}

// send begins to deliver webhooks. The only process of a database first takes up what
// ran when the last one ended; of several, each leaves that to the others' claims.
func (p *product) send(ctx context.Context, log *slog.Logger) (*sending, error) {
	if p.db.SQLite() != nil {
		if err := p.webhook.TakeUp(ctx); err != nil {
			return nil, err
		}
	}
	ctx, stop := context.WithCancel(context.WithoutCancel(ctx))
	s := &sending{stop: stop, stopped: make(chan struct{})}
	s.Dispatcher = p.webhook.Dispatch(webhook.Sending{
		Sender:  webhook.NewSender(p.config.insecureWebhooks, "Portal-Webhooks/"+webhook.APIVersion+" (+"+p.config.baseURL+"/docs)"),
		Retries: p.queue, Log: log,
	})
	go func() {
		defer close(s.stopped)
		s.Run(ctx)
	}()
	return s, nil
}

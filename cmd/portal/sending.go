package main

import (
	"context"
	"log/slog"
	"time"

	"portal/api/webhook"
	"portal/api/webhook/dispatch"
	"portal/api/webhook/send"
	"portal/db/webhookstore"
)

// sending is the delivery of webhooks by this process.
type sending struct {
	*dispatch.Dispatcher
	stop    context.CancelFunc // lets attempts that run finish, for a while
	stopped chan struct{}
}

// send begins to deliver webhooks. First it takes up what ran when a process ended: on
// SQLite, where no other one sends, whatever is claimed.
func (p *product) send(ctx context.Context, log *slog.Logger) (*sending, error) {
	takeUp, shards := p.Webhook.TakeOver, 4
	if p.DB.SQLite() != nil { // which has one writer
		takeUp, shards = p.Webhook.TakeUp, 1
	}
	if err := takeUp(ctx); err != nil {
		return nil, err
	}
	ctx, stop := context.WithCancel(context.WithoutCancel(ctx))
	s := &sending{stop: stop, stopped: make(chan struct{})}
	sender := send.NewSender(p.config.insecureWebhooks, webhook.Agent(p.config.baseURL))
	attempts := attemptLimit(descriptors())
	sender.KeepIdle(attempts)
	s.Dispatcher = dispatch.New(p.Webhook, webhookstore.New(p.DB), time.Now, dispatch.Config{
		Sender:  sender,
		Retries: p.queue,
		Log:     log,
		Shards:  shards,
		Slots:   attempts,
	})
	go func() {
		defer close(s.stopped)
		s.Run(ctx)
	}()
	return s, nil
}

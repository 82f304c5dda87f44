package developer

import (
	"context"
	"log/slog"

	"portal/api/change"
)

// ActivityLog keeps what assistants did and who they are.
type ActivityLog interface {
	change.Transactor
	// AddToolCalls writes calls, in the transaction of the context if there is one. Those
	// that are there already stay as they are. One that does not say its client is given
	// the name and version under which a client of its key and User-Agent is known.
	AddToolCalls(ctx context.Context, batch []ToolCall) error
	// SeeClients notes that clients were seen, at most MaxClients of a key.
	SeeClients(ctx context.Context, sights []Client) error
}

// maxActivity is how many bytes wait at most to be recorded.
const maxActivity = 32 << 20

// Activity records what assistants did: a call that has changed something together
// with the change, everything else behind the requests' back.
type Activity struct {
	log      ActivityLog
	recorder *Recorder[activityEntry]
}

// activityEntry is what one request tells: who came, and mostly what was called.
type activityEntry struct {
	client Client
	call   *ToolCall
}

// NewActivity makes the record of activity; Run must be running.
func NewActivity(log ActivityLog, lines *slog.Logger) *Activity {
	a := &Activity{log: log}
	a.recorder = newRecorder(recorderTarget[activityEntry]{
		write: a.write,
		size:  (*activityEntry).size,
		room:  maxActivity,
		failed: func(n int, err error) {
			lines.Error("assistant activity not written yet", "calls", n, "error", err)
		},
	})
	return a
}

func (d *activityEntry) size() int {
	if d.call == nil {
		return d.client.size()
	}
	return d.client.size() + d.call.size()
}

// Run writes what was recorded until the context ends, and then the rest.
func (a *Activity) Run(ctx context.Context) { a.recorder.Run(ctx) }

// Dropped counts what found no room.
func (a *Activity) Dropped() int64 { return a.recorder.Dropped() }

// Record takes a call that has changed nothing: a read, a preview, a refusal, an answer
// told again. It never waits.
func (a *Activity) Record(c ToolCall) {
	c.fit()
	a.recorder.Record(activityEntry{c.sight(), &c})
}

// Keep writes a call that has changed something, in the transaction of the change: both
// happen or neither does.
func (a *Activity) Keep(ctx context.Context, c ToolCall) error {
	c.fit()
	a.recorder.Record(activityEntry{client: c.sight()}) // who came has come, whatever becomes of the change
	return a.log.AddToolCalls(ctx, []ToolCall{c})
}

// See takes notice of a client at its LastSeenAt, by what it tells of itself before it
// calls anything. It never waits.
func (a *Activity) See(c Client) {
	c.fit()
	c.FirstSeenAt = c.LastSeenAt
	a.recorder.Record(activityEntry{client: c})
}

// write writes who came first: their calls may be without a name.
func (a *Activity) write(ctx context.Context, batch []activityEntry) error {
	clients, calls := clientBatch{at: map[clientKey]int{}}, make([]ToolCall, 0, len(batch))
	for _, d := range batch {
		clients.add(d.client)
		if d.call != nil {
			calls = append(calls, *d.call)
		}
	}
	return a.log.Atomically(ctx, func(ctx context.Context) error {
		if err := a.log.SeeClients(ctx, clients.all); err != nil {
			return err
		}
		return a.log.AddToolCalls(ctx, calls)
	})
}

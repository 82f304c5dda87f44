// Package audit is the trail of who did what, when, to what and from where. It is only
// ever added to, in the transaction of what it tells of.
//
// It knows none of the things that are done.
package audit

import (
	"context"

	"portal/api/clock"
	"portal/api/fault"
	"portal/api/id"
	"portal/api/list"
)

// By is the user who does something, and their address. The zero value is the service itself, or an
// operator at its console.
type By struct {
	UserID    string // "" for nobody who signs in
	Address   string // of the client, "" where there is none
	RequestID string
}

// Event is something that was done.
type Event struct {
	AccountID string            // whose trail it is in, "" for that of the person alone
	Action    string            // such as key.created
	Target    string            // id of what it was done to, "" for nothing
	Details   map[string]string // what else is good to know, without a secret
}

// Entry is an event as it is read.
type Entry struct {
	ID        string            `json:"id"`
	At        clock.Time        `json:"at"`
	AccountID *string           `json:"account_id"`
	UserID    *string           `json:"user_id"`
	Email     *string           `json:"email"` // of the user as it is now
	Action    string            `json:"action"`
	Target    string            `json:"target"`
	Address   string            `json:"address"`
	RequestID string            `json:"request_id"`
	Details   map[string]string `json:"details"`
}

// Query asks for entries, the newest first.
type Query struct {
	AccountID string // of this account
	UserID    string // done by this person; with AccountID both must hold
	Action    string // of this kind, "" for all
	Before    string // a cursor: only those older than the entry of this id
	Limit     int    // 1 to list.Max, 0 for list.Default
}

// Store keeps the trail.
type Store interface {
	AddAudit(ctx context.Context, e *Entry) error
	// Audit lists entries, the newest first.
	Audit(ctx context.Context, q Query) ([]Entry, error)
}

type contextKey struct{}

// With lets what is done within a context be that of somebody.
func With(ctx context.Context, by By) context.Context {
	return context.WithValue(ctx, contextKey{}, by)
}

// From is the user in whose name a context acts.
func From(ctx context.Context) By {
	by, _ := ctx.Value(contextKey{}).(By)
	return by
}

// Log is the trail over a store.
type Log struct {
	Store Store
	Now   clock.Clock
}

// Record adds an event, done by the user of the context. It joins the transaction of the
// context, so it is there if and only if what it tells of happened.
func (l Log) Record(ctx context.Context, e Event) error {
	by, now := From(ctx), l.Now()
	entry := &Entry{
		ID:        id.New(id.Audit, now),
		At:        clock.At(now),
		Action:    e.Action,
		Target:    e.Target,
		Address:   by.Address,
		RequestID: by.RequestID,
		Details:   e.Details,
	}
	if e.AccountID != "" {
		entry.AccountID = &e.AccountID
	}
	if by.UserID != "" {
		entry.UserID = &by.UserID
	}
	return l.Store.AddAudit(ctx, entry)
}

// Entries is a page of the trail, the newest first.
func (l Log) Entries(ctx context.Context, q Query) (*list.Page[Entry], error) {
	if q.Before != "" && !id.Valid(id.Audit, q.Before) {
		return nil, fault.Of(fault.InvalidCursor).At("before")
	}
	if q.Limit == 0 {
		q.Limit = list.Default
	}
	limit := min(max(q.Limit, 1), list.Max)
	q.Limit = limit + 1
	rows, err := l.Store.Audit(ctx, q)
	if err != nil {
		return nil, err
	}
	return list.Of(rows, limit, func(e *Entry) string { return e.ID }), nil
}

package demo

import (
	"portal/api/access"
	"portal/api/clock"
	"portal/api/portfolio"
)

// record is a record that was created at a moment and has not changed since.
func record(object, key string, created clock.Time) portfolio.Record {
	return portfolio.Record{
		ID:        key,
		Object:    object,
		Mode:      access.Test,
		Version:   1,
		CreatedAt: created,
		UpdatedAt: created,
	}
}

// touch notes a change. What happened before the record was created came in with it.
func touch(r *portfolio.Record, at clock.Time) {
	if at <= r.CreatedAt {
		return
	}
	r.Version++
	r.UpdatedAt = max(r.UpdatedAt, at)
}

package portfolio

import (
	"context"

	"portal/api/access"
)

// Events takes what the outside is told along with the transaction.
type Events interface {
	// Raise stores an event of a kind about a record as it is at this moment.
	Raise(ctx context.Context, in access.Portfolio, kind string, record any) error
}

// Raise tells of a record whose computed fields are filled, if anybody listens.
func (s *Common) Raise(ctx context.Context, by access.Actor, kind string, record any) error {
	if s.Events == nil {
		return nil
	}
	return s.Events.Raise(ctx, by.Portfolio, kind, record)
}

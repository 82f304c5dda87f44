package developer

import (
	"context"
	"slices"

	"portal/api/access"
	"portal/api/clock"
	"portal/api/fault"
	"portal/api/id"
)

// How much of a minute is read and shown. A minute of one process has at most some 1,400
// rows.
const (
	mostUnkeyedRead  = 10_000
	mostUnkeyedShown = 200
)

// UnkeyedMinute is what is known of the requests without a valid key of a minute.
type UnkeyedMinute struct {
	From     clock.Time
	Requests []Request      // those with a row of their own, the oldest first
	Counts   []RequestCount // of all others, the most frequent first
}

// UnkeyedMinute answers a look-up of a request that has no row of its own, by the minute
// that its id tells. address narrows to the client at an address, "" is all.
func (s *Service) UnkeyedMinute(ctx context.Context, requestID, address string) (m UnkeyedMinute, err error) {
	at, ok := id.Time(requestID)
	if !ok || !id.Valid(id.Request, requestID) || clock.At(at) < s.requestsSince() {
		return m, fault.Of(fault.NoRecord)
	}
	m.From = clock.At(at) / aMinute * aMinute
	client := ""
	if address != "" {
		client = access.ParseClient(address)
	}
	if m.Requests, err = s.store.UnkeyedRequests(ctx, m.From, m.From+aMinute, mostUnkeyedRead); err != nil {
		return m, err
	}
	m.Requests = slices.DeleteFunc(m.Requests, func(r Request) bool {
		return client != "" &&
			access.ParseClient(r.Address) != client
	})
	m.Requests = m.Requests[:min(len(m.Requests), mostUnkeyedShown)]
	m.Counts, err = s.store.RequestCounts(ctx, m.From, m.From+aMinute, client, mostUnkeyedShown)
	return m, err
}

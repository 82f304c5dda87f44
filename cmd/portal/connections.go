package main

import (
	"math"

	"portal/api/httpserver"
)

const (
	// ownDescriptors is what the process has open for itself: the files of SQLite or the
	// connections to PostgreSQL and Redis, the log, the metrics and their reader.
	ownDescriptors = 32
	// mostConnections bounds the memory that connections take, some 20 KB each.
	mostConnections = 10_000
	// reservedConnections are kept for the health checks.
	reservedConnections = 4
)

// connectionLimits are how many connections a process takes that may have so many
// descriptors open: half of those that it does not need for itself, the other half is for
// webhooks and mail; of one address half of that.
func connectionLimits(descriptors uint64) httpserver.Limits {
	room := (int64(min(descriptors, math.MaxInt32)) - ownDescriptors) / 2
	all := int(max(4*reservedConnections, min(room, mostConnections)))
	return httpserver.Limits{Connections: all, Address: all / 2, Reserve: reservedConnections}
}

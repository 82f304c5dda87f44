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
	// fewestAttempts is how many attempts at webhook endpoints a process makes at a time,
	// however few descriptors it has.
	fewestAttempts = 4
)

// connectionLimits are how many connections a process takes that may have so many
// descriptors open: half of those that it does not need for itself, the other half is for
// webhooks and mail; of one address half of that.
func connectionLimits(descriptors uint64) httpserver.Limits {
	all := max(4*reservedConnections, min(halfOf(descriptors), mostConnections))
	return httpserver.Limits{Connections: all, Address: all / 2, Reserve: reservedConnections}
}

// halfOf is half of the descriptors that a process does not need for itself.
func halfOf(descriptors uint64) int {
	return (int(min(descriptors, math.MaxInt32)) - ownDescriptors) / 2
}

// attemptLimit is how many attempts at webhook endpoints a process makes at a time that may
// have so many descriptors open, and how many idle connections it keeps besides. Each is a
// third of the half that connections of clients leave. The rest is for looking names up, which
// takes a descriptor or two while an attempt connects, and for mail.
func attemptLimit(descriptors uint64) int { return max(fewestAttempts, halfOf(descriptors)/3) }

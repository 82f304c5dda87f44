package developer

import (
	"strings"
	"time"

	"portal/api/clock"
	"portal/api/redact"
)

// Client is a program that has come with a key to the tools. Older protocols let it
// tell its name only once, so it is known again by its User-Agent.
type Client struct {
	PortfolioID int64      `json:"-"`
	KeyID       string     `json:"key_id"`
	UserAgent   string     `json:"user_agent"`
	Name        string     `json:"name"`     // as it says itself; "" in what is kept of one that never said
	Version     string     `json:"version"`  // as are those two
	Protocol    string     `json:"protocol"` // the version last spoken
	FirstSeenAt clock.Time `json:"first_seen_at"`
	LastSeenAt  clock.Time `json:"last_seen_at"` // known within about a minute
}

// MaxClients is how many clients of a key are known; the one that was not seen for the
// longest time is forgotten for a new one.
const MaxClients = 50

// newAfter is how long nothing is noted when a client is seen again.
const newAfter = clock.Time(time.Minute / time.Millisecond)

// News reports whether a sight adds to what is known.
func (c Client) News(known Client) bool {
	with := known
	with.Add(c)
	return with.LastSeenAt-known.LastSeenAt >= newAfter || with.Name != known.Name ||
		with.Version != known.Version || with.Protocol != known.Protocol
}

// Add adds what another sight of the same client tells. One without a name leaves the
// name that is known.
func (c *Client) Add(sight Client) {
	if sight.Name != "" {
		c.Name, c.Version = sight.Name, sight.Version
	}
	if sight.Protocol != "" {
		c.Protocol = sight.Protocol
	}
	c.FirstSeenAt, c.LastSeenAt = min(c.FirstSeenAt, sight.FirstSeenAt), max(c.LastSeenAt, sight.LastSeenAt)
}

func (c *Client) fit() {
	c.Name, c.Version = redact.Line(c.Name, maxClient), redact.Line(c.Version, maxVersion)
	c.Protocol, c.UserAgent = redact.Line(c.Protocol, maxProtocol), redact.Line(c.UserAgent, maxUserAgent)
}

// size is about how much memory a sight takes, in bytes.
func (c *Client) size() int {
	const rest = 200
	return rest + len(c.Name) + len(c.Version) + len(c.UserAgent)
}

// clientKey is by what a client is known again.
type clientKey struct{ key, userAgent string }

// clientBatch are those of a batch, one a client, in the order in which clients came.
type clientBatch struct {
	all []Client
	at  map[clientKey]int
}

func (s *clientBatch) add(c Client) {
	k := clientKey{c.KeyID, c.UserAgent}
	if i, seen := s.at[k]; seen {
		s.all[i].Add(c)
		return
	}
	s.at[k] = len(s.all)
	s.all = append(s.all, c)
}

// product is the first product of a User-Agent (RFC 9110, 10.1.5) and its version: the
// name of a client that tells no other.
func product(userAgent string) (name, version string) {
	first, _, _ := strings.Cut(strings.TrimSpace(userAgent), " ")
	name, version, _ = strings.Cut(first, "/")
	return name, strings.TrimRight(version, ";,")
}

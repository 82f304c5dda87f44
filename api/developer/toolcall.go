package developer

import (
	"context"
	"encoding/json"
	"strings"
	"time"

	"portal/api/access"
	"portal/api/clock"
	"portal/api/list"
	"portal/api/redact"
	"portal/api/strictjson"
)

// ToolCall is a line of the record of what assistants did (docs/assistants.md). It never
// holds a secret, and no arguments or changes in full length.
type ToolCall struct {
	ID          string     `json:"id"`
	At          clock.Time `json:"at"`
	AccountID   string     `json:"account_id"`
	PortfolioID int64      `json:"-"`
	KeyID       string     `json:"key_id"`
	RequestID   string     `json:"request_id"` // shared by the calls of a batch

	// Who called, as it says itself. Client and ClientVersion may be "" where they are
	// recorded; where they are read they are as good as is known.
	Client        string `json:"client"`
	ClientVersion string `json:"client_version"`
	Protocol      string `json:"protocol"` // the version spoken, "" if not said
	UserAgent     string `json:"user_agent"`

	Tool      string        `json:"tool"`      // whether or not there is one of this name
	Arguments JSON          `json:"arguments"` // see Arguments
	DryRun    bool          `json:"dry_run"`
	Replayed  bool          `json:"replayed"`  // the answer is one that was given before
	Outcome   string        `json:"outcome"`   // Succeeded, or the code of the fault
	Message   string        `json:"message"`   // of the fault, "" on success
	RecordID  string        `json:"record_id"` // of what was changed or made, "" where nothing was
	Change    JSON          `json:"change"`    // see Changes; of a preview what would change
	Duration  time.Duration `json:"-"`         // until it was recorded
}

// Identity is the id of the call.
func (c *ToolCall) Identity() string { return c.ID }

// Revision is always the same: a call that was recorded does not change.
func (c *ToolCall) Revision() int64 { return 1 }

// Succeeded is the outcome of a call without a fault.
const Succeeded = "ok"

// How much of a call is kept.
const (
	maxArguments = 8 << 10  // bytes
	maxChange    = 16 << 10 // bytes
	maxClient    = 100      // characters, as are those that follow
	maxVersion   = 50
	maxProtocol  = 20
	maxUserAgent = 300
	maxTool      = 100
	maxMessage   = 500
)

// JSON is a JSON text that is kept and shown, "" for none.
type JSON string

// MarshalJSON is the text itself, or null.
func (j JSON) MarshalJSON() ([]byte, error) {
	if j == "" {
		return []byte("null"), nil
	}
	return []byte(j), nil
}

// Arguments are the arguments of a call as they are kept: without secrets, long texts
// shortened. nil is an object without members.
func Arguments(v *strictjson.Value) JSON { return JSON(redact.Value(v, maxArguments)) }

// Changes are the changes of a call as they are kept, of a JSON list of {field, from,
// to}; "" for an empty one.
func Changes(changes []byte) JSON {
	if s := string(changes); s == "" || s == "[]" {
		return ""
	}
	return JSON(redact.JSON(changes, maxChange))
}

// Fields are the names of the fields that a call has changed, or of a preview would
// change; not all where the change was too long to be kept whole.
func (c *ToolCall) Fields() (names []string) {
	var all []any
	_ = json.Unmarshal([]byte(c.Change), &all) // what is none has no fields
	for _, one := range all {
		if change, ok := one.(map[string]any); ok {
			if name, ok := change["field"].(string); ok {
				names = append(names, name)
			}
		}
	}
	return names
}

// within is the text, made to fit where it does not.
func (j JSON) within(most int) JSON {
	if len(j) <= most && (j == "" || json.Valid([]byte(j))) {
		return j
	}
	return JSON(redact.JSON([]byte(j), most))
}

// fit makes of a call what is kept.
func (c *ToolCall) fit() {
	c.Client, c.ClientVersion = redact.Line(c.Client, maxClient), redact.Line(c.ClientVersion, maxVersion)
	c.Protocol, c.UserAgent = redact.Line(c.Protocol, maxProtocol), redact.Line(c.UserAgent, maxUserAgent)
	c.Tool, c.Message = redact.Line(c.Tool, maxTool), redact.Line(c.Message, maxMessage)
	c.Arguments, c.Change = c.Arguments.within(maxArguments), c.Change.within(maxChange)
}

// size is about how much memory a call takes, in bytes.
func (c *ToolCall) size() int {
	const rest = 400
	return rest + len(c.Client) + len(c.ClientVersion) + len(c.UserAgent) + len(c.Tool) + len(c.Arguments) +
		len(c.Message) + len(c.Change)
}

// sight is what a call tells of its client.
func (c *ToolCall) sight() Client {
	return Client{
		PortfolioID: c.PortfolioID,
		KeyID:       c.KeyID,
		UserAgent:   c.UserAgent,
		Name:        c.Client,
		Version:     c.ClientVersion,
		Protocol:    c.Protocol,
		FirstSeenAt: c.At,
		LastSeenAt:  c.At,
	}
}

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

// CallFilter narrows a list of calls. Its zero value is the latest ones of all.
type CallFilter struct {
	Limit         int    // 1 to 100; 0 is 20
	StartingAfter string // the next_cursor of the page before
	Ascending     bool   // the oldest first
	KeyID         string
	Tool          string
	Result        Result
	DryRun        *bool       // previews, or all but those
	Saved         bool        // only what has changed something
	From, To      *clock.Time // from the one on, before the other
}

// Result parts calls that succeeded from those that failed.
type Result string

// The results; "" is either.
const (
	OK     Result = "ok"
	Failed Result = "failed"
)

// Values are all results.
func (Result) Values() []string { return []string{string(OK), string(Failed)} }

// ToolCalls lists what assistants did, the newest first unless the filter says otherwise.
func (s *Service) ToolCalls(ctx context.Context, by access.Actor, f CallFilter) (*list.Page[ToolCall], error) {
	if f.Limit == 0 {
		f.Limit = list.Default
	}
	f.Limit = max(1, min(f.Limit, list.Max))
	rows, err := s.store.ToolCalls(ctx, by.Portfolio, f)
	for i := range rows {
		rows[i].introduce()
	}
	return list.Of(rows, f.Limit, func(c *ToolCall) string { return c.ID }), err
}

// ToolCall is one call.
func (s *Service) ToolCall(ctx context.Context, by access.Actor, id string) (*ToolCall, error) {
	c, err := s.store.ToolCall(ctx, by.Portfolio, id)
	c.introduce()
	if err != nil {
		return nil, err
	}
	return &c, nil
}

// Clients are the programs that come to the tools with a key, or for "" with any key of
// the portfolio, the one that was seen last first.
func (s *Service) Clients(ctx context.Context, by access.Actor, keyID string) ([]Client, error) {
	const most = 500
	all, err := s.store.Clients(ctx, by.Portfolio, keyID, most)
	for i := range all {
		if all[i].Name == "" {
			all[i].Name, all[i].Version = product(all[i].UserAgent)
		}
	}
	return all, err
}

// introduce names the client of a call by its User-Agent where it never said its name.
func (c *ToolCall) introduce() {
	if c.Client == "" {
		c.Client, c.ClientVersion = product(c.UserAgent)
	}
}

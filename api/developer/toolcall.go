package developer

import (
	"encoding/json"
	"time"

	"portal/api/clock"
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

package mcp

import (
	"context"
	"encoding/json"

	"portal/api/change"
	"portal/api/clock"
	"portal/api/developer"
	"portal/api/id"
	"portal/api/operation"
	"portal/api/strictjson"
)

// greet notes who has opened a conversation, for the calls that follow without a name.
func (x *request) greet(client *strictjson.Value, version string) {
	x.endpoint.Activity.See(developer.Client{
		PortfolioID: x.req.Caller.Portfolio.ID,
		KeyID:       x.req.Caller.Key.ID,
		UserAgent:   x.req.HTTP.UserAgent(),
		Name:        client.Member("name").Text,
		Version:     client.Member("version").Text,
		Protocol:    version,
		LastSeenAt:  clock.At(x.req.Began),
	})
}

// noted is the call as it is recorded, with what came of it.
func (c *call) noted(outcome string) developer.ToolCall {
	caller := c.request.req.Caller
	n := developer.ToolCall{
		ID:          id.New(id.Call, c.began),
		At:          clock.At(c.began),
		AccountID:   caller.AccountID,
		PortfolioID: caller.Portfolio.ID,
		KeyID:       caller.Key.ID,
		RequestID:   c.request.req.ID,
		UserAgent:   c.request.req.HTTP.UserAgent(),
		Protocol:    c.request.header,
		Tool:        c.name,
		Arguments:   developer.Arguments(c.args),
		DryRun:      c.dry,
		Replayed:    c.replayed,
		Outcome:     outcome,
		Duration:    max(c.request.req.Now().Sub(c.began), 0),
	}
	if info := c.message.member(meta, metaClient); info != nil {
		n.Client, n.ClientVersion = info.Member("name").Text, info.Member("version").Text
	}
	if c.outcome != nil {
		n.Change = developer.Changes(changes(c.tool.Preview(c.outcome)))
		if !c.dry || c.outcome.Earlier() != nil { // a dry run gives its record another id
			n.RecordID = recordOf(c.outcome)
		}
	}
	return n
}

func recordOf(w change.Outcome) string {
	if r, is := w.Shown().(interface{ Identity() string }); is {
		return r.Identity()
	}
	return ""
}

// keep records a write with its change, in its transaction.
func (c *call) keep(ctx context.Context) error {
	c.kept = true
	return c.request.endpoint.Activity.Keep(ctx, c.noted(developer.Succeeded))
}

// done records a call that has succeeded, if it was not recorded with its change.
func (c *call) done() {
	if !c.kept {
		c.request.endpoint.Activity.Record(c.noted(developer.Succeeded))
	}
}

// failed records a call that was refused.
func (c *call) failed(code, message string) {
	c.outcome = nil
	n := c.noted(code)
	n.Message = message
	c.request.endpoint.Activity.Record(n)
}

// changes is what a write has changed, as JSON.
func changes(p *operation.Preview) []byte {
	type field struct {
		Field string          `json:"field"`
		From  json.RawMessage `json:"from"`
		To    json.RawMessage `json:"to"`
	}
	all := make([]field, len(p.Changes))
	for i, c := range p.Changes {
		all[i] = field{c.Field, c.From.AppendJSON(nil), c.To.AppendJSON(nil)}
	}
	return marshal(all)
}

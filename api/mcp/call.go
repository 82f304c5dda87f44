package mcp

import (
	"context"
	"crypto/rand"
	"crypto/sha256"
	"fmt"
	"runtime/debug"
	"slices"
	"strconv"
	"strings"
	"time"

	"portal/api/access"
	"portal/api/change"
	"portal/api/fault"
	"portal/api/idempotency"
	"portal/api/operation"
	"portal/api/redact"
	"portal/api/strictjson"
	"portal/api/texts"
)

// call is one call of a tool.
type call struct {
	request *request
	message *message
	name    string
	tool    *operation.Tool
	args    *strictjson.Value // an object, or nil
	dry     bool
	began   time.Time

	outcome  change.Outcome // of a write or of its preview
	preview  *operation.Preview
	kept     bool // recorded with the change, in its transaction
	replayed bool
}

// callTool answers tools/call. What a tool refuses is a result that says so.
func (x *request) callTool(b []byte, m *message, newer bool) ([]byte, *problem) {
	c, p := x.callOf(m)
	if p != nil {
		return b, p
	}
	scratch := buffers.Get().(*[]byte)
	defer buffers.Put(scratch)
	ctx := change.WithRefusable(access.With(x.req.HTTP.Context(), x.actor))
	answer, err := c.contained(ctx, (*scratch)[:0])
	b = open(b, m)
	if err != nil {
		return append(c.refused(b, err, newer), '}'), nil
	}
	c.done()
	if cap(answer) > cap(*scratch) && cap(answer) <= keptBuffer {
		*scratch = answer
	}
	return append(c.answered(b, answer, newer), '}'), nil
}

// callOf is the call that a message asks for. One that no tool takes is recorded too.
func (x *request) callOf(m *message) (*call, *problem) {
	name, args := m.member("name"), m.member("arguments")
	if kindOf(name) != strictjson.Text {
		return nil, &problem{code: invalidParams, message: "params.name must be the name of a tool."}
	}
	c := &call{
		request: x,
		message: m,
		name:    name.Text,
		tool:    x.endpoint.byName[name.Text],
		began:   x.req.Now(),
	}
	if kindOf(args) != strictjson.Null {
		c.args = args
	}
	switch {
	case c.tool == nil:
		return nil, c.rejected(fault.NoRecord, x.endpoint.unknownTool(name.Text))
	case c.args != nil && c.args.Kind != strictjson.Object:
		return nil, c.rejected(fault.InvalidField, "params.arguments must be an object, not "+string(args.Kind)+".")
	}
	if c.tool.Secrets != nil {
		x.req.Secrets = append(x.req.Secrets, c.tool.Secrets)
	}
	x.req.Keep = x.req.Keep || c.tool.Changes // every message is a POST: a tool that only reads is no write
	c.dry = isTrue(c.args, "dry_run")
	return c, nil
}

// unknownTool says that a tool does not exist, and which one is nearest.
func (e *Endpoint) unknownTool(asked string) string {
	names := make([]string, len(e.tools))
	for i, t := range e.tools {
		names[i] = t.Name
	}
	shown := strconv.Quote(redact.Text(texts.Clip(asked, longestName)))
	if near := operation.Nearest(asked, names); near != "" {
		return "Unknown tool " + shown + "; did you mean " + near + "?"
	}
	return "Unknown tool " + shown + ": call tools/list for those that this key may call."
}

// longestName is how much of a name that is not known a message repeats, in characters.
const longestName = 60

// rejected records a call that reached no tool, and is its error.
func (c *call) rejected(code fault.Code, message string) *problem {
	c.failed(string(code), message)
	return &problem{code: invalidParams, message: message}
}

func isTrue(args *strictjson.Value, name string) bool {
	return args != nil && args.Member(name) != nil && args.Member(name).Equal(strictjson.Value{
		Kind: strictjson.Boolean,
		Text: "true",
	})
}

// contained turns a panic into a fault, so that the other messages of a batch are served.
func (c *call) contained(ctx context.Context, scratch []byte) (answer []byte, err error) {
	defer func() {
		if caught := recover(); caught != nil {
			err = fmt.Errorf("panic: %v\n%s", caught, debug.Stack())
		}
	}()
	return c.run(ctx, scratch)
}

// run answers with the structured content, behind what it is given.
func (c *call) run(ctx context.Context, b []byte) ([]byte, error) {
	if err := c.permitted(); err != nil {
		return nil, err
	}
	in, err := c.tool.Decode(c.args, c.request.endpoint.Portfolio.Today(*c.request.actor))
	if err != nil {
		return nil, err
	}
	switch {
	case !c.tool.Changes:
		out, err := c.tool.Call(ctx, in)
		if err != nil {
			return nil, c.tool.Blame(err)
		}
		return c.tool.Render(b, out), nil
	case c.dry:
		return c.dryRun(ctx, in)
	}
	return c.once(ctx, in)
}

// permitted refuses a key without the tool's scope.
func (c *call) permitted() error {
	if c.tool.Changes && c.request.req.Caller.Portfolio.Mode == access.Test {
		return fault.New(fault.TestKeyReadOnly,
			"%s needs a live key with the scope %s; a test key only reads here, whatever its scopes.",
			c.tool.Name, c.tool.Scope)
	}
	return c.request.actor.Need(c.tool.Scope)
}

// perform does the write.
func (c *call) perform(ctx context.Context, in any) (change.Outcome, error) {
	out, err := c.tool.Call(ctx, in)
	if err != nil {
		return nil, c.tool.Blame(err)
	}
	c.outcome = out.(change.Outcome)
	return c.outcome, nil
}

// dryRun answers with the record as it would be, and what would change of it.
func (c *call) dryRun(ctx context.Context, in any) (answer []byte, err error) {
	err = change.DryRun(ctx, c.request.endpoint.Store, func(ctx context.Context) error {
		w, err := c.perform(ctx, in)
		if err == nil {
			c.preview = c.tool.Preview(w)
			answer = c.tool.RenderWrite(nil, w, c.preview)
		}
		return err
	})
	return answer, err
}

// once does the write and records it in one transaction, at most once for each
// idempotency_key.
func (c *call) once(ctx context.Context, in any) ([]byte, error) {
	key := ""
	if v := c.args.Member("idempotency_key"); v != nil {
		key = v.Text
	}
	if key == "" {
		a, err := c.write(ctx, in)
		return a.Body, err
	}
	a, err := c.request.endpoint.Idempotency.Once(ctx, c.request.actor.Portfolio, idempotency.Claim{
		KeyID: c.request.req.Caller.Key.ID, Key: key, Fingerprint: c.fingerprint(),
	}, func(ctx context.Context) (idempotency.Answer, error) { return c.write(ctx, in) })
	c.replayed = a.Replayed
	if fault.Is(err, fault.IdempotencyKeyReused) {
		err = fault.From(err).At("idempotency_key")
	}
	return a.Body, err
}

// fingerprint is of what the call asks for; that it is no preview goes without saying.
func (c *call) fingerprint() [sha256.Size]byte {
	asked := strictjson.Value{
		Kind: strictjson.Object,
		Members: slices.DeleteFunc(
			slices.Clone(c.args.Members),
			func(m strictjson.Member) bool { return m.Name == "dry_run" },
		),
	}
	return idempotency.Fingerprint("tools/call", c.tool.Name, string(asked.Canonical(nil)))
}

func (c *call) write(ctx context.Context, in any) (a idempotency.Answer, err error) {
	err = c.request.endpoint.Store.Exclusively(ctx, c.request.actor.Portfolio, func(ctx context.Context) error {
		w, err := c.perform(ctx, in)
		if err != nil {
			return err
		}
		a.Body = c.tool.RenderWrite(nil, w, nil)
		return c.keep(ctx)
	})
	return a, err
}

// answered appends a result: the JSON as it is, and as a text for assistants, in which the
// words of people outside the account are marked.
func (c *call) answered(b, answer []byte, newer bool) []byte {
	scratch := buffers.Get().(*[]byte)
	text := c.tool.Fenced((*scratch)[:0], answer, c.preview, rand.Text()[:operation.TokenLength])
	b = strictjson.AppendString(append(b, `{"content":[{"type":"text","text":`...), text)
	if cap(text) <= keptBuffer {
		*scratch = text
	}
	buffers.Put(scratch)
	b = append(append(append(b, `}],"structuredContent":`...), answer...), `,"isError":false`...)
	switch {
	case newer && c.replayed:
		b = append(
			append(
				append(b, `,"resultType":"complete","_meta":{"idempotent_replayed":true,`...),
				c.request.endpoint.stamp...),
			'}',
		)
	case newer:
		b = append(append(append(b, `,"resultType":"complete","_meta":{`...), c.request.endpoint.stamp...), '}')
	case c.replayed:
		b = append(b, `,"_meta":{"idempotent_replayed":true}`...)
	}
	return append(b, '}')
}

// refused appends a result that says why a tool did nothing, and what to do.
func (c *call) refused(b []byte, err error, newer bool) []byte {
	f := c.request.req.Note(fault.From(err))
	c.failed(string(f.Code), f.Message)
	b = strictjson.AppendString(append(b, `{"content":[{"type":"text","text":`...), sentence(f))
	e := f.Code.Entry()
	b = append(append(b, `}],"isError":true,"_meta":{"type":"`...), e.Type...)
	b = append(append(append(b, `","code":"`...), e.Code...), `","param":`...)
	if f.Param == "" {
		b = append(b, "null"...)
	} else {
		b = strictjson.AppendString(b, f.Param)
	}
	b = append(append(append(b, `,"request_id":"`...), c.request.req.ID...), '"')
	if newer {
		return append(append(append(b, ','), c.request.endpoint.stamp...), `},"resultType":"complete"}`...)
	}
	return append(b, '}', '}')
}

// sentence says what is wrong, all of it at once where several arguments are.
func sentence(f *fault.Error) string {
	const most = 5
	if len(f.Details) < 2 {
		return f.Message
	}
	var all []string
	for _, d := range f.Details[:min(len(f.Details), most)] {
		all = append(all, strings.TrimRight(d.Message, ".?"))
	}
	return strings.Join(all, "; ") + "."
}

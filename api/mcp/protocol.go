package mcp

import (
	"net/http"
	"sync"

	"portal/api/fault"
	"portal/api/strictjson"
)

// buffers are for answers.
var buffers = sync.Pool{New: func() any { return new([]byte) }}

// keptBuffer is the largest buffer that is kept.
const keptBuffer = 256 << 10

// protocol answers the messages of a request that may be served.
func (x *request) protocol(broken error) error {
	buffer := buffers.Get().(*[]byte)
	body, status := x.reply((*buffer)[:0], broken)
	x.req.Send(status, body)
	if cap(body) <= keptBuffer {
		*buffer = body
		buffers.Put(buffer)
	}
	return nil
}

// reply appends what is answered; nothing where only notifications were sent.
func (x *request) reply(b []byte, broken error) ([]byte, int) {
	var p *problem
	x.header, p = declared(x.req.HTTP.Header)
	switch {
	case p != nil:
	case broken != nil:
		p = &problem{code: parseError, message: fault.From(broken).Message, status: http.StatusBadRequest}
	case x.body.Kind == strictjson.Array:
		return x.batch(b)
	default:
		return x.alone(b)
	}
	return x.fail(p, b, nil, x.header == modern), p.status
}

// fail appends what is wrong in the protocol. The log keeps what was sent, as of any error.
func (x *request) fail(p *problem, b, id []byte, newer bool) []byte {
	x.req.Keep = true
	return p.append(b, id, newer)
}

// alone answers a single message, whose problems have HTTP's status too.
func (x *request) alone(b []byte) ([]byte, int) {
	start := len(b)
	b, p := x.message(b, &x.body, false)
	switch {
	case p != nil && p.status != 0:
		return b, p.status
	case len(b) == start:
		return b, http.StatusAccepted
	}
	return b, http.StatusOK
}

// batch answers messages one after another, in their order. One that is bad fails alone.
func (x *request) batch(b []byte) ([]byte, int) {
	x.req.Operation = "mcp:batch"
	n := len(x.body.Items)
	if p := x.unfit(n); p != nil {
		return x.fail(p, b, nil, x.header == modern), p.status
	}
	start := len(b)
	for i := range n {
		mark := len(b)
		b = append(b, ',')
		if b, _ = x.message(b, &x.body.Items[i], true); len(b) == mark+1 {
			b = b[:mark] // a notification
		}
	}
	if len(b) == start {
		return b, http.StatusAccepted
	}
	b[start] = '['
	return append(b, ']'), http.StatusOK
}

// unfit says why no message of a batch is served.
func (x *request) unfit(n int) *problem {
	switch {
	case n == 0:
		return invalidRequest("a batch has 1 to %d messages, not 0; send at least one message", mostMessages)
	case n > mostMessages:
		return invalidRequest(
			"a batch has 1 to %d messages, not %d; send them in %d requests of at most %d messages each",
			mostMessages,
			n,
			(n+mostMessages-1)/mostMessages,
			mostMessages,
		)
	case x.header == modern:
		return invalidRequest("the revision %s has no batches; send each message in a request of its own", modern)
	case x.header != "" && !known(x.header):
		return unsupported(x.header)
	}
	return nil
}

// message appends the answer to one message, nothing to a notification.
func (x *request) message(b []byte, v *strictjson.Value, batched bool) ([]byte, *problem) {
	m, p := read(v)
	newer := m.isModern(x.header)
	switch {
	case p != nil:
	case newer && batched:
		p = invalidRequest("the revision %s has no batches; send each message in a request of its own", modern)
	case newer:
		p = m.envelope(x.req.HTTP.Header, x.header)
	default:
		p = m.outdated(x.header)
	}
	if p == nil && m.id == nil && v.Member("id") == nil {
		return b, nil // whatever it tells, nothing depends on it
	}
	start := len(b)
	if p == nil {
		if !batched {
			x.req.Operation = operationOf(&m)
		}
		b, p = x.dispatch(b, &m, newer)
	}
	if p != nil {
		b = x.fail(p, b[:start], m.id, newer)
	}
	return b, p
}

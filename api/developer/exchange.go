package developer

import (
	"bytes"
	"context"
	_ "embed"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"time"

	"github.com/klauspost/compress/flate"
	"github.com/klauspost/compress/s2"

	"portal/api/access"
	"portal/api/clock"
	"portal/api/fault"
	"portal/api/redact"
	"portal/api/secret"
	"portal/api/texts"
)

// ExchangeTime is how long the headers and bodies of a request are kept (docs/operations.md).
const ExchangeTime = 30 * 24 * time.Hour

// How much of a request or an answer is kept, in bytes: of its headers together, of one
// header, and of its body.
const (
	maxHeaders = 16 << 10
	maxHeader  = 2 << 10
	maxBody    = 16 << 10
	maxTarget  = 4 << 10
)

// ExchangePurpose is what exchanges are sealed for.
const ExchangePurpose = "request_exchange"

// Header is a line of the head of a message.
type Header struct {
	Name, Value string
	Hidden      bool // a secret was taken out of the value
	Cut         bool // the end is missing
}

// Message is a request or an answer as it is kept.
type Message struct {
	Headers []Header // in the order of their names
	Body    redact.Kept
	Size    int64 // of the body as it was sent, -1 where nobody knows
	Unread  bool  // the body was refused before it was read, and is not kept
}

// Exchange is what was sent with a request and with its answer, without secrets.
type Exchange struct {
	Target  redact.Kept // path and query, as they were sent
	Request Message
	Answer  Message
}

// SentMessage is a request or an answer as it was sent, secrets included. Nobody writes to
// it any more.
type SentMessage struct {
	Headers []Header
	Body    []byte
	Size    int64
	Unread  bool
}

// Sent is a request and its response before redaction.
type Sent struct {
	Target  string
	Request SentMessage
	Answer  SentMessage
}

// size is about how much memory it takes, in bytes.
func (s *Sent) size() int {
	const rest = 200
	n := rest + len(s.Target) + cap(s.Request.Body) + cap(s.Answer.Body)
	for _, all := range [][]Header{s.Request.Headers, s.Answer.Headers} {
		for i := range all {
			n += 40 + len(all[i].Name) + len(all[i].Value)
		}
	}
	return n
}

// exchange is what is kept of it.
func (s *Sent) exchange() Exchange {
	e := Exchange{Request: s.Request.kept(), Answer: s.Answer.kept()}
	e.Target.Text = redact.Query(s.Target)
	e.Target.Hidden = e.Target.Text != s.Target
	if len(e.Target.Text) > maxTarget {
		e.Target.Text, e.Target.Cut = texts.ClipBytes(e.Target.Text, maxTarget), true
	}
	return e
}

func (m *SentMessage) kept() Message {
	k := Message{
		Size:    m.Size,
		Unread:  m.Unread,
		Body:    redact.Body(m.Body, maxBody),
		Headers: make([]Header, 0, len(m.Headers)),
	}
	room := maxHeaders
	for _, h := range m.Headers {
		v := redact.Header(h.Name, h.Value, maxHeader)
		if room -= len(h.Name) + len(v.Text); room < 0 {
			break
		}
		k.Headers = append(k.Headers, Header{h.Name, v.Text, v.Hidden, v.Cut})
	}
	return k
}

// SealedExchange is an exchange as it is stored: compressed and encrypted.
type SealedExchange struct {
	RequestID   string
	PortfolioID int64
	Sealed      []byte
}

// exchangeSealer compresses and seals exchanges, one after another.
type exchangeSealer struct {
	box    *secret.Box
	words  *s2.Dict
	plain  []byte
	packed []byte
}

// The first byte of what is sealed says how it is encoded. S2 takes a tenth of the time of
// deflate for an eighth more bytes. What was deflated is read until it is deleted.
const (
	exchangeDeflated = 1
	exchangeS2       = 2
)

// mostPlain is more than an exchange takes before it is compressed, in bytes.
const mostPlain = 4*maxHeaders + 2*maxBody + maxTarget + 4096

func (p *exchangeSealer) seal(s *Sent) []byte {
	e := s.exchange()
	p.plain = e.encode(p.plain[:0])
	if most := 1 + s2.MaxEncodedLen(len(p.plain)); cap(p.packed) < most {
		p.packed = make([]byte, most)
	}
	p.packed = p.packed[:cap(p.packed)]
	p.packed[0] = exchangeS2
	packed := p.words.Encode(p.packed[1:], p.plain)
	return p.box.Seal(ExchangePurpose, string(p.packed[:1+len(packed)]))
}

// openExchange reads what was sealed.
func openExchange(box *secret.Box, sealed []byte) (e Exchange, err error) {
	packed, err := box.Open(ExchangePurpose, sealed)
	if err != nil {
		return e, fmt.Errorf("open an exchange: %w", err)
	}
	plain, err := unpackExchange(packed)
	if err != nil {
		return e, fmt.Errorf("unpack an exchange: %w", err)
	}
	r := &fields{b: plain}
	e = r.exchange()
	return e, r.err
}

func unpackExchange(packed string) ([]byte, error) {
	if packed == "" {
		return nil, errors.New("it is empty")
	}
	body := []byte(packed[1:])
	switch packed[0] {
	case exchangeDeflated:
		return io.ReadAll(io.LimitReader(flate.NewReaderDict(bytes.NewReader(body), []byte(exchangeWords)), mostPlain))
	case exchangeS2:
		if size, err := s2.DecodedLen(body); err != nil || size > mostPlain {
			return nil, errors.Join(errors.New("its size is wrong"), err)
		}
		return exchangeDict().Decode(nil, body)
	}
	return nil, errors.New("its form is unknown")
}

// encode writes the fields one after another, texts and lists behind their lengths.
func (e *Exchange) encode(b []byte) []byte {
	b = appendKept(b, &e.Target)
	for _, m := range []*Message{&e.Request, &e.Answer} {
		b = binary.AppendUvarint(b, uint64(len(m.Headers)))
		for i := range m.Headers {
			h := &m.Headers[i]
			b = appendText(b, h.Name)
			b = appendKept(b, &redact.Kept{Text: h.Value, Hidden: h.Hidden, Cut: h.Cut})
		}
		b = appendKept(b, &m.Body)
		b = binary.AppendVarint(b, m.Size)
		b = append(b, flags(m.Unread, false))
	}
	return b
}

func appendText(b []byte, s string) []byte {
	return append(binary.AppendUvarint(b, uint64(len(s))), s...)
}

func appendKept(b []byte, k *redact.Kept) []byte {
	return append(appendText(b, k.Text), flags(k.Hidden, k.Cut))
}

func flags(one, two bool) (b byte) {
	if one {
		b = 1
	}
	if two {
		b |= 2
	}
	return b
}

// fields reads what encode has written.
type fields struct {
	b   []byte
	err error
}

var errIncomplete = errors.New("an exchange is incomplete")

func (f *fields) exchange() (e Exchange) {
	e.Target = f.kept()
	for _, m := range []*Message{&e.Request, &e.Answer} {
		n := f.uvarint()
		for range min(n, uint64(len(f.b))) {
			name, v := f.text(), f.kept()
			m.Headers = append(m.Headers, Header{name, v.Text, v.Hidden, v.Cut})
		}
		m.Body, m.Size = f.kept(), f.varint()
		m.Unread = f.flags()&1 != 0
	}
	return e
}

func (f *fields) uvarint() uint64 {
	v, n := binary.Uvarint(f.b)
	return taken(f, v, n)
}

func (f *fields) varint() int64 {
	v, n := binary.Varint(f.b)
	return taken(f, v, n)
}

func taken[T any](f *fields, v T, n int) T {
	if n <= 0 {
		f.b, f.err = nil, errIncomplete
		return *new(T)
	}
	f.b = f.b[n:]
	return v
}

func (f *fields) text() string {
	n := f.uvarint()
	if n > uint64(len(f.b)) {
		f.b, f.err = nil, errIncomplete
		return ""
	}
	s := string(f.b[:n])
	f.b = f.b[n:]
	return s
}

func (f *fields) flags() (b byte) {
	if len(f.b) == 0 {
		f.err = errIncomplete
		return 0
	}
	b, f.b = f.b[0], f.b[1:]
	return b
}

func (f *fields) kept() redact.Kept {
	k := redact.Kept{Text: f.text()}
	b := f.flags()
	k.Hidden, k.Cut = b&1 != 0, b&2 != 0
	return k
}

// ExchangeStore keeps sealed exchanges.
type ExchangeStore interface {
	// SealedExchange finds that of a request of a portfolio.
	SealedExchange(ctx context.Context, in access.Portfolio, requestID string) (sealed []byte, found bool, err error)
}

// Exchanges reads what was sent with requests.
type Exchanges struct {
	Store ExchangeStore
	Box   *secret.Box
	Now   clock.Clock
}

// Exchange is what was sent with a request of the log and with its answer: of a write or an
// error of the last 30 days. nil says that nothing was kept. Who may read the request may
// read it.
func (x Exchanges) Exchange(ctx context.Context, r *Request) (*Exchange, error) {
	if r.PortfolioID == 0 || r.At < clock.At(x.Now().Add(-ExchangeTime)) {
		return nil, nil //nolint:nilnil // most requests have none, which is no fault
	}
	sealed, found, err := x.Store.SealedExchange(ctx, access.Portfolio{ID: r.PortfolioID}, r.ID)
	if err != nil || !found {
		return nil, err
	}
	e, err := openExchange(x.Box, sealed)
	if err != nil {
		return nil, fault.Of(fault.Internal).Because(err)
	}
	return &e, nil
}

// exchangeFields are the names of fields that came after the words. go generate ./api/operation puts new ones
// first: what is sealed counts from the end, and so from where the words begin.
//
//go:embed exchangefields.txt
var exchangeFields string

// exchangeDict are the words, and around them later fields and the heads of an exchange as they are encoded.
func exchangeDict() *s2.Dict {
	heads := Exchange{Request: Message{Headers: usualHead(
		"Accept", "*/*", "Accept-Encoding", "gzip", "Authorization", "Bearer sk_live_pm_", "Content-Length", "18",
		"Content-Type", "application/json", "Idempotency-Key", "", "User-Agent", "python-requests/2.",
	)}, Answer: Message{Headers: usualHead(
		"Cache-Control", "no-store", "Content-Length", "4", "Content-Type", "application/json", "ETag", `"2"`,
		"Strict-Transport-Security", "max-age=63072000; includeSubDomains", "X-Content-Type-Options", "nosniff",
		"X-RateLimit-Limit", "600", "X-RateLimit-Remaining", "599", "X-RateLimit-Reset", "17",
		"X-Request-Id", "req_01",
	)}}
	return s2.MakeDictManual(heads.encode([]byte(exchangeFields+exchangeWords)), uint16(len(exchangeFields)))
}

func usualHead(lines ...string) (all []Header) {
	for line := range slices.Chunk(lines, 2) {
		all = append(all, Header{Name: line[0], Value: line[1]})
	}
	return all
}

// exchangeWords are what exchanges are made of, the most frequent at the end. What is sealed can only be read with the
// very same words: to change them, the form has to change too.
var exchangeWords = strings.ReplaceAll(exchangeLines, "\n", "")

//go:embed exchangewords.txt
var exchangeLines string

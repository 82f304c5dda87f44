package compress

import (
	"bytes"
	"io"
	"runtime"
	"sync"

	"github.com/andybalholm/brotli"
	"github.com/klauspost/compress/gzip"
)

// Fast compresses a body that is made for one request, with gzip at its quickest level:
// what brotli saves there is not worth its time and memory.
func Fast(body []byte) []byte {
	w := <-writers
	defer func() { writers <- w }()
	if w == nil {
		w, _ = gzip.NewWriterLevel(nil, gzip.BestSpeed) // fails only for an unknown level
	}
	return encode(w, body)
}

// writers are those of Fast, made when they are needed. Each has about 1 MB, so there are no
// more of them than can run at a time. A body is compressed whole before its first byte
// leaves: no slow client holds one.
var writers = func() chan *gzip.Writer {
	all := make(chan *gzip.Writer, runtime.GOMAXPROCS(0))
	for range cap(all) {
		all <- nil
	}
	return all
}()

// encoder is a writer that can be given another target.
type encoder interface {
	io.WriteCloser
	Reset(to io.Writer)
}

func encode(w encoder, body []byte) []byte {
	var b bytes.Buffer
	b.Grow(len(body)/4 + 64)
	w.Reset(&b)
	_, _ = w.Write(body) // a buffer takes everything
	_ = w.Close()
	return b.Bytes()
}

// The levels for what is compressed once: small, and made in some ten milliseconds for
// 100 KB.
const (
	brotliLevel = 9
	gzipLevel   = gzip.BestCompression
)

// Document is a body that is sent as it is many times. Each encoding of it is made once,
// when it is first asked for.
type Document struct {
	plain  []byte
	brotli func() []byte
	gzip   func() []byte
}

// NewDocument makes the document of a body that nobody changes any more.
func NewDocument(body []byte) *Document {
	return &Document{
		plain:  body,
		brotli: sync.OnceValue(func() []byte { return encode(brotli.NewWriterLevel(nil, brotliLevel), body) }),
		gzip: sync.OnceValue(func() []byte {
			w, _ := gzip.NewWriterLevel(nil, gzipLevel) // fails only for an unknown level
			return encode(w, body)
		}),
	}
}

// In is the body in an encoding, "" for none. Nobody may change it.
func (d *Document) In(e Encoding) []byte {
	switch e {
	case Brotli:
		return d.brotli()
	case Gzip:
		return d.gzip()
	}
	return d.plain
}

package rest

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io"
	"slices"
	"strings"
	"time"

	"portal/api/fault"
	"portal/api/intake"
	"portal/api/middleware"
	"portal/api/strictjson"
	"portal/api/texts"
)

// Bounds of a body with a file, beside the file.
const (
	largestFields = 256 << 10        // of the fields
	envelope      = 64 << 10         // what stands around them
	filesAtOnce   = 2                // are read at a time
	filesWait     = 10 * time.Second // for the turn of one
	longestName   = 120
)

// files lets a few files in at a time, one of each account: none keeps the others waiting alone.
type files struct {
	gate *intake.Gate
	own  *intake.Queues
}

func newFiles(wait time.Duration) files {
	return files{intake.NewGate(filesAtOnce, wait), intake.NewQueues(1, wait)}
}

func (f files) enter(ctx context.Context, account string) (leave func(), err error) {
	own, err := f.own.Enter(ctx, account)
	if err != nil {
		return nil, err
	}
	all, err := f.gate.Enter(ctx)
	if err != nil {
		own()
		return nil, err
	}
	return func() { all(); own() }, nil
}

// sentFile is the file of a request, until it is answered.
type sentFile struct {
	*intake.File
	name string
	sum  [sha256.Size]byte
}

// fileOf is the file of the request.
func fileOf(ctx context.Context) *sentFile { return ctx.Value(requestKey{}).(*request).file }

// parts reads a body of multipart/form-data, its file onto the disk, and gives the rest of it as the JSON object of
// its fields. The file's is its name, size and checksum: so a request is the same one however its parts are divided.
func (x *request) parts() ([]byte, error) {
	leave, err := x.api.files.enter(x.req.HTTP.Context(), x.req.Caller.AccountID)
	if err != nil {
		return nil, err
	}
	x.closing = append(x.closing, leave)
	body, room := strictjson.Value{Kind: strictjson.Object}, int64(largestFields)
	err = x.req.Parts(x.op.File.Largest+largestFields+envelope, x.tooLarge(), func(p middleware.Part) error {
		if body.Member(p.Name) != nil {
			return fault.New(fault.InvalidField, "%s is given more than once; send it once.", texts.Clip(p.Name, 60)).
				At(texts.Clip(p.Name, 60))
		}
		if len(body.Members) == mostParts {
			return fault.New(
				fault.InvalidField,
				"The request has more than %d parts. Send %s.",
				mostParts,
				listed(x.op.BodyFields()),
			)
		}
		value, err := x.part(p, &room)
		if err == nil {
			body.Members = append(body.Members, strictjson.Member{Name: p.Name, Value: value})
		}
		return err
	})
	if err != nil || len(body.Members) == 0 {
		return nil, err
	}
	text := body.Canonical(nil)
	x.req.Sends(text)
	return text, nil
}

// mostParts bounds the parts of a request, which has two or three that are known.
const mostParts = 10

// listed are at least two words as a sentence lists them.
func listed(words []string) string {
	last := len(words) - 1
	return strings.Join(words[:last], ", ") + " and " + words[last]
}

func (x *request) tooLarge() error {
	return fault.New(fault.BodyTooLarge, "The file is larger than %d MB. %s", x.op.File.Largest>>20, x.op.File.Advice).
		At("file")
}

// part reads a part: the file, or JSON.
func (x *request) part(p middleware.Part, room *int64) (strictjson.Value, error) {
	if p.Name == "file" {
		return x.takeFile(p)
	}
	text, err := io.ReadAll(io.LimitReader(p, *room+1))
	if *room -= int64(len(text) + len(p.Name)); err != nil {
		return strictjson.Value{}, err
	}
	if *room < 0 {
		return strictjson.Value{}, fault.New(fault.BodyTooLarge, "Beside the file, a request may have at most %d KB.",
			largestFields>>10)
	}
	if !slices.Contains(x.op.BodyFields(), p.Name) { // no such part is known, and it is said so
		return strictjson.Value{Kind: strictjson.Text}, nil
	}
	value, err := strictjson.Parse(text)
	if err != nil {
		return value, fault.From(err).At(texts.Clip(p.Name, 60))
	}
	return value, nil
}

// takeFile reads the file onto the disk.
func (x *request) takeFile(p middleware.Part) (value strictjson.Value, err error) {
	if p.File == "" {
		return value, fault.New(fault.InvalidField, "file must be a file with a name, as curl -F file=@%s sends it.",
			x.op.File.Example).At("file")
	}
	f, sum := &sentFile{name: nameOf(p.File, x.op.File.Example)}, sha256.New()
	if f.File, err = x.api.spool().Take(io.TeeReader(io.LimitReader(p, x.op.File.Largest+1), sum)); err != nil {
		return value, err
	}
	x.file = f
	x.closing = append(x.closing, func() { _ = f.Close() }) // it has no name any more, and is gone in any case
	if int64(f.Size()) > x.op.File.Largest {
		return value, x.tooLarge()
	}
	sum.Sum(f.sum[:0])
	return strictjson.Value{
		Kind: strictjson.Text,
		Text: fmt.Sprintf("%s (%d bytes, SHA-256 %s)", f.name, f.Size(), hex.EncodeToString(f.sum[:])),
	}, nil
}

// nameOf is the name of a file as it is shown: another one where it has none that can be read.
func nameOf(sent, unnamed string) string {
	name := strings.TrimSpace(strings.Map(func(r rune) rune {
		if texts.Unreadable(string(r), false) {
			return -1
		}
		return r
	}, strings.ToValidUTF8(sent, "")))
	if name == "" {
		return unnamed
	}
	return texts.Clip(name, longestName)
}

func (a *API) spool() *intake.Spool {
	if a.Spool == nil {
		return &intake.Spool{}
	}
	return a.Spool
}

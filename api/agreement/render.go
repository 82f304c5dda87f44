package agreement

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"maps"
	"runtime"
	"time"

	"portal/api/access"
	"portal/api/agreement/document"
	"portal/api/agreement/document/pdf"
	"portal/api/agreement/document/seal"
	"portal/api/change"
	"portal/api/clock"
	"portal/api/fault"
)

// rendering is a PDF with what it says and when it was made.
type rendering struct {
	body    string
	content []byte
	at      time.Time
}

// version is what a rendering becomes.
func (r rendering) version(number int) Version {
	return Version{
		Number:    number,
		CreatedAt: clock.At(r.at),
		Body:      r.body,
		SHA256:    sum(r.content),
		Content:   r.content,
	}
}

// prepared is what was rendered before the transaction of the context, by what it was rendered from.
type prepared struct {
	lease  *newLease  // the one that is generated, nil where none is
	at     clock.Time // of what the write notes in logs: documents that are executed say it
	pdfs   map[[sha256.Size]byte]rendering
	rounds int
}

// preparing is what a write wants to find again when it runs anew.
type preparing struct {
	lease *newLease
	at    clock.Time  // 0: when the documents are rendered
	seal  *seal.Words // nil: the documents are not sealed
	of    string      // id of the lease whose attachments stand behind them, where they are sealed
}

type preparedKey struct{}

func preparedIn(ctx context.Context) prepared {
	p, _ := ctx.Value(preparedKey{}).(*prepared)
	if p == nil {
		return prepared{}
	}
	return *p
}

// Moment is when what the write of the context notes in the log of a document happens. It stays the same
// where the write runs anew because a document had to be rendered for it.
func (s *Service) Moment(ctx context.Context, in access.Portfolio) clock.Time {
	if at := preparedIn(ctx).at; at != 0 {
		return at
	}
	return clock.At(s.Now(in))
}

// maxRounds is how often a write asks for its documents to be rendered before it renders them in its
// transaction: by then the records that they say have changed each time.
const maxRounds = 3

// rendered are the PDFs of documents. In 20 to 30 ms that each takes nobody else could write, so what
// was not rendered yet is asked for as a change.Beforehand: the transaction is rolled back, the PDFs are
// made, and the write runs anew, which finds them unless a record that they say has changed meanwhile.
// A dry run renders nothing.
func (s *Service) rendered(
	ctx context.Context, in access.Portfolio, want preparing, all []*document.Document,
) ([]rendering, error) {
	if change.IsDryRun(ctx) || len(all) == 0 {
		return nil, nil
	}
	p := preparedIn(ctx)
	next := &prepared{cmp.Or(want.lease, p.lease), want.at, map[[sha256.Size]byte]rendering{}, p.rounds + 1}
	maps.Copy(next.pdfs, p.pdfs)
	missing := map[[sha256.Size]byte]*document.Document{}
	for _, d := range all {
		if _, there := p.pdfs[keyOf(d)]; !there {
			missing[keyOf(d)] = d
		}
	}
	render := func(ctx context.Context) (context.Context, error) {
		for key, d := range missing {
			r, err := s.render(ctx, in, d, want)
			if err != nil {
				return ctx, err
			}
			next.pdfs[key] = r
			if want.at == 0 {
				next.at = clock.At(r.at)
			}
		}
		return context.WithValue(ctx, preparedKey{}, next), nil
	}
	if len(missing) > 0 && p.rounds < maxRounds {
		return nil, &change.Beforehand{Do: func(ctx context.Context) (context.Context, error) {
			done, err := render(ctx)
			if fault.Is(err, fault.NoRecord) { // the write itself adds an attachment, which was rolled back with it
				next.rounds = maxRounds
				return context.WithValue(ctx, preparedKey{}, next), nil
			}
			return done, err
		}}
	}
	if _, err := render(ctx); err != nil {
		return nil, err
	}
	found := make([]rendering, len(all))
	for i, d := range all {
		found[i] = next.pdfs[keyOf(d)]
	}
	return found, nil
}

// keyOf tells documents apart by all that they say.
func keyOf(d *document.Document) [sha256.Size]byte { return sha256.Sum256([]byte(bodyOf(d))) }

// bodyOf is all that a document says, as JSON.
func bodyOf(d *document.Document) string {
	text, err := json.Marshal(d)
	if err != nil {
		panic(err) // texts alone
	}
	return string(text)
}

// renderers is how many PDFs are rendered at a time: half of the processors stay free for other requests.
func renderers() int { return max(1, runtime.GOMAXPROCS(0)/2) }

// render makes a PDF, once there is a free renderer, and seals it where that is asked for.
func (s *Service) render(
	ctx context.Context, in access.Portfolio, d *document.Document, want preparing,
) (r rendering, err error) {
	select {
	case s.renderers <- struct{}{}:
		defer func() { <-s.renderers }()
	case <-ctx.Done():
		return r, ctx.Err()
	}
	r.body, r.at = bodyOf(d), s.Now(in)
	if want.seal == nil {
		r.content, err = pdf.Render(d, r.at)
		return r, err
	}
	if s.Sealer == nil {
		return r, errors.New("there is no key to seal executed leases with")
	}
	behind, err := s.behind(ctx, in, want.of, d)
	if err != nil {
		return r, err
	}
	if r.content, err = pdf.Render(d, want.seal.At, behind...); err != nil {
		return r, err
	}
	r.content, err = s.Sealer.Seal(r.content, *want.seal)
	return r, err
}

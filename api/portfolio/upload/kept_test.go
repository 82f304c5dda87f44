package upload_test

import (
	"strings"
	"sync"
	"testing"
	"time"

	"portal/api/access"
	"portal/api/fault"
	"portal/api/portfolio/upload"
)

// stored is how many bytes the files and previews of the portfolio take.
func (o *fixture) stored(in access.Portfolio) (bytes int64) {
	o.Helper()
	_, err := o.db.One(
		o.Context(),
		`SELECT coalesce(sum(coalesce(octet_length(content), 0) + coalesce(octet_length(preview), 0)), 0)
		FROM imports
		WHERE portfolio_id = $1`,
		[]any{in.ID},
		&bytes,
	)
	o.ok(err)
	return bytes
}

func TestUploadsAreLimitedByPortfolioStorage(t *testing.T) {
	onEach(t, func(o *fixture) {
		by, other := o.by(access.Test, 0), o.by(access.Live, 100)
		large := upload.Text(strings.Repeat("x", upload.MaxSize))
		var kept, refused []string
		var mu sync.Mutex
		for range 3 {
			var all sync.WaitGroup
			for range 4 {
				d, err := o.Draft(o.Context(), by, "user_1", "roll.csv", large)
				o.ok(err)
				all.Go(func() {
					err := o.Keep(o.Context(), by, d)
					mu.Lock()
					defer mu.Unlock()
					switch {
					case err == nil:
						kept = append(kept, d.ID)
					case fault.Is(err, fault.InvalidTransition):
						refused = append(refused, fault.From(err).Message)
					default:
						o.Error(err)
					}
				})
			}
			all.Wait()
			if n := o.stored(by.Portfolio); n > upload.MostKept {
				o.Fatalf("%d bytes are kept, want at most %d", n, upload.MostKept)
			}
		}
		if len(kept) != 3 || len(refused) != 9 || !strings.Contains(refused[0], "32 MB") ||
			!strings.Contains(refused[0], "discard") {
			o.Errorf("%d kept, refused: %q", len(kept), refused)
		}
		o.takes(other, []byte(large)) // another portfolio has room of its own
		o.ok(o.Discard(o.Context(), by, kept[0]))
		o.now = o.now.Add(time.Second)
		o.takes(by, []byte(large))
	})
}

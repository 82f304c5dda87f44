package secret

import (
	"context"
	"crypto/rand"
	"crypto/subtle"
	"encoding/base64"
	"fmt"
	"runtime"
	"strings"
	"sync/atomic"

	"golang.org/x/crypto/argon2"

	"portal/api/fault"
)

// Cost is what a hash takes: KiB of memory, passes over it and lanes.
type Cost struct {
	Memory, Passes uint32
	Lanes          uint8
}

// StandardCost is the cost that OWASP's Password Storage Cheat Sheet names for argon2id:
// 19 MiB, two passes, one lane. It takes some 70 ms.
var StandardCost = Cost{Memory: 19 * 1024, Passes: 2, Lanes: 1}

const (
	saltSize = 16
	sumSize  = 32
)

// Hash makes a hash in the PHC string format, with its salt and cost, however many are being made.
func (c Cost) Hash(plain string) string {
	salt := make([]byte, saltSize)
	_, _ = rand.Read(salt) // never fails
	return c.phc(salt, c.sum(plain, salt, sumSize))
}

func (c Cost) sum(plain string, salt []byte, size int) []byte {
	return argon2.IDKey([]byte(plain), salt, c.Passes, c.Memory, c.Lanes, uint32(size))
}

func (c Cost) phc(salt, sum []byte) string {
	code := base64.RawStdEncoding
	return fmt.Sprintf("$argon2id$v=%d$m=%d,t=%d,p=%d$%s$%s", argon2.Version, c.Memory, c.Passes, c.Lanes,
		code.EncodeToString(salt), code.EncodeToString(sum))
}

// parsed reads a hash; false where it is none of argon2id.
func parsed(hash string) (c Cost, salt, sum []byte, ok bool) {
	parts := strings.Split(hash, "$")
	if len(parts) != 6 || parts[0] != "" || parts[1] != "argon2id" || parts[2] != fmt.Sprintf("v=%d", argon2.Version) {
		return c, nil, nil, false
	}
	if _, err := fmt.Sscanf(parts[3], "m=%d,t=%d,p=%d", &c.Memory, &c.Passes, &c.Lanes); err != nil ||
		c.Passes == 0 || c.Lanes == 0 {
		return c, nil, nil, false
	}
	salt, err := base64.RawStdEncoding.DecodeString(parts[4])
	if err != nil {
		return c, nil, nil, false
	}
	sum, err = base64.RawStdEncoding.DecodeString(parts[5])
	return c, salt, sum, err == nil && len(sum) > 0
}

// Hasher makes and checks hashes, a bounded number at a time.
type Hasher struct {
	cost    Cost
	slots   chan struct{}
	most    int64 // who may wait besides
	waiting atomic.Int64
	made    atomic.Int64
	garbage atomic.Int64 // KiB that hashes have used since it was last collected
	nobody  string       // a hash of no password
}

// queue is how many may wait for each core: some two seconds of work.
const queue = 30

// NewHasher makes a hasher that works on as many hashes as there are cores.
func NewHasher(cost Cost) *Hasher {
	return NewBoundedHasher(cost, runtime.GOMAXPROCS(0), runtime.GOMAXPROCS(0)*queue)
}

// NewBoundedHasher makes a hasher that works on so many hashes at a time and lets so many wait.
func NewBoundedHasher(cost Cost, parallel, waiting int) *Hasher {
	none := make([]byte, sumSize)
	_, _ = rand.Read(none) // never fails
	return &Hasher{
		cost:   cost,
		slots:  make(chan struct{}, parallel),
		most:   int64(waiting),
		nobody: cost.phc(none[:saltSize], none),
	}
}

// Hash makes a hash. It waits for its turn; fault.Unavailable says that too many wait.
func (h *Hasher) Hash(ctx context.Context, plain string) (hash string, err error) {
	err = h.withSlot(ctx, func() { hash = h.cost.Hash(plain) })
	return hash, err
}

// Check reports whether a password is that of a hash, and whether the hash is of another cost
// than today's. "" is the hash of nobody: it takes the same time and is never right.
func (h *Hasher) Check(ctx context.Context, hash, plain string) (right, stale bool, err error) {
	cost, salt, want, ok := parsed(hash)
	if !ok {
		cost, salt, want, _ = parsed(h.nobody)
	}
	err = h.withSlot(ctx, func() {
		right = subtle.ConstantTimeCompare(cost.sum(plain, salt, len(want)), want) == 1 && ok
	})
	return right, right && cost != h.cost, err
}

// Made is how many hashes were made or checked.
func (h *Hasher) Made() int64 { return h.made.Load() }

func (h *Hasher) withSlot(ctx context.Context, do func()) error {
	select {
	case h.slots <- struct{}{}:
	default:
		if err := h.wait(ctx); err != nil {
			return err
		}
	}
	defer func() { <-h.slots }()
	h.made.Add(1)
	do()
	// A hash leaves more garbage than the heap of a server that is at rest holds. With several at
	// once the next collection would come after five times as much.
	if h.garbage.Add(int64(h.cost.Memory)) >= int64(StandardCost.Memory) {
		h.garbage.Store(0)
		runtime.GC()
	}
	return nil
}

func (h *Hasher) wait(ctx context.Context) error {
	defer h.waiting.Add(-1)
	if h.waiting.Add(1) > h.most {
		return crowded()
	}
	select {
	case h.slots <- struct{}{}:
		return nil
	case <-ctx.Done():
		return crowded().Because(ctx.Err())
	}
}

func crowded() *fault.Error {
	f := fault.New(fault.Unavailable, "Too many people are signing in right now. Try again in a few seconds.")
	f.Retry = 5
	return f
}

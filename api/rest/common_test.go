package rest_test

import (
	"context"
	"net/http"
	"net/netip"
	"os"
	"slices"
	"sync"
	"sync/atomic"
	"testing"
)

// common is the fixture, with a key of the fixture, that the tests share which only
// read: none of them moves its clock, counts its lines or changes a record.
func common(t *testing.T) (r *fixture, key string) {
	t.Helper()
	shared.once.Do(func() {
		var callers atomic.Uint32
		shared.fixture = newFixture(&lasting{TB: t}, setting{silent: true, address: func(*http.Request) string {
			n := callers.Add(1) // those without a key come from everywhere, so that none is throttled
			return netip.AddrFrom4([4]byte{10, byte(n >> 16), byte(n >> 8), byte(n)}).String()
		}})
		shared.key = shared.fixture.someone()
	})
	if shared.key == "" {
		t.Fatal("the common fixture could not be made")
	}
	mine := *shared.fixture
	mine.t = t
	return &mine, shared.key
}

var shared struct {
	once    sync.Once
	fixture *fixture
	key     string
	ending  []func()
}

// lasting is a test that ends with the process.
type lasting struct{ testing.TB }

func (l *lasting) Cleanup(do func()) { shared.ending = append(shared.ending, do) }

func (l *lasting) Context() context.Context { return context.Background() }

func (l *lasting) TempDir() string {
	folder, err := os.MkdirTemp("", "rest")
	if err != nil {
		l.Fatal(err)
	}
	l.Cleanup(func() { _ = os.RemoveAll(folder) })
	return folder
}

func TestMain(m *testing.M) {
	code := m.Run()
	for _, do := range slices.Backward(shared.ending) {
		do()
	}
	os.Exit(code)
}

package intake_test

import (
	"bytes"
	"context"
	"errors"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"testing/iotest"
	"testing/synctest"
	"time"

	"portal/api/fault"
	"portal/api/intake"
)

func TestGateLimitsEntryAndTimesOutWaiters(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		g := intake.NewGate(2, 10*time.Second)
		first, err := g.Enter(t.Context())
		if _, second := g.Enter(t.Context()); err != nil || second != nil {
			t.Fatal(err, second)
		}
		began := time.Now()
		_, err = g.Enter(t.Context())
		f := fault.From(err)
		if f.Code != fault.Unavailable || f.Retry != 10 || time.Since(began) != 10*time.Second {
			t.Errorf("%v after %s, again in %d s", err, time.Since(began), f.Retry)
		}
		time.AfterFunc(9*time.Second, first)
		if _, err := g.Enter(t.Context()); err != nil {
			t.Errorf("somebody left, and yet %v", err)
		}
		gone, cancel := context.WithCancel(t.Context())
		cancel()
		if _, err := g.Enter(gone); !errors.Is(err, context.Canceled) {
			t.Errorf("who went away: %v", err)
		}
	})
}

func TestGateLetsFirstRankGoFirstAndKeepsOrderWithinIt(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		g := intake.NewGate(1, 0)
		leave, err := g.Enter(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		var entered []string
		enter := func(name string, by func(context.Context) (func(), error)) {
			go func() {
				leave, err := by(t.Context())
				if err != nil {
					t.Error(err)
					return
				}
				entered = append(entered, name)
				leave()
			}()
			synctest.Wait()
		}
		for _, name := range []string{"last 1", "last 2"} {
			enter(name, g.EnterLast)
		}
		ctx, cancel := context.WithCancel(t.Context())
		go func() {
			if _, err := g.Enter(ctx); err == nil {
				t.Error("one who has gone was let in")
			}
		}()
		synctest.Wait()
		for _, name := range []string{"first 1", "first 2"} {
			enter(name, g.Enter)
		}
		cancel()
		synctest.Wait()
		leave()
		synctest.Wait()
		if want := []string{"first 1", "first 2", "last 1", "last 2"}; !slices.Equal(entered, want) {
			t.Errorf("they entered in the order %q", entered)
		}
	})
}

func TestGateWithoutTimeoutWaitsAsLongAsCaller(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		g := intake.NewGate(1, 0)
		leave, err := g.Enter(t.Context())
		time.AfterFunc(time.Hour, leave)
		if _, again := g.Enter(t.Context()); err != nil || again != nil {
			t.Error(err, again)
		}
	})
}

func TestSpooledFileIsRereadableAndRemoved(t *testing.T) {
	t.Parallel()
	folder := filepath.Join(t.TempDir(), "spool")
	s, err := intake.NewSpool(folder)
	if err != nil {
		t.Fatal(err)
	}
	text := strings.Repeat("Dana Whitfield,1200\n", 10_000)
	f, err := s.Take(strings.NewReader(text))
	if err != nil {
		t.Fatal(err)
	}
	for range 2 {
		if got, err := io.ReadAll(f.Reader()); err != nil || string(got) != text || f.Size() != len(text) {
			t.Errorf("%d bytes of %d, %v", len(got), len(text), err)
		}
	}
	if err := f.Close(); err != nil {
		t.Error(err)
	}
	if _, err := s.Take(io.MultiReader(
		strings.NewReader(text),
		iotest.ErrReader(io.ErrUnexpectedEOF),
	)); !errors.Is(err, io.ErrUnexpectedEOF) {
		t.Errorf("a body that breaks off: %v", err)
	}
	holdsNothing(t, folder)
}

func TestSpoolRemovesFilesOfKilledProcess(t *testing.T) {
	t.Parallel()
	folder := t.TempDir()
	if err := os.WriteFile(filepath.Join(folder, "spooled-1"), bytes.Repeat([]byte("x"), 100), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := intake.NewSpool(folder); err != nil {
		t.Error(err)
	}
	holdsNothing(t, folder)
}

func holdsNothing(t *testing.T, folder string) {
	t.Helper()
	if left, err := os.ReadDir(folder); err != nil || len(left) > 0 {
		t.Errorf("left: %v, %v", left, err)
	}
}

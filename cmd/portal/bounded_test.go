package main

import (
	"context"
	"errors"
	"testing"
)

func TestShutdownWaitIsBounded(t *testing.T) {
	t.Parallel()
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	stuck := make(chan struct{})
	t.Cleanup(func() { close(stuck) })
	if err := bounded(ctx, func() error { <-stuck; return nil }); err == nil {
		t.Error("nothing was said of what was not written")
	}
	want := errors.New("a full disk")
	if err := bounded(t.Context(), func() error { return want }); !errors.Is(err, want) {
		t.Errorf("said %v, want %v", err, want)
	}
}

package jobs

import (
	"context"
	"fmt"
	"log/slog"
	"strings"
	"testing"
)

func TestWorkCutShortByStopIsNotLoggedAsError(t *testing.T) {
	t.Parallel()
	var lines strings.Builder
	log := slog.New(quiet{slog.NewTextHandler(&lines, nil)}).With("service", "enqueuer")
	log.Info("started")
	log.Error("no transaction", "error", fmt.Errorf("begin: %w", context.Canceled))
	log.Error("no transaction", "error", context.Canceled.Error()) // as River does
	if lines.Len() > 0 {
		t.Errorf("logged %s", &lines)
	}
	log.Error("no transaction", "error", "disk full")
	if !strings.Contains(lines.String(), "disk full") {
		t.Error("an error is not logged")
	}
}

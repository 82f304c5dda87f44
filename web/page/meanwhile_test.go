package page_test

import (
	"errors"
	"testing"

	"portal/web/page"
)

func TestMeanwhilePropagatesResultsErrorsAndPanics(t *testing.T) {
	t.Parallel()
	away := errors.New("the database is away")
	if n, err := page.Meanwhile(func() (int, error) { return 3, away })(); n != 3 || !errors.Is(err, away) {
		t.Errorf("%d, %v", n, err)
	}
	defer func() {
		if got := recover(); got != "no row" {
			t.Errorf("it panics with %v", got)
		}
	}()
	_, _ = page.Meanwhile(func() (int, error) { panic("no row") })()
}

func TestBothRunsConcurrently(t *testing.T) {
	t.Parallel()
	met := make(chan int)
	first := func() (int, error) { return <-met, nil }
	second := func() (string, error) { met <- 3; return "rows", nil }
	if n, what, err := page.Both(first, second); n != 3 || what != "rows" || err != nil {
		t.Errorf("%d, %q, %v", n, what, err)
	}
	away := errors.New("the database is away")
	fails := func() (int, error) { return 0, away }
	if _, _, err := page.Both(fails, func() (int, error) { return 1, nil }); !errors.Is(err, away) {
		t.Errorf("the first fails: %v", err)
	}
	if _, _, err := page.Both(func() (int, error) { return 1, nil }, fails); !errors.Is(err, away) {
		t.Errorf("the second fails: %v", err)
	}
}

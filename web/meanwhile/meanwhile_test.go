package meanwhile_test

import (
	"errors"
	"testing"

	"portal/web/meanwhile"
)

func TestWhatThePageWaitsForAnswersFailsAndPanicsAsIfItWereCalled(t *testing.T) {
	t.Parallel()
	away := errors.New("the database is away")
	if n, err := meanwhile.Do(func() (int, error) { return 3, away })(); n != 3 || !errors.Is(err, away) {
		t.Errorf("%d, %v", n, err)
	}
	defer func() {
		if got := recover(); got != "no row" {
			t.Errorf("it panics with %v", got)
		}
	}()
	_, _ = meanwhile.Do(func() (int, error) { panic("no row") })()
}

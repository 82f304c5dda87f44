package main

import (
	"encoding/json"
	"math/rand/v2"
	"net/http"
	"testing"
	"time"

	"portal/api/clock"
)

// shownClock is the test clock as GET /me shows it.
type shownClock struct {
	Status    string      `json:"status"`
	Today     clock.Date  `json:"today"`
	AdvanceTo *clock.Date `json:"advance_to"`
}

func (s *service) testClock(t *testing.T) shownClock {
	t.Helper()
	me := &mutation{
		operation: "get_me",
		method:    http.MethodGet,
		path:      "/me",
		status:    http.StatusOK,
	}
	var shown struct {
		TestClock shownClock `json:"test_clock"`
	}
	if err := json.Unmarshal([]byte(s.sent(t, me, "").body), &shown); err != nil {
		t.Fatal(err)
	}
	return shown.TestClock
}

// A process that is killed at any moment of an advance leaves a day that was committed. The next one goes on with it.
func TestKilledAdvanceGoesOnAfterRestart(t *testing.T) {
	onOneDemo(t, func(t *testing.T, o *preparedDemo) {
		s := o.serve(t)
		first := s.testClock(t)
		to := first.Today.AddMonths(6)
		s.sent(t, &mutation{
			operation: "advance_test_clock",
			method:    http.MethodPost,
			path:      "/test_helpers/clock",
			status:    http.StatusAccepted,
			body:      `{"advance_to":"` + to.String() + `"}`,
		}, "advance")
		eventually(t, "a day that passes", func() bool { return s.testClock(t).Today > first.Today })
		<-time.After(time.Duration(rand.IntN(300)) * time.Millisecond) // the moment of a kill is any
		s.kill()
		left := "SELECT CAST(count(*) AS TEXT) FROM portfolios WHERE mode = 'test' AND advance_to IS NOT NULL"
		if n := o.value(t, left); n != "1" {
			t.Errorf("%s clocks were being advanced when the process died", n)
		}
		s = o.serve(t)
		eventually(t, "the end of the advance", func() bool { return s.testClock(t).Status == "ready" })
		if c := s.testClock(t); c.Today != to || c.AdvanceTo != nil {
			t.Errorf("the clock is %+v, want %s", c, to)
		}
		s.signalAndEnd(t)
	})
}

package developer_test

import (
	"testing"
	"time"

	"portal/api/developer"
)

func TestLatencyPercentiles(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		took  []time.Duration
		share float64
		want  float64
	}{
		{nil, 0.95, 0},
		{[]time.Duration{3 * time.Millisecond}, 1, 5},
		{[]time.Duration{3 * time.Millisecond}, 0.5, 3.5}, // half of the way from 2 to 5
		{[]time.Duration{0, 0, 0, 150 * time.Millisecond}, 0.75, 2},
		{[]time.Duration{0, 0, 0, 150 * time.Millisecond}, 1, 200},
		{[]time.Duration{0, time.Hour}, 1, 5000}, // longer than all bounds
		{[]time.Duration{0, time.Hour}, 0.5, 2},
	} {
		var s developer.RequestSpan
		for _, d := range c.took {
			var one developer.RequestSpan
			one.Count(&developer.Request{Status: 200, Duration: d})
			s.Add(&one)
		}
		if got := s.Took.Within(c.share); got != c.want {
			t.Errorf("%v of %v: %v ms, want %v", c.share, c.took, got, c.want)
		}
	}
}

func TestStreamLatencyIsTimeToFirstByte(t *testing.T) {
	t.Parallel()
	var s developer.RequestSpan
	s.Count(&developer.Request{Status: 200, First: time.Millisecond, Duration: time.Hour})
	if got := s.Took.Within(1); got != 2 {
		t.Errorf("it was answered within %v ms", got)
	}
}

func TestRequestOutcomesAreCountedByStatus(t *testing.T) {
	t.Parallel()
	var s developer.RequestSpan
	for _, status := range []int{200, 304, 404, 422, 499, 429, 500} {
		s.Count(&developer.Request{Status: status})
	}
	if s.Succeeded != 2 || s.ClientFailed != 3 || s.ServerFailed != 1 || s.Throttled != 1 ||
		s.Requests() != 7 || s.Failed() != 4 {
		t.Errorf("%+v", s)
	}
}

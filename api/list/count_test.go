package list

import "testing"

func TestCountShowsPlusWhenThereAreMore(t *testing.T) {
	t.Parallel()
	for rows, want := range map[int]string{0: "0", 97: "97", 999: "999", 1000: "1,000", 1001: "1,000+"} {
		if got := CountOf(rows).Words(); got != want {
			t.Errorf("%d rows are %s, want %s", rows, got, want)
		}
	}
}

func TestStatusCountsAddUpToCap(t *testing.T) {
	t.Parallel()
	c := Counts[string]{"a": {N: 600}, "b": {N: 400}, "c": {N: 1}, "d": {N: 7, More: true}, "e": {}}
	for _, x := range []struct {
		of   []string
		want string
	}{
		{[]string{"a"}, "600"},
		{[]string{"a", "b"}, "1,000"},
		{[]string{"a", "b", "c"}, "1,000+"},
		{[]string{"c", "d"}, "8+"},
		{[]string{"e"}, "0"},
		{[]string{"f"}, "0"},
		{nil, "1,000+"},
	} {
		if got := c.Of(x.of...).Words(); got != x.want {
			t.Errorf("%q are %s, want %s", x.of, got, x.want)
		}
	}
	if got := (Counts[string]{}).Of().Words(); got != "0" {
		t.Errorf("none are %s", got)
	}
}

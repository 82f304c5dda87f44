package texts_test

import (
	"testing"

	"portal/api/texts"
)

func TestUnreadable(t *testing.T) {
	for _, c := range []struct {
		s           string
		line, lines bool // refused as one line, as several
	}{
		{"", false, false},
		{"Nguyễn Văn Đức", false, false},
		{"a\nb", true, false},
		{"a\r\nb\tc", true, false},
		{"a\u2028b", true, false},
		{"a\x00b", true, true},
		{"a\x1bb", true, true},
		{"a\u0085b", true, true},
		{"a\xffb", true, true},
		{"\u200fשלום", false, false},
	} {
		if got := texts.Unreadable(c.s, false); got != c.line {
			t.Errorf("%q in one line: unreadable %v", c.s, got)
		}
		if got := texts.Unreadable(c.s, true); got != c.lines {
			t.Errorf("%q in several lines: unreadable %v", c.s, got)
		}
	}
}

func TestReordered(t *testing.T) {
	for s, want := range map[string]bool{
		"Ada":      false,
		"שלום":     false,
		"a\u202eb": true,
		"a\u2066b": true,
		"\u200fa":  true,
	} {
		if got := texts.Reordered(s); got != want {
			t.Errorf("%q: %v", s, got)
		}
	}
}

func TestClip(t *testing.T) {
	for _, c := range []struct {
		s    string
		most int
		want string
	}{{"", 2, ""}, {"żó", 2, "żó"}, {"żół", 2, "żó…"}, {"abc", 0, "…"}} {
		if got := texts.Clip(c.s, c.most); got != c.want {
			t.Errorf("Clip(%q, %d) = %q", c.s, c.most, got)
		}
	}
	for _, c := range []struct {
		s    string
		most int
		want string
	}{{"abc", 5, "abc"}, {"aż", 2, "a"}, {"a\xffb", 3, "ab"}, {"a\x00b", 3, "ab"}} {
		if got := texts.ClipBytes(c.s, c.most); got != c.want {
			t.Errorf("ClipBytes(%q, %d) = %q", c.s, c.most, got)
		}
	}
}

func TestCounted(t *testing.T) {
	t.Parallel()
	for want, got := range map[string]string{
		"1 unit":       texts.Counted(1, "unit"),
		"0 units":      texts.Counted(0, "unit"),
		"1,200 units":  texts.Counted(1200, "unit"),
		"1 property":   texts.Counted(1, "property"),
		"2 properties": texts.Counted(2, "property"),
		"2 days":       texts.Counted(2, "day"),
		"3 keys":       texts.Counted(int64(3), "key"),
	} {
		if got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}

func TestNumber(t *testing.T) {
	for n, want := range map[int]string{0: "0", 999: "999", 1000: "1,000", -12480: "-12,480", 1234567: "1,234,567"} {
		if got := texts.Number(n); got != want {
			t.Errorf("Number(%d) = %q", n, got)
		}
	}
}

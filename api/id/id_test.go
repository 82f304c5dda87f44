package id

import (
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"
)

var noon = time.Date(2026, 11, 2, 12, 0, 0, 482_999_999, time.UTC)

func TestIDIsPrefixAndTimestamp(t *testing.T) {
	t.Parallel()
	one, other := New(Property, noon), New(Property, noon.In(time.FixedZone("", 3600)).Add(-999_999))
	if !strings.HasPrefix(one, "prop_") || len(one) != len("prop_")+26 || !Valid(Property, one) {
		t.Errorf("the id is %s", one)
	}
	if one[:15] != other[:15] {
		t.Errorf("%s and %s are of one millisecond", one, other)
	}
	if later := New(Property, noon.Add(time.Millisecond)); later[:15] <= one[:15] {
		t.Errorf("%s is of a later millisecond than %s", later, one)
	}
}

func TestIDsAscendWithinMillisecond(t *testing.T) {
	t.Parallel()
	ids := make([]string, 10_000)
	for i := range ids {
		ids[i] = New(Lease, noon.Add(time.Duration(i%1000)*time.Nanosecond*-1))
		New(Lease, noon.Add(time.Duration(i%4)*time.Second)) // of others, in between
	}
	if !slices.IsSorted(ids) || len(slices.Compact(ids)) != 10_000 {
		t.Error("the ids do not ascend")
	}
}

func TestIDsAscendWithinMillisecondDespiteOtherTimestamps(t *testing.T) {
	t.Parallel()
	last := ""
	for i := range 20 {
		id := New(Call, noon)
		if id <= last {
			t.Fatalf("%s was made after %s", id, last)
		}
		last = id
		for j := range 1000 { // such as a portfolio that is dated back
			New(Payment, noon.Add(-time.Duration(i*1000+j+1)*time.Millisecond))
		}
	}
}

func TestConcurrentIDsAreUnique(t *testing.T) {
	t.Parallel()
	var all sync.Map
	var callers sync.WaitGroup
	for range 8 {
		callers.Go(func() {
			for i := range 1000 {
				id := New(Ticket, noon.Add(time.Duration(i%3)*time.Millisecond))
				if _, twice := all.LoadOrStore(id, true); twice || !Valid(Ticket, id) {
					t.Errorf("%s was made twice or has no form", id)
				}
			}
		})
	}
	callers.Wait()
}

func TestOnlyIDsWithPrefixAreValid(t *testing.T) {
	t.Parallel()
	for s, want := range map[string]bool{
		"prop_01KA5R2M7Q8D4E6F9G1H3J5K7M":    true,
		"prop_00000000000000000000000000":    true,
		"prop_7ZZZZZZZZZZZZZZZZZZZZZZZZZ":    true,
		"prop_8ZZZZZZZZZZZZZZZZZZZZZZZZZ":    false, // more than 128 bits
		"prop_01KA5R2M7Q8D4E6F9G1H3J5K7":     false,
		"prop_01KA5R2M7Q8D4E6F9G1H3J5K7MM":   false,
		"prop_01ka5r2m7q8d4e6f9g1h3j5k7m":    false,
		"prop_01KA5R2M7Q8D4E6F9G1H3J5K7I":    false,
		"prop_01KA5R2M7Q8D4E6F9G1H3J5K7L":    false,
		"prop_01KA5R2M7Q8D4E6F9G1H3J5K7O":    false,
		"prop_01KA5R2M7Q8D4E6F9G1H3J5K7U":    false,
		"prop_01KA5R2M7Q8D4E6F9G1H3J5K7\x00": false,
		"prop_01KA5R2M7Q8D4E6F9G1H3J5Kä":     false,
		"prop-01KA5R2M7Q8D4E6F9G1H3J5K7M":    false,
		"Prop_01KA5R2M7Q8D4E6F9G1H3J5K7M":    false,
		"unit_01KA5R2M7Q8D4E6F9G1H3J5K7M":    false,
		" prop_01KA5R2M7Q8D4E6F9G1H3J5K7M":   false,
		"prop_01KA5R2M7Q8D4E6F9G1H3J5K7M\n":  false,
		"01KA5R2M7Q8D4E6F9G1H3J5K7M":         false,
		"prop_":                              false,
		"":                                   false,
	} {
		if Valid(Property, s) != want {
			t.Errorf("Valid(%q) is %v", s, !want)
		}
	}
}

func TestAfterSeparatesEarlierFromLaterIDs(t *testing.T) {
	t.Parallel()
	for _, at := range []time.Time{
		noon,
		time.UnixMilli(0),
		time.UnixMilli(1),
		time.Date(9999, 12, 31, 23, 59, 59, 0, time.UTC),
	} {
		position := After(Payment, at)
		if !Valid(Payment, position) {
			t.Errorf("After(%s) is %s, which is no cursor", at, position)
		}
		for range 100 {
			if before := New(Payment, at); before > position {
				t.Errorf("%s of %s comes behind %s", before, at, position)
			}
			if later := New(Payment, at.Add(time.Millisecond)); later <= position {
				t.Errorf("%s of a millisecond later comes before %s", later, position)
			}
		}
	}
}

var form = regexp.MustCompile("^we_" + Pattern + "$")

func FuzzValidIsThePattern(f *testing.F) {
	for _, s := range []string{
		"we_01KA5R2M7Q8D4E6F9G1H3J5K7M", "we_7ZZZZZZZZZZZZZZZZZZZZZZZZZ",
		"we_8ZZZZZZZZZZZZZZZZZZZZZZZZZ", "we_", "", "we_01KA5R2M7Q8D4E6F9G1H3J5K7I",
		"we_01KA5R2M7Q8D4E6F9G1H3J5K7M\n",
	} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		if Valid(Endpoint, s) != form.MatchString(s) {
			t.Errorf("Valid(%q) is %v, the pattern says otherwise", s, Valid(Endpoint, s))
		}
	})
}

func TestIDEncodesCreationTime(t *testing.T) {
	t.Parallel()
	if at, ok := Time(New(Event, noon)); !ok || !at.Equal(noon.Truncate(time.Millisecond)) {
		t.Errorf("created at %s, %v", at, ok)
	}
	for _, none := range []string{"", "evt_", "evt", "evt_01KA", "evt_!1KA5R2M7Q8D4E6F9G1H3J5K7M"} {
		if at, ok := Time(none); ok {
			t.Errorf("%q was created at %s", none, at)
		}
	}
}

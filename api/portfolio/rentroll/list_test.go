package rentroll

import "testing"

func TestListItemsStayInPlaceAsItGrows(t *testing.T) {
	t.Parallel()
	var l list[int]
	first := make([]*int, 3*partLength)
	for i := range first {
		if l.len() != i {
			t.Fatalf("a list of %d items has length %d", i, l.len())
		}
		if at := l.add(i * 7); at != int32(i) {
			t.Fatalf("item %d was added at %d", i, at)
		}
		first[i] = l.at(int32(i))
	}
	for i, p := range first {
		if *p != i*7 || l.at(int32(i)) != p {
			t.Fatalf("item %d is %d and has moved: %t", i, *p, l.at(int32(i)) != p)
		}
	}
}

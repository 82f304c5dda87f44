package rentroll

// partLength is how many items a part of a list has room for.
const partLength = 1024

// list holds items that stay where they are while it grows: a slice would be copied again and
// again, and the copies of a large file take as much memory as the file's records.
type list[T any] struct {
	parts [][]T // all full but for the last
}

// len is the number of items.
func (l *list[T]) len() int {
	if len(l.parts) == 0 {
		return 0
	}
	last := len(l.parts) - 1
	return last*partLength + len(l.parts[last])
}

// add appends an item and returns its index.
func (l *list[T]) add(item T) int32 {
	at := l.len()
	if at%partLength == 0 {
		l.parts = append(l.parts, make([]T, 0, partLength))
	}
	last := &l.parts[at/partLength]
	*last = append(*last, item)
	return int32(at)
}

// at is an item, in place.
func (l *list[T]) at(i int32) *T { return &l.parts[i/partLength][i%partLength] }

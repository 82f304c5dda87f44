package demo

import "hash/fnv"

// roll is a number from 0 to n-1 that depends on the words alone, so that a book
// looks lively and is the same everywhere.
func roll(n int, words ...string) int {
	h := fnv.New64a()
	for _, w := range words {
		h.Write([]byte(w)) // a hash takes everything
		h.Write([]byte{0})
	}
	sum := h.Sum64()
	return int((sum ^ sum>>32) % uint64(n))
}

//go:build !unix

package sandbox

import "github.com/tetratelabs/wazero/experimental"

// allocator takes the memory of Go, which grows by copies.
var allocator = experimental.MemoryAllocatorFunc(func(least, _ uint64) experimental.LinearMemory {
	return &grown{make([]byte, 0, least)}
})

type grown struct{ all []byte }

func (g *grown) Reallocate(size uint64) []byte {
	if more := int(size) - len(g.all); more > 0 {
		g.all = append(g.all, make([]byte, more)...)
	}
	return g.all[:size]
}

func (g *grown) Free() { g.all = nil }

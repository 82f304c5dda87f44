//go:build unix

package sandbox

import (
	"syscall"

	"github.com/tetratelabs/wazero/experimental"
)

// allocator reserves the most that a picture may take, of which the system gives what is used. It
// grows without a copy, and goes back to the system at once.
var allocator = experimental.MemoryAllocatorFunc(func(_, most uint64) experimental.LinearMemory {
	all, err := syscall.Mmap(-1, 0, int(most), syscall.PROT_READ|syscall.PROT_WRITE,
		syscall.MAP_ANON|syscall.MAP_PRIVATE)
	if err != nil {
		return &mapped{} // what needs memory fails
	}
	return &mapped{all}
})

type mapped struct{ all []byte }

func (m *mapped) Reallocate(size uint64) []byte {
	if size > uint64(len(m.all)) {
		return nil
	}
	return m.all[:size]
}

func (m *mapped) Free() {
	if m.all != nil {
		_ = syscall.Munmap(m.all)
		m.all = nil
	}
}

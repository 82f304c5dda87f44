// Package sandbox runs decoders of pictures that are written in C and C++ as WebAssembly: each
// picture has a memory of its own with a fixed bound, no files, no network and a time limit, so a
// file that takes a decoder over ends there.
//
// It knows no photo and no container format.
package sandbox

import (
	"bytes"
	"compress/gzip"
	"context"
	_ "embed" // the programs
	"errors"
	"fmt"
	"io"
	"runtime/debug"
	"sync"
	"sync/atomic"
	"time"

	"github.com/tetratelabs/wazero"
	"github.com/tetratelabs/wazero/api"
	"github.com/tetratelabs/wazero/experimental"
	"github.com/tetratelabs/wazero/imports/wasi_snapshot_preview1"
)

const (
	// Patience is how long one picture may take.
	Patience = 20 * time.Second
	// kept is how long a compiled program stays for the next picture; it takes 8 to 25 MB.
	kept = time.Minute
	page = 64 << 10
)

// alone is whether this process does nothing else.
var alone atomic.Bool

// Alone says that this process does nothing but decode pictures, and that another one ends it when
// that takes too long. Decoding takes a third of the time then, because a program is not asked in each
// loop whether to end; in exchange nothing else goes on in the process, no garbage is collected, and no
// context ends it.
func Alone() { alone.Store(true) }

// ErrTooLong is what a picture fails with that takes more than Patience.
var ErrTooLong = errors.New("the decoder took too long")

// program is a decoder. It is compiled when the first picture needs it.
type program struct {
	packed []byte // gzip
	memory int    // the most that one picture may take, in bytes

	mu       sync.Mutex
	users    int
	runtime  wazero.Runtime
	compiled wazero.CompiledModule
	release  *time.Timer
}

//go:embed heif.wasm.gz
var heifProgram []byte

//go:embed avif.wasm.gz
var avifProgram []byte

//go:embed jpeg.wasm.gz
var jpegProgram []byte

var (
	heif        = program{packed: heifProgram, memory: 104 << 20}
	avif        = program{packed: avifProgram, memory: 112 << 20}
	progressive = program{packed: jpegProgram, memory: 128 << 20}
)

// programs are all, of which a process of its own keeps one at a time.
var programs = []*program{&heif, &avif, &progressive}

// enter compiles the program where it is not, and keeps it until leave.
func (p *program) enter(ctx context.Context) error {
	for _, other := range programs {
		if alone.Load() && other != p {
			other.close()
		}
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.release != nil {
		p.release.Stop()
	}
	if p.compiled == nil {
		if err := p.compile(ctx); err != nil {
			return err
		}
	}
	p.users++
	return nil
}

func (p *program) compile(ctx context.Context) error {
	unpacked, err := gzip.NewReader(bytes.NewReader(p.packed))
	if err != nil {
		return err
	}
	code, err := io.ReadAll(unpacked)
	if err != nil {
		return err
	}
	config := wazero.NewRuntimeConfig().WithCloseOnContextDone(!alone.Load()).
		WithCoreFeatures(api.CoreFeaturesV2 | experimental.CoreFeaturesThreads). // atomics, in one thread
		WithMemoryLimitPages(uint32(p.memory / page))
	p.runtime = wazero.NewRuntimeWithConfig(ctx, config)
	if _, err = wasi_snapshot_preview1.Instantiate(ctx, p.runtime); err == nil {
		p.compiled, err = p.runtime.CompileModule(ctx, code)
	}
	if err != nil {
		return errors.Join(err, p.runtime.Close(ctx))
	}
	return nil
}

func (p *program) leave() {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.users--; p.users == 0 {
		p.release = time.AfterFunc(kept, p.close)
	}
}

// close gives the compiled program back, unless somebody uses it.
func (p *program) close() {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.users == 0 && p.compiled != nil {
		_ = p.runtime.Close(context.Background())
		p.runtime, p.compiled = nil, nil
	}
}

// run is a program at work on one picture.
type run struct {
	*program
	ctx    context.Context
	cancel context.CancelCauseFunc
	stop   context.CancelFunc
	module api.Module

	percent int // of garbage, as it was set before
}

// start begins with an empty memory. What the program prints is an error of the picture, and the
// end of the run.
func (p *program) start(ctx context.Context) (*run, error) {
	if err := p.enter(ctx); err != nil {
		return nil, err
	}
	r := &run{program: p}
	if alone.Load() { // the collector would wait for the end of the program, and all others for it
		debug.FreeOSMemory()
		r.percent = debug.SetGCPercent(-1)
	}
	ctx, r.cancel = context.WithCancelCause(ctx)
	r.ctx, r.stop = context.WithCancel(ctx)
	if !alone.Load() {
		r.ctx, r.stop = context.WithTimeoutCause(ctx, Patience, ErrTooLong)
	}
	r.ctx = experimental.WithMemoryAllocator(r.ctx, allocator)
	config := wazero.NewModuleConfig().WithName("").WithStartFunctions("_initialize").WithStdout(r).WithStderr(r)
	var err error
	if r.module, err = p.runtime.InstantiateModule(r.ctx, p.compiled, config); err != nil {
		err = r.explain(err)
		r.close()
		return nil, err
	}
	return r, nil
}

// Write takes what the program prints.
func (r *run) Write(said []byte) (int, error) {
	r.cancel(fmt.Errorf("the decoder says %q", said[:min(len(said), 200)]))
	return len(said), nil
}

// close ends the run and gives its memory back. No slice of it may be used any more.
func (r *run) close() {
	if r.module != nil {
		_ = r.module.Close(context.Background())
	}
	if alone.Load() {
		debug.SetGCPercent(r.percent)
	}
	r.stop()
	r.cancel(nil)
	r.leave()
}

// explain is why a call failed: an end of the context, before what followed from it.
func (r *run) explain(err error) error {
	if cause := context.Cause(r.ctx); cause != nil {
		return cause
	}
	return err
}

// call runs a function of the program.
func (r *run) call(name string, args ...uint64) (uint32, error) {
	results, err := r.module.ExportedFunction(name).Call(r.ctx, args...)
	if err == nil {
		err = context.Cause(r.ctx)
	}
	if err != nil {
		return 0, r.explain(err)
	}
	return api.DecodeU32(results[0]), nil
}

var (
	errMemory  = errors.New("the decoder has no room")
	errRefused = errors.New("the decoder refuses the picture")
)

// room is memory of the program for so many bytes.
func (r *run) room(n int) (at uint32, err error) {
	at, err = r.call("malloc", uint64(n))
	if err == nil && at == 0 {
		err = errMemory
	}
	return at, err
}

// bytes are so many of the program's memory. They are valid until the next call.
func (r *run) bytes(at uint32, n int) ([]byte, error) {
	b, in := r.module.Memory().Read(at, uint32(n))
	if !in || n < 0 {
		return nil, errMemory
	}
	return b, nil
}

// take reads a whole file into the program's memory.
func (r *run) take(from io.Reader, size int) (at uint32, err error) {
	if at, err = r.room(size); err != nil {
		return 0, err
	}
	b, err := r.bytes(at, size)
	if err == nil {
		_, err = io.ReadFull(from, b)
	}
	return at, err
}

// numbers has room for so many numbers that the program gives back.
type numbers struct {
	*run
	at uint32
}

func (r *run) numbers(n int) (numbers, error) {
	at, err := r.room(4 * n)
	return numbers{r, at}, err
}

// ref is where the program writes a number.
func (n numbers) ref(i int) uint64 { return uint64(n.at) + uint64(4*i) }

func (n numbers) value(i int) int {
	v, _ := n.module.Memory().ReadUint32Le(uint32(n.ref(i)))
	return int(v)
}

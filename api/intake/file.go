package intake

import (
	"crypto/aes"
	"crypto/cipher"
	"crypto/rand"
	"errors"
	"io"
	"os"
	"path/filepath"
	"runtime/debug"
	"sync"
)

// Spool is a folder for files that are read while a request lasts. The zero value is that of the
// system for temporary files.
type Spool struct{ folder string }

// prefix is what the names of spooled files begin with.
const prefix = "spooled-"

// NewSpool makes the folder where there is none, and removes what a killed process has left in it.
func NewSpool(folder string) (*Spool, error) {
	if err := os.MkdirAll(folder, 0o700); err != nil {
		return nil, err
	}
	left, err := filepath.Glob(filepath.Join(folder, prefix+"*"))
	for _, name := range left {
		if failed := os.Remove(name); !errors.Is(failed, os.ErrNotExist) {
			err = errors.Join(err, failed)
		}
	}
	return &Spool{folder}, err
}

// File is what was read from somebody, on the disk. It is encrypted with a key that is in memory
// alone, so nobody reads it once the process has ended.
type File struct {
	file  *os.File
	block cipher.Block
	size  int64
}

// Take reads something to its end. Where the system allows it the file has no name from the
// beginning, so that nothing is left of it whatever happens.
func (s *Spool) Take(from io.Reader) (*File, error) {
	key := make([]byte, 32)
	_, _ = rand.Read(key) // never fails
	block, err := aes.NewCipher(key)
	if err != nil {
		return nil, err
	}
	file, err := os.CreateTemp(s.folder, prefix+"*") // mode 0600
	if err != nil {
		return nil, err
	}
	_ = os.Remove(file.Name()) // Close removes it where an open file keeps its name
	f := &File{file: file, block: block}
	if f.size, err = io.Copy(cipher.StreamWriter{S: f.stream(), W: file}, from); err != nil {
		return nil, errors.Join(err, f.Close())
	}
	return f, nil
}

// stream is the key stream from the beginning. The key is for this file alone.
func (f *File) stream() cipher.Stream {
	return cipher.NewCTR(f.block, make([]byte, aes.BlockSize)) //nolint:gosec // each file has a key of its own
}

// Size is in bytes.
func (f *File) Size() int { return int(f.size) }

// Reader reads the file from its beginning, each one by itself.
func (f *File) Reader() io.Reader {
	return cipher.StreamReader{S: f.stream(), R: io.NewSectionReader(f.file, 0, f.size)}
}

// Close removes the file.
func (f *File) Close() error {
	err := f.file.Close()
	if failed := os.Remove(f.file.Name()); !errors.Is(failed, os.ErrNotExist) {
		err = errors.Join(err, failed)
	}
	return err
}

// frugalPercent is how much garbage may come on top of what is in use while something large is
// worked on, in percent; Go's own choice is 100.
const frugalPercent = 15

// frugal is how many work on something large, and what was set before the first of them.
var frugal struct {
	sync.Mutex
	working, before int
}

// little is what takes so little memory that to collect garbage for it would cost more than it saves, in bytes.
const little = 1 << 20

// Frugally has garbage collected sooner until end is called. It costs time, and is worth it where
// something takes many times the memory that the process has otherwise. Nothing is done for what takes little: about
// so many bytes.
func Frugally(bytes int) (end func()) {
	if bytes < little {
		return func() {}
	}
	frugal.Lock()
	defer frugal.Unlock()
	if frugal.working++; frugal.working == 1 {
		frugal.before = debug.SetGCPercent(frugalPercent)
		if 0 <= frugal.before && frugal.before < frugalPercent {
			debug.SetGCPercent(frugal.before) // somebody wants less still
		}
	}
	return func() {
		frugal.Lock()
		defer frugal.Unlock()
		if frugal.working--; frugal.working == 0 {
			debug.SetGCPercent(frugal.before)
		}
	}
}

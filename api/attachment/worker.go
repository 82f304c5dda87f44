package attachment

import (
	"bytes"
	"context"
	"encoding/binary"
	"encoding/gob"
	"errors"
	"fmt"
	"image"
	"io"
	"os"
	"os/exec"
	"runtime"
	"runtime/debug"
	"time"

	"portal/api/attachment/sandbox"
)

// idle is how long a process for pictures stays that gets none.
const idle = time.Minute

// mostTime is how long a picture may take there, however little of it processors work for it.
const mostTime = 3 * sandbox.Patience

var started = time.Now() //nolint:forbidigo // a measured span, not a moment anybody sees

// decoded is what becomes of a picture.
type decoded struct {
	Refused Refusal
	Failed  string
	Picture image.YCbCr
}

// Decode decodes the pictures that a Converter sends to in, each with its size before it, and answers
// to out. It returns when there are no more, and ends the process when none comes for a minute or one takes too long.
func Decode(in io.Reader, out io.Writer) error {
	sandbox.Alone()
	debug.SetGCPercent(15)
	runtime.GOMAXPROCS(2) // one for the program, which nothing interrupts, and one for who watches it
	end := time.AfterFunc(idle, func() { os.Exit(0) })
	to := gob.NewEncoder(out)
	for {
		var size uint32
		if err := binary.Read(in, binary.BigEndian, &size); errors.Is(err, io.EOF) {
			return nil
		} else if err != nil {
			return err
		}
		end.Reset(mostTime + time.Second) // the other one ends it sooner, unless it is gone
		file := make(picture, min(size, MostBytes))
		if _, err := io.ReadFull(in, file); err != nil {
			return err
		}
		done := make(chan decoded)
		go func() { done <- decode(file) }()
		d, inTime := await(done)
		if err := to.Encode(d); err != nil {
			return err
		}
		if !inTime {
			os.Exit(0)
		}
		debug.FreeOSMemory()
		end.Reset(idle)
	}
}

// await has a picture take as much time of processors as sandbox.Patience, so that it does not matter
// how much else there is to do.
func await(done <-chan decoded) (d decoded, inTime bool) {
	look := time.NewTicker(100 * time.Millisecond)
	defer look.Stop()
	for before := worked(); ; {
		select {
		case d = <-done:
			return d, true
		case <-look.C:
			if worked()-before > sandbox.Patience {
				return decoded{Refused: Unusual, Failed: sandbox.ErrTooLong.Error()}, false
			}
		}
	}
}

// picture is a file in memory.
type picture []byte

func (p picture) Reader() io.Reader { return bytes.NewReader(p) }
func (p picture) Size() int         { return len(p) }

func decode(file picture) (d decoded) {
	from := &source{ctx: context.Background(), file: file}
	h, err := inspect(from.start(), file.Size())
	if err == nil {
		var to *image.YCbCr
		if to, err = reduced(h, from); err == nil {
			return decoded{Picture: *to}
		}
	}
	err = from.explain(err)
	d.Refused, _ = RefusalOf(err)
	d.Failed = err.Error()
	return d
}

// worker is a process that decodes pictures, one after another.
type worker struct {
	command func() *exec.Cmd
	process *os.Process // nil where there is none
	to      *os.File
	from    *os.File
	limit   *io.LimitedReader // of an answer
	answers *gob.Decoder
}

// mostAnswer is how many bytes a process may answer, which has read what a stranger sent: a picture of MostSide, with
// room to spare.
const mostAnswer = 4 * MostSide * MostSide

// errGone is what a picture fails with of which the process has ended.
var errGone = errors.New("the process that decodes pictures has ended")

// reduce has the process decode a picture. One that takes too long ends with it.
func (w *worker) reduce(_ header, from *source) (*image.YCbCr, error) {
	old := w.process != nil
	d, err := w.ask(from)
	if errors.Is(err, errGone) && old { // it had nothing to do for a minute
		d, err = w.ask(from)
	}
	switch {
	case err != nil:
		return nil, err
	case d.Refused != "":
		return nil, d.Refused
	case d.Failed != "":
		return nil, errors.New(d.Failed)
	}
	return &d.Picture, nil
}

func (w *worker) ask(from *source) (d decoded, err error) {
	if w.process == nil {
		if from.failed = w.start(); from.failed != nil {
			return d, from.failed
		}
	}
	ctx, cancel := context.WithTimeoutCause(from.ctx, mostTime, sandbox.ErrTooLong)
	defer cancel()
	process, size := w.process, from.file.Size()
	defer context.AfterFunc(ctx, func() { _ = process.Kill() })()
	err = binary.Write(w.to, binary.BigEndian, uint32(size))
	if err == nil {
		_, err = io.CopyN(w.to, from.start(), int64(size))
	}
	if err == nil {
		w.limit.N = mostAnswer
		err = w.answers.Decode(&d)
	}
	if err == nil && ctx.Err() == nil {
		return d, nil
	}
	w.end()
	if cause := context.Cause(ctx); cause != nil {
		return d, cause
	}
	return d, fmt.Errorf("%w: %w", errGone, err)
}

// start begins a process that has nothing of this one but two pipes.
func (w *worker) start() error {
	in, to, err := os.Pipe()
	if err != nil {
		return err
	}
	from, out, err := os.Pipe()
	if err != nil {
		return errors.Join(err, in.Close(), to.Close())
	}
	c := w.command()
	c.Stdin, c.Stdout = in, out
	err = errors.Join(c.Start(), in.Close(), out.Close())
	if err != nil {
		return errors.Join(err, to.Close(), from.Close())
	}
	go func() { _ = c.Wait() }() // or it would stay as a zombie
	w.process, w.to, w.from, w.limit = c.Process, to, from, &io.LimitedReader{R: from}
	w.answers = gob.NewDecoder(w.limit)
	return nil
}

func (w *worker) end() {
	_ = w.process.Kill()
	_ = errors.Join(w.to.Close(), w.from.Close())
	w.process = nil
}

package attachment_test

import (
	"context"
	"errors"
	"os/exec"
	"runtime"
	"testing"
	"time"

	"portal/api/attachment"
)

func TestPictureEndsWithItsProcess(t *testing.T) {
	t.Parallel()
	_, err := isolated(time.Minute, ends).Convert(t.Context(), file(stored(t, "corners.heic")))
	refused(t, err, attachment.Damaged)
}

// What a process answers is bounded: it has read what a stranger sent. Not parallel: what others make counts, too.
func TestAnswerWithoutEndIsNotRead(t *testing.T) { //nolint:paralleltest // as said
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	_, err := isolated(time.Minute, floods).Convert(t.Context(), file(stored(t, "corners.heic")))
	refused(t, err, attachment.Damaged)
	runtime.ReadMemStats(&after)
	if took := after.TotalAlloc - before.TotalAlloc; took > 200<<20 {
		t.Errorf("%d bytes were made of it", took)
	}
}

func TestProcessThatCannotStartIsNotImageRefusal(t *testing.T) {
	t.Parallel()
	c := attachment.NewIsolatedConverter(time.Minute, func() *exec.Cmd { return exec.Command("/nowhere/portal") })
	_, err := c.Convert(t.Context(), file(stored(t, "corners.heic")))
	if why, is := attachment.RefusalOf(err); err == nil || is {
		t.Errorf("%v, refused as %q", err, string(why))
	}
	if p, err := c.Convert(t.Context(), file(jpegOf(t, corners()))); err != nil || p.Width != 48 {
		t.Error("no other picture is taken: ", err)
	}
}

func TestCanceledConversionEndsItsProcess(t *testing.T) {
	t.Parallel()
	ctx, cancel := context.WithCancel(t.Context())
	time.AfterFunc(200*time.Millisecond, cancel)
	_, err := isolated(time.Minute, hangs).Convert(ctx, file(stored(t, "corners.heic")))
	if !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
}

func TestProcessThatHasEndedIsStartedAgain(t *testing.T) {
	t.Parallel()
	var last *exec.Cmd
	own := isolatedBy(decodes)
	c := attachment.NewIsolatedConverter(time.Minute, func() *exec.Cmd {
		last = own()
		return last
	})
	for range 3 {
		p, err := c.Convert(t.Context(), file(stored(t, "corners.heic")))
		must(t, err)
		checkPhoto(t, p)
		must(t, last.Process.Kill())
	}
}

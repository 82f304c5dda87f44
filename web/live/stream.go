package live

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"reflect"
	"strings"
	"time"

	"portal/api/account"
	"portal/api/fault"
	"portal/web/page"
)

// Component is a part of a page, as templ makes it.
type Component interface {
	Render(ctx context.Context, w io.Writer) error
}

// Feed is what a stream shows to its reader.
type Feed interface {
	// Next is what is new since a cursor, nil for nothing, and the cursor behind it. The cursor "" stands for a
	// page that has nothing yet.
	Next(ctx context.Context, cursor string) (Component, string, error)
}

// Serve answers with what a feed has, until the reader goes, their rights change or the server stops. It
// writes nothing into the session.
func (s *Streams) Serve(v *page.Request, f Feed) error {
	cursor, err := begins(v)
	if err != nil {
		return err
	}
	leave, err := s.enter(v.Person.SessionID + "\n" + v.Person.UserID)
	if err != nil {
		return err
	}
	defer leave()
	t := &stream{Request: v, all: s, feed: f, cursor: cursor, control: http.NewResponseController(v.Response())}
	if err := t.begin(); err != nil || v.Request().Method == http.MethodHead {
		return err
	}
	t.run()
	return nil
}

// stream is a feed on its way to a browser.
type stream struct {
	*page.Request
	all     *Streams
	feed    Feed
	cursor  string // of the last event
	control *http.ResponseController
}

// errGone tells that the reader is.
var errGone = errors.New("the reader is gone")

// begin sends the head of the answer. The server's limits are for answers that end soon.
func (t *stream) begin() error {
	if err := t.control.SetReadDeadline(time.Time{}); err != nil {
		return fmt.Errorf("open a stream: %w", err)
	}
	h := t.Response().Header()
	h.Set("Content-Type", "text/event-stream")
	h.Set("Cache-Control", "no-store")
	h.Set("X-Accel-Buffering", "no") // nginx would hold it back
	t.Response().WriteHeader(http.StatusOK)
	if t.Request.Request().Method != http.MethodHead {
		_ = t.write("retry: 2000\n\n") // who is gone already is noticed by run
	}
	return nil
}

// run goes on until there is a reason to end. The browser then connects again, and is checked as with every
// request.
func (t *stream) run() {
	pace := t.all.Pace
	look, beat := time.NewTicker(pace.Look), time.NewTicker(pace.Beat)
	recheck, end := time.NewTicker(pace.Recheck), time.NewTimer(pace.End)
	defer look.Stop()
	defer beat.Stop()
	defer recheck.Stop()
	defer end.Stop()
	err := t.next() // what happened since the page was drawn
	for err == nil {
		select {
		case <-t.Ctx().Done():
			return
		case <-t.all.ended:
			return
		case <-end.C:
			return
		case <-recheck.C:
			err = t.recheck()
		case <-beat.C:
			err = t.write(": still here\n\n")
		case <-look.C:
			err = t.next()
		}
	}
	if !errors.Is(err, errGone) && !fault.Is(err, fault.NoRecord) && t.Ctx().Err() == nil {
		t.Shell.Log.Error("stream broke", "request_id", t.ID, "error", err)
	}
}

// next sends what is new.
func (t *stream) next() error {
	fresh, cursor, err := t.feed.Next(t.Ctx(), t.cursor)
	if err != nil || fresh == nil {
		return err
	}
	var b bytes.Buffer
	if err := fresh.Render(t.Ctx(), &b); err != nil {
		return err
	}
	t.cursor = cursor
	return t.write(event(cursor, b.String()))
}

// lines are what ends a line in a stream (HTML Standard, section 9.2.6).
var lines = strings.NewReplacer("\r\n", "\ndata: ", "\r", "\ndata: ", "\n", "\ndata: ")

func event(id, data string) string { return "id: " + id + "\ndata: " + lines.Replace(data) + "\n\n" }

// write sends a piece. A reader who does not take it in time is dropped.
func (t *stream) write(piece string) error {
	until := time.Now().Add(t.all.Pace.Patience) //nolint:forbidigo // the connection's own time
	if t.control.SetWriteDeadline(until) != nil {
		return errGone
	}
	if _, err := io.WriteString(t.Response(), piece); err != nil || t.control.Flush() != nil {
		return errGone
	}
	return nil
}

// recheck ends the stream where the session is over, or what its reader may do is not what it was.
func (t *stream) recheck() error {
	from := t.From()
	from.Unattended = true
	now, err := t.Shell.People.Visitor(t.Ctx(), t.GuestCookie("session"), from)
	if err != nil {
		return err
	}
	if !same(t.Person, now) {
		return errGone
	}
	return nil
}

func same(was, now *account.Visitor) bool {
	return was.SessionID == now.SessionID && was.UserID == now.UserID && was.Role == now.Role &&
		was.Pending == now.Pending && reflect.DeepEqual(was.Account, now.Account)
}

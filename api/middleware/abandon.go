package middleware

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/http"
	"runtime/debug"
)

// clientClosedRequest is the status under which the request log keeps a request whose
// client went away before its answer. No client ever sees it; the number is nginx's.
const clientClosedRequest = 499

// panicked is the error that a panic becomes, with its stack.
type panicked struct {
	value any
	stack []byte
}

// Error is what the log shows.
func (p *panicked) Error() string { return fmt.Sprintf("panic: %v\n%s", p.value, p.stack) }

// Contain turns a panic into an error that has its stack. http.ErrAbortHandler goes on to net/http, which
// cuts the connection: the answer has begun and cannot be completed.
func Contain(answer func() error) (err error) {
	defer func() {
		switch caught := recover(); caught {
		case nil:
		case http.ErrAbortHandler:
			panic(caught)
		default:
			err = &panicked{caught, debug.Stack()}
		}
	}()
	return answer()
}

// Abandoned reports whether a request failed only because its client went away, by the
// context of the request: nobody's fault, and nothing that a log has to complain of. A
// panic is never that.
func Abandoned(ctx context.Context, err error) bool {
	var p *panicked
	return errors.Is(ctx.Err(), context.Canceled) && !errors.As(err, &p)
}

// Unwritten reports whether an answer that had begun could not be written to its end.
func Unwritten(err error) bool {
	var o *net.OpError
	return errors.As(err, &o) && o.Op == "write"
}

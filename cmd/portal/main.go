// Command portal is the whole product in one binary: the service and the
// sub-commands that look after it.
//
// It is the only package that reads the environment and the only one that sees
// all the others.
package main

import (
	"context"
	"io"
	"os"
	"os/signal"
	"syscall"
	_ "time/tzdata" // time zones without a system's own
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	code := run(ctx, stop, os.Args[1:], os.Getenv, os.Stdin, os.Stdout, os.Stderr)
	stop()
	os.Exit(code)
}

// app is the process as a sub-command sees it.
type app struct {
	getenv func(string) string
	in     io.Reader
	out    io.Writer
	err    io.Writer
	// unhook gives signals back their default once a stop has begun, so that a
	// second one ends the process at once.
	unhook func()
}

// run is main without the process, for tests.
func run(
	ctx context.Context, unhook func(), args []string, getenv func(string) string, in io.Reader, out, err io.Writer,
) int {
	a := &app{
		getenv: getenv,
		in:     in,
		out:    out,
		err:    err,
		unhook: unhook,
	}
	return a.dispatch(ctx, args)
}

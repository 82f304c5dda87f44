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
	"os/exec"
	"os/signal"
	"syscall"
	_ "time/tzdata" // time zones without a system's own

	"portal/api/attachment"
	"portal/cmd/portal/cli"
)

// decodesPictures is the argument of a process of our own that decodes pictures in a sandbox.
const decodesPictures = "decode-pictures"

// pictureDecoder prepares that process, which gets nothing of the environment.
func pictureDecoder() *exec.Cmd {
	self, err := os.Executable()
	if err != nil {
		self = os.Args[0]
	}
	c := exec.CommandContext(context.Background(), self, decodesPictures) //nolint:gosec // this program itself
	c.Env = []string{}
	return c
}

func main() {
	if len(os.Args) == 2 && os.Args[1] == decodesPictures {
		signal.Ignore(os.Interrupt, syscall.SIGTERM) // it ends with the service
		if attachment.Decode(os.Stdin, os.Stdout) != nil {
			os.Exit(1)
		}
		return
	}
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	code := run(ctx, stop, os.Args[1:], os.Getenv, os.Stdin, os.Stdout, os.Stderr)
	stop()
	os.Exit(code)
}

// run is main without the process, for tests.
func run(
	ctx context.Context, unhook func(), args []string, getenv func(string) string, in io.Reader, out, err io.Writer,
) int {
	a := &cli.App{
		Getenv:   getenv,
		In:       in,
		Out:      out,
		Err:      err,
		Unhook:   unhook,
		Commands: commands,
	}
	a.Open, a.Create = opener(a, openExisting), opener(a, openProduct)
	a.ConfiguredURL = func() (string, error) {
		c, err := configure(getenv)
		if err != nil {
			return "", err
		}
		return c.baseURL, nil
	}
	return a.Dispatch(ctx, args)
}

// opener opens the product that the configuration names, for a sub-command.
func opener(
	a *cli.App, open func(context.Context, *config) (*product, error),
) func(context.Context) (*cli.Product, error) {
	return func(ctx context.Context) (*cli.Product, error) {
		c, err := configured(ctx, a)
		if err != nil {
			return nil, err
		}
		p, err := open(ctx, c)
		if err != nil {
			return nil, err
		}
		return &p.Product, nil
	}
}

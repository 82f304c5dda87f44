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

	"portal/cmd/portal/cli"
)

func main() {
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

// Package cli has the sub-commands of portal that look after what the service keeps, and how a command
// line is read, helped with and reported on.
//
// It reads no environment and opens no database: main gives it both.
package cli

import (
	"context"
	"io"
)

// App is the process as a sub-command sees it.
type App struct {
	Getenv func(string) string
	In     io.Reader
	Out    io.Writer
	Err    io.Writer
	// Unhook gives signals back their default once a stop has begun, so that a
	// second one ends the process at once.
	Unhook func()
	// Commands are all sub-commands, in the order of the help.
	Commands []Command
	// Open opens the product that the configuration names, which must be there.
	Open func(context.Context) (*Product, error)
	// Create is Open where there may be nothing yet.
	Create func(context.Context) (*Product, error)
	// ConfiguredURL is the address of the service, by the configuration.
	ConfiguredURL func() (string, error)
}

// with runs a sub-command over the product that is there.
func (a *App) with(ctx context.Context, do func(*Product) error) error { return over(ctx, a.Open, do) }

// Making runs a sub-command over the product, which is made where there is none.
func (a *App) Making(ctx context.Context, do func(*Product) error) error {
	return over(ctx, a.Create, do)
}

func over(ctx context.Context, open func(context.Context) (*Product, error), do func(*Product) error) error {
	p, err := open(ctx)
	if err != nil {
		return err
	}
	err = do(p)
	if closed := p.Close(); err == nil {
		err = closed
	}
	return err
}

// Package cli has the sub-commands of portal that look after what the service keeps, and how a command
// line is read, helped with and reported on.
//
// It reads no environment and opens no database: main gives it both.
package cli

import (
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"slices"
	"strings"

	"portal/api/developer"
	"portal/api/fault"
)

// Exit codes.
const (
	ExitDone   = 0
	ExitFailed = 1
	ExitMisuse = 2
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

// Command is a sub-command.
type Command struct {
	Name  string // one word or two
	Args  string // what stands behind it in the help
	Short string
	Bind  func(*Flags) Action // declares its flags
}

// Action does what a sub-command is for.
type Action func(ctx context.Context, c *Call) error

// Misuse is a call that cannot be understood.
type Misuse string

func (m Misuse) Error() string { return string(m) }

// Settings are all mistakes of the configuration at once.
type Settings []string

func (s Settings) Error() string { return strings.Join(s, "\n") }

// Dispatch finds the sub-command, runs it and turns what it returns into an exit
// code.
func (a *App) Dispatch(ctx context.Context, args []string) int {
	switch {
	case len(args) == 0:
		a.usage(a.Err)
		return ExitMisuse
	case isHelp(args[0]) && (len(args) == 1 || isHelp(args[1])):
		a.usage(a.Out)
		return ExitDone
	case isHelp(args[0]):
		return a.Dispatch(ctx, append(slices.Clone(args[1:]), "--help"))
	case args[0] == "--version":
		args = append([]string{"version"}, args[1:]...)
	}
	var group []Command
	for _, c := range a.Commands {
		words := strings.Fields(c.Name)
		if len(args) >= len(words) && slices.Equal(args[:len(words)], words) {
			return a.report(c.Name, a.call(ctx, c, args[len(words):]))
		}
		if len(words) > 1 && words[0] == args[0] {
			group = append(group, c)
		}
	}
	if group != nil {
		return a.group(group, args)
	}
	fmt.Fprintf(a.Err, "portal: there is no command %q\n\n", args[0])
	a.usage(a.Err)
	return ExitMisuse
}

func isHelp(word string) bool { return word == "help" || word == "--help" || word == "-h" }

// usage lists all commands.
func (a *App) usage(w io.Writer) {
	fmt.Fprint(w, "portal runs the API and dashboard for rental portfolios.\n\n",
		"Usage: portal COMMAND [ARGUMENTS] [FLAGS]\n\n")
	for _, c := range a.Commands {
		fmt.Fprintf(w, "  %-28s %s\n", c.Name, c.Short)
	}
	fmt.Fprint(w, "\nportal COMMAND --help shows a command's arguments and flags. Every command takes --json.\n")
}

// group lists the commands of a group: where help is asked for as an answer, else as what
// is wrong with a call that names none of them.
func (a *App) group(all []Command, args []string) int {
	w, code := a.Err, ExitMisuse
	if len(args) > 1 && isHelp(args[1]) {
		w, code = a.Out, ExitDone
	} else if len(args) > 1 && !strings.HasPrefix(args[1], "-") {
		fmt.Fprintf(w, "portal: there is no command %q\n\n", args[0]+" "+args[1])
	}
	fmt.Fprintf(w, "Usage: portal %s COMMAND [ARGUMENTS] [FLAGS]\n\n", args[0])
	for _, c := range all {
		fmt.Fprintf(w, "  %s\n      %s\n", strings.TrimSpace("portal "+c.Name+" "+c.Args), c.Short)
	}
	fmt.Fprintf(w, "\nportal %s COMMAND --help shows a command's flags. Every command takes --json.\n", args[0])
	return code
}

// call parses flags, which may stand before and behind the arguments, and runs a command.
func (a *App) call(ctx context.Context, command Command, args []string) error {
	c := &Call{App: a}
	f := &Flags{FlagSet: flag.NewFlagSet(command.Name, flag.ContinueOnError), JSON: "print JSON"}
	f.SetOutput(io.Discard)
	act := command.Bind(f)
	f.BoolVar(&c.JSON, "json", false, f.JSON)
	for {
		err := f.Parse(args)
		if errors.Is(err, flag.ErrHelp) {
			fmt.Fprintf(a.Out, "Usage: portal %s %s\n\n%s.\n\n", command.Name, command.Args, command.Short)
			f.SetOutput(a.Out)
			f.PrintDefaults()
			return nil
		}
		if err != nil {
			return Misuse(err.Error())
		}
		if f.NArg() == 0 {
			break
		}
		c.Args, args = append(c.Args, f.Arg(0)), f.Args()[1:]
	}
	if least, most := arity(command.Args); len(c.Args) < least || len(c.Args) > most {
		want := fmt.Sprintf("%d arguments", most)
		if least != most {
			want = fmt.Sprintf("%d or %d arguments", least, most)
		} else if most == 1 {
			want = "1 argument"
		}
		return Misuse(fmt.Sprintf("want %s, not %d: portal %s", want, len(c.Args),
			strings.TrimSpace(command.Name+" "+command.Args)))
	}
	for _, check := range f.checks {
		if err := check(c); err != nil {
			return err
		}
	}
	return act(ctx, c)
}

// arity counts the arguments of a usage line that are no flags; one in brackets may be
// left out.
func arity(usage string) (least, most int) {
	for word := range strings.FieldsSeq(usage) {
		if strings.HasPrefix(strings.TrimLeft(word, "["), "--") {
			break
		}
		most++
		if !strings.HasPrefix(word, "[") {
			least++
		}
	}
	return least, most
}

// report prints an error and gives the exit code.
func (a *App) report(name string, err error) int {
	var wrong Misuse
	var unset Settings
	var several *developer.SeveralAccounts
	switch {
	case err == nil:
		return ExitDone
	case errors.As(err, &unset):
		fmt.Fprintf(a.Err, "portal: the configuration is invalid:\n%s\n", unset)
		return ExitMisuse
	case errors.As(err, &several):
		fmt.Fprintf(a.Err, "portal %s: %s. Choose one with --account, by email address or ID.\n", name, several)
		return ExitMisuse
	case errors.As(err, &wrong):
		fmt.Fprintf(a.Err, "portal %s: %s\n", name, wrong)
		return ExitMisuse
	}
	if f, is := errors.AsType[*fault.Error](err); is && f.Code != fault.Internal {
		for _, d := range f.Details[min(1, len(f.Details)):] {
			fmt.Fprintf(a.Err, "portal %s: %s\n", name, d.Message)
		}
		err = errors.New(f.Message)
	}
	fmt.Fprintf(a.Err, "portal %s: %s\n", name, err)
	return ExitFailed
}

// Print writes a value as JSON, or the sentence for people.
func (c *Call) Print(v any, sentence string, args ...any) error {
	if !c.JSON {
		_, err := fmt.Fprintf(c.Out, sentence+"\n", args...)
		return err
	}
	return c.printJSON(v)
}

// Result is Print of what came of an action, or the error that it ended with.
func (c *Call) Result(v any, err error, sentence string, args ...any) error {
	if err != nil {
		return err
	}
	return c.Print(v, sentence, args...)
}

func (a *App) printJSON(v any) error {
	e := json.NewEncoder(a.Out)
	e.SetIndent("", "  ")
	return e.Encode(v)
}

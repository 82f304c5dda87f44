package cli

import (
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
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

// Command is a sub-command.
type Command struct {
	Name  string // one word or two
	Args  string // what stands behind it in the help
	Short string
	Bind  func(*flag.FlagSet) Action // declares its flags
}

// Action does what a sub-command is for, with the arguments that are no flags.
type Action func(ctx context.Context, a *App, args []string) error

// Misuse is a call that cannot be understood.
type Misuse string

func (m Misuse) Error() string { return string(m) }

// Settings are all mistakes of the configuration at once.
type Settings []string

func (s Settings) Error() string { return strings.Join(s, "\n") }

// Dispatch finds the sub-command, runs it and turns what it returns into an exit
// code.
func (a *App) Dispatch(ctx context.Context, args []string) int {
	if len(args) == 0 {
		a.usage(a.Err)
		return ExitMisuse
	}
	switch args[0] {
	case "help", "--help", "-h":
		return a.help(ctx, args[1:])
	case "--version":
		args = append([]string{"version"}, args[1:]...)
	}
	if c, rest, found := a.commandOf(args); found {
		return a.report(c, a.call(ctx, c, rest))
	}
	if group := a.commandsOf(args[0]); group != nil {
		return a.group(group, args)
	}
	fmt.Fprintf(a.Err, "portal: there is no command %q\n\n", args[0])
	a.usage(a.Err)
	return ExitMisuse
}

// commandOf finds the command that a line begins with, and what stands behind its name.
func (a *App) commandOf(args []string) (c Command, rest []string, found bool) {
	for _, c := range a.Commands {
		words := strings.Fields(c.Name)
		if len(args) >= len(words) && strings.Join(args[:len(words)], " ") == c.Name {
			return c, args[len(words):], true
		}
	}
	return Command{}, nil, false
}

// call parses flags, which may stand before and behind the arguments.
func (a *App) call(ctx context.Context, c Command, args []string) error {
	flags := flag.NewFlagSet(c.Name, flag.ContinueOnError)
	flags.SetOutput(io.Discard)
	act := c.Bind(flags)
	if flags.Lookup("json") == nil {
		flags.Bool("json", false, "print JSON")
	}
	var rest []string
	for {
		err := flags.Parse(args)
		if errors.Is(err, flag.ErrHelp) {
			fmt.Fprintf(a.Out, "Usage: portal %s %s\n\n%s.\n\n", c.Name, c.Args, c.Short)
			flags.SetOutput(a.Out)
			flags.PrintDefaults()
			return nil
		}
		if err != nil {
			return Misuse(err.Error())
		}
		if flags.NArg() == 0 {
			break
		}
		rest = append(rest, flags.Arg(0))
		args = flags.Args()[1:]
	}
	least, most := arity(c.Args)
	if len(rest) < least || len(rest) > most {
		return Misuse(fmt.Sprintf("want %s, not %d: portal %s", countOf(least, most), len(rest),
			strings.TrimSpace(c.Name+" "+c.Args)))
	}
	return act(ctx, a, rest)
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

func countOf(least, most int) string {
	switch {
	case least != most:
		return fmt.Sprintf("%d or %d arguments", least, most)
	case most == 1:
		return "1 argument"
	}
	return fmt.Sprintf("%d arguments", most)
}

// report prints an error and gives the exit code.
func (a *App) report(c Command, err error) int {
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
		fmt.Fprintf(a.Err, "portal %s: %s. Choose one with --account, by email address or ID.\n", c.Name, several)
		return ExitMisuse
	case errors.As(err, &wrong):
		fmt.Fprintf(a.Err, "portal %s: %s\n", c.Name, wrong)
		return ExitMisuse
	}
	var f *fault.Error
	if errors.As(err, &f) && f.Code != fault.Internal {
		for _, d := range f.Details[min(1, len(f.Details)):] {
			fmt.Fprintf(a.Err, "portal %s: %s\n", c.Name, d.Message)
		}
		err = errors.New(f.Message)
	}
	fmt.Fprintf(a.Err, "portal %s: %s\n", c.Name, err)
	return ExitFailed
}

// Print writes a value as JSON, or the sentence for people.
func (a *App) Print(asJSON bool, v any, sentence string, args ...any) error {
	if !asJSON {
		_, err := fmt.Fprintf(a.Out, sentence+"\n", args...)
		return err
	}
	e := json.NewEncoder(a.Out)
	e.SetIndent("", "  ")
	return e.Encode(v)
}

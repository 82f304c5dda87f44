package main

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
	exitDone   = 0
	exitFailed = 1
	exitMisuse = 2
)

// command is a sub-command.
type command struct {
	name  string // one word or two
	args  string // what stands behind it in the help
	short string
	bind  func(*flag.FlagSet) action // declares its flags
}

// action does what a sub-command is for, with the arguments that are no flags.
type action func(ctx context.Context, a *app, args []string) error

// misuse is a call that cannot be understood.
type misuse string

func (m misuse) Error() string { return string(m) }

// settings are all mistakes of the configuration at once.
type settings []string

func (s settings) Error() string { return strings.Join(s, "\n") }

func commands() []command {
	return []command{
		serveCommand,
		migrateCommand,
		healthCommand,
		userAddCommand,
		memberAddCommand,
		accessRequestCommand,
		accessListCommand,
		accessApproveCommand,
		accessDenyCommand,
		accessRevokeCommand,
		planSetCommand,
		keyCreateCommand,
		keyListCommand,
		keyRevokeCommand,
		webhookUpdateCommand,
		webhookTestCommand,
		webhookEventsCommand,
		webhookEventCommand,
		webhookDeliveriesCommand,
		webhookDeliveryCommand,
		webhookRedeliverCommand,
		webhookEnableCommand,
		webhookResendCommand,
		webhookVerifyCommand,
		mailListCommand,
		mailShowCommand,
		secretRotateCommand,
		backupCommand,
		restoreCommand,
		activityCommand,
		importCommand,
		triggerCommand,
		listenCommand,
		openapiCommand,
		versionCommand,
	}
}

// dispatch finds the sub-command, runs it and turns what it returns into an exit
// code.
func (a *app) dispatch(ctx context.Context, args []string) int {
	if len(args) == 0 {
		a.usage(a.err)
		return exitMisuse
	}
	switch args[0] {
	case "help", "--help", "-h":
		return a.help(ctx, args[1:])
	case "--version":
		args = append([]string{"version"}, args[1:]...)
	}
	if c, rest, found := commandOf(args); found {
		return a.report(c, a.call(ctx, c, rest))
	}
	if group := commandsOf(args[0]); group != nil {
		return a.group(group, args)
	}
	fmt.Fprintf(a.err, "portal: there is no command %q\n\n", args[0])
	a.usage(a.err)
	return exitMisuse
}

// commandOf finds the command that a line begins with, and what stands behind its name.
func commandOf(args []string) (c command, rest []string, found bool) {
	for _, c := range commands() {
		words := strings.Fields(c.name)
		if len(args) >= len(words) && strings.Join(args[:len(words)], " ") == c.name {
			return c, args[len(words):], true
		}
	}
	return command{}, nil, false
}

// call parses flags, which may stand before and behind the arguments.
func (a *app) call(ctx context.Context, c command, args []string) error {
	flags := flag.NewFlagSet(c.name, flag.ContinueOnError)
	flags.SetOutput(io.Discard)
	act := c.bind(flags)
	if flags.Lookup("json") == nil {
		flags.Bool("json", false, "answer in JSON")
	}
	var rest []string
	for {
		err := flags.Parse(args)
		if errors.Is(err, flag.ErrHelp) {
			fmt.Fprintf(a.out, "Usage: portal %s %s\n\n%s.\n\n", c.name, c.args, c.short)
			flags.SetOutput(a.out)
			flags.PrintDefaults()
			return nil
		}
		if err != nil {
			return misuse(err.Error())
		}
		if flags.NArg() == 0 {
			break
		}
		rest = append(rest, flags.Arg(0))
		args = flags.Args()[1:]
	}
	least, most := arity(c.args)
	if len(rest) < least || len(rest) > most {
		return misuse(fmt.Sprintf("want %s, not %d: portal %s", countOf(least, most), len(rest),
			strings.TrimSpace(c.name+" "+c.args)))
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
func (a *app) report(c command, err error) int {
	var wrong misuse
	var unset settings
	var several *developer.SeveralAccounts
	switch {
	case err == nil:
		return exitDone
	case errors.As(err, &unset):
		fmt.Fprintf(a.err, "portal: the configuration is wrong:\n%s\n", unset)
		return exitMisuse
	case errors.As(err, &several):
		fmt.Fprintf(a.err, "portal %s: %s. Say which one with --account, by address or id.\n", c.name, several)
		return exitMisuse
	case errors.As(err, &wrong):
		fmt.Fprintf(a.err, "portal %s: %s\n", c.name, wrong)
		return exitMisuse
	}
	var f *fault.Error
	if errors.As(err, &f) && f.Code != fault.Internal {
		for _, d := range f.Details[min(1, len(f.Details)):] {
			fmt.Fprintf(a.err, "portal %s: %s\n", c.name, d.Message)
		}
		err = errors.New(f.Message)
	}
	fmt.Fprintf(a.err, "portal %s: %s\n", c.name, err)
	return exitFailed
}

// print writes a value as JSON, or the sentence for people.
func (a *app) print(asJSON bool, v any, sentence string, args ...any) error {
	if !asJSON {
		_, err := fmt.Fprintf(a.out, sentence+"\n", args...)
		return err
	}
	e := json.NewEncoder(a.out)
	e.SetIndent("", "  ")
	return e.Encode(v)
}

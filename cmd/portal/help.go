package main

import (
	"context"
	"fmt"
	"io"
	"slices"
	"strings"
)

// commandsOf are the commands of a group, nil where there is no such group.
func commandsOf(group string) (all []command) {
	for _, c := range commands() {
		if strings.HasPrefix(c.name, group+" ") {
			all = append(all, c)
		}
	}
	return all
}

// usage lists all commands.
func (a *app) usage(w io.Writer) {
	fmt.Fprint(
		w,
		"portal is a developer platform for landlords' portfolios.\n\nUsage: portal COMMAND [ARGUMENTS] [FLAGS]\n\n",
	)
	for _, c := range commands() {
		fmt.Fprintf(w, "  %-50s %s\n", c.name+" "+c.args, c.short)
	}
	fmt.Fprint(w, "\nportal COMMAND --help tells the flags of a command; each takes --json.\n")
}

// help answers "portal help": all commands, those of a group, or one.
func (a *app) help(ctx context.Context, args []string) int {
	if len(args) == 0 {
		a.usage(a.out)
		return exitDone
	}
	return a.dispatch(ctx, append(slices.Clone(args), "--help"))
}

// group lists the commands of a group: where help is asked for as an answer, else as what
// is wrong with a call that names none of them.
func (a *app) group(all []command, args []string) int {
	if len(args) > 1 && slices.Contains([]string{"help", "--help", "-h"}, args[1]) {
		listCommands(a.out, args[0], all)
		return exitDone
	}
	if len(args) > 1 && !strings.HasPrefix(args[1], "-") {
		fmt.Fprintf(a.err, "portal: there is no command %q\n\n", args[0]+" "+args[1])
	}
	listCommands(a.err, args[0], all)
	return exitMisuse
}

func listCommands(w io.Writer, group string, all []command) {
	fmt.Fprintf(w, "Usage: portal %s COMMAND [ARGUMENTS] [FLAGS]\n\n", group)
	for _, c := range all {
		fmt.Fprintf(w, "  %s\n      %s\n", strings.TrimSpace("portal "+c.name+" "+c.args), c.short)
	}
	fmt.Fprintf(w, "\nportal %s COMMAND --help tells the flags of a command; each takes --json.\n", group)
}

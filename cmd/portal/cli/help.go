package cli

import (
	"context"
	"fmt"
	"io"
	"slices"
	"strings"
)

// commandsOf are the commands of a group, nil where there is no such group.
func (a *App) commandsOf(group string) (all []Command) {
	for _, c := range a.Commands {
		if strings.HasPrefix(c.Name, group+" ") {
			all = append(all, c)
		}
	}
	return all
}

// usage lists all commands.
func (a *App) usage(w io.Writer) {
	fmt.Fprint(
		w,
		"portal runs the API and dashboard for rental portfolios.\n\nUsage: portal COMMAND [ARGUMENTS] [FLAGS]\n\n",
	)
	for _, c := range a.Commands {
		fmt.Fprintf(w, "  %-28s %s\n", c.Name, c.Short)
	}
	fmt.Fprint(w, "\nportal COMMAND --help shows a command's arguments and flags. Every command takes --json.\n")
}

// help answers "portal help": all commands, those of a group, or one.
func (a *App) help(ctx context.Context, args []string) int {
	if len(args) == 0 {
		a.usage(a.Out)
		return ExitDone
	}
	return a.Dispatch(ctx, append(slices.Clone(args), "--help"))
}

// group lists the commands of a group: where help is asked for as an answer, else as what
// is wrong with a call that names none of them.
func (a *App) group(all []Command, args []string) int {
	if len(args) > 1 && slices.Contains([]string{"help", "--help", "-h"}, args[1]) {
		listCommands(a.Out, args[0], all)
		return ExitDone
	}
	if len(args) > 1 && !strings.HasPrefix(args[1], "-") {
		fmt.Fprintf(a.Err, "portal: there is no command %q\n\n", args[0]+" "+args[1])
	}
	listCommands(a.Err, args[0], all)
	return ExitMisuse
}

func listCommands(w io.Writer, group string, all []Command) {
	fmt.Fprintf(w, "Usage: portal %s COMMAND [ARGUMENTS] [FLAGS]\n\n", group)
	for _, c := range all {
		fmt.Fprintf(w, "  %s\n      %s\n", strings.TrimSpace("portal "+c.Name+" "+c.Args), c.Short)
	}
	fmt.Fprintf(w, "\nportal %s COMMAND --help shows a command's flags. Every command takes --json.\n", group)
}

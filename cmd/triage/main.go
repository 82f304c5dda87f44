// Program triage makes the model of api/triage and measures it.
//
//	go run ./cmd/triage train      writes api/triage/model.bin
//	go run ./cmd/triage measure    prints how well it judges
//	go run ./cmd/triage sources    prints how well it judges hands that it learnt nothing from
//	go run ./cmd/triage rows       writes the rows that baseline.py compares on
package main

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"

	"portal/api/triage"
)

// version names the model after the month in which its data or rules last changed.
const version = "2026-11"

const folder = "api/triage"

func main() {
	if err := run(os.Args[1:], os.Stdout); err != nil {
		fmt.Fprintln(os.Stderr, "triage:", err)
		os.Exit(1)
	}
}

func run(args []string, out io.Writer) error {
	if len(args) != 1 {
		return errors.New("usage: triage train|measure|sources|rows, at the root of the module")
	}
	switch args[0] {
	case "train":
		return write(out)
	case "measure":
		return measure(out)
	case "sources":
		return sources(out)
	case "rows":
		return rows(out)
	}
	return fmt.Errorf("%s is no command: there are train, measure, sources and rows", args[0])
}

// write trains on all that may be trained on and writes the model's file.
func write(out io.Writer) error {
	all, err := training(folder)
	if err != nil {
		return err
	}
	file := train(all)
	if _, err := triage.New(file); err != nil {
		return err
	}
	fmt.Fprintf(out, "%d messages, %d bytes\n", len(all), len(file))
	return os.WriteFile(filepath.Join(folder, "model.bin"), file, 0o600)
}

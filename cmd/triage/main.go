// Program triage makes the model of api/triage and measures it.
//
//	go run ./cmd/triage train      writes api/triage/model.bin
//	go run ./cmd/triage measure    prints how well it judges
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
		return errors.New("usage: triage train|measure|rows, at the root of the module")
	}
	switch args[0] {
	case "train":
		return write(out)
	case "measure":
		return measure(out)
	case "rows":
		return rows(out)
	}
	return fmt.Errorf("%s is no command: there are train, measure and rows", args[0])
}

// write trains on all that may be trained on and writes the model's file.
func write(out io.Writer) error {
	all, err := training(folder)
	if err != nil {
		return err
	}
	concepts, ngrams := train(all)
	if _, err := triage.New(concepts, ngrams); err != nil {
		return err
	}
	fmt.Fprintf(out, "%d messages, %d and %d bytes\n", len(all), len(concepts), len(ngrams))
	return errors.Join(
		os.WriteFile(filepath.Join(folder, "model.bin"), concepts, 0o600),
		os.WriteFile(filepath.Join(folder, "ngrams.bin"), ngrams, 0o600),
	)
}

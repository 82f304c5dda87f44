// Program triage makes the model of api/triage and measures it.
//
//	go run ./cmd/triage tables     writes api/triage/tables.bin, of the lexicon and the rules
//	go run ./cmd/triage train      writes api/triage/model.bin, of the tables and the messages, and round.sha256
//	go run ./cmd/triage measure    prints how well it judges
//	go run ./cmd/triage sources    prints how well it judges hands that it learnt nothing from
//	go run ./cmd/triage frames     prints how well it judges what is told beside trifles
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

// roundFile has the sum of the first round of the training that made the model (firstRound), which a test makes again
// in a fraction of the time.
const roundFile = "cmd/triage/round.sha256"

func main() {
	if err := run(os.Args[1:], os.Stdout); err != nil {
		fmt.Fprintln(os.Stderr, "triage:", err)
		os.Exit(1)
	}
}

func run(args []string, out io.Writer) error {
	if len(args) != 1 {
		return errors.New("usage: triage tables|train|measure|sources|frames|rows, at the root of the module")
	}
	switch args[0] {
	case "tables":
		return writeTables(out)
	case "train":
		return write(out)
	case "measure":
		return measure(out)
	case "sources":
		return sources(out)
	case "frames":
		return frames(out)
	case "rows":
		return rows(out)
	}
	return fmt.Errorf("%s is no command: there are tables, train, measure, sources, frames and rows", args[0])
}

// writeTables makes the tables of the lexicon and the rules. They are a part of the program, so
// that a training takes those that were there when it was built.
func writeTables(out io.Writer) error {
	file, err := triage.Compile(os.DirFS(folder))
	if err != nil {
		return err
	}
	fmt.Fprintf(out, "%d bytes\n", len(file))
	return os.WriteFile(filepath.Join(folder, "tables.bin"), file, 0o600)
}

// write trains on all that may be trained on and writes the model's file.
func write(out io.Writer) error {
	all, err := training(folder)
	if err != nil {
		return err
	}
	file := train(all)
	if _, err := triage.New(string(file)); err != nil {
		return err
	}
	fmt.Fprintf(out, "%d messages, %d bytes\n", len(all), len(file))
	if err := os.WriteFile(roundFile, []byte(firstRound(all)), 0o600); err != nil {
		return err
	}
	return os.WriteFile(filepath.Join(folder, "model.bin"), file, 0o600)
}

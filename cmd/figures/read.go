package main

import (
	"math"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// reported is what commands reported: the values of each figure, by the name of its benchmark and
// its unit, such as "BenchmarkWrite/create_ticket ratio". It has several where a benchmark ran
// more than once.
type reported map[string][]float64

var (
	// benchmark is a name alone, as benchmarks may log between it and what they report.
	benchmark = regexp.MustCompile(`^(Benchmark\S*?)(?:-\d+)?(?:\s|$)`)
	result    = regexp.MustCompile(`^\s*\d+((?:\t\s*\S+ \S+)+)\s*$`)
	// memory is a line of "load -memory": when, and the memory of the process then.
	memory = regexp.MustCompile(`^([a-z][a-z ]+?)(?:, \S+)?\s{2,}([\d.]+)(?:\s+([\d.]+)\s+([\d.]+))?$`)
	kinds  = []string{"own-MB", "resident-MB", "heap-MB"}
)

// read takes in the figures in the output of a command.
func (r reported) read(output string) {
	name := ""
	for line := range strings.SplitSeq(output, "\n") {
		if found := memory.FindStringSubmatch(line); found != nil {
			for i, value := range found[2:] {
				r.add("memory "+found[1], kinds[i], value)
			}
			continue
		}
		if found := benchmark.FindStringSubmatch(line); found != nil {
			name, line = found[1], line[len(found[0]):]
		}
		if found := result.FindStringSubmatch(line); found != nil && name != "" {
			for pair := range strings.SplitSeq(strings.Trim(found[1], "\t "), "\t") {
				value, unit, _ := strings.Cut(strings.TrimSpace(pair), " ")
				r.add(name, unit, value)
			}
			name = ""
		}
	}
}

func (r reported) add(name, unit, text string) {
	value, err := strconv.ParseFloat(text, 64)
	if err == nil && !math.IsNaN(value) && !math.IsInf(value, 0) {
		r[name+" "+unit] = append(r[name+" "+unit], value)
	}
}

// median is the middle one of what was reported of a figure.
func (r reported) median(name string) float64 {
	return slices.Sorted(slices.Values(r[name]))[(len(r[name])-1)/2]
}

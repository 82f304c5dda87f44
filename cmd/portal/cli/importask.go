package cli

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"strconv"
	"strings"

	"portal/api/portfolio/rentroll"
	"portal/api/texts"
)

// asker asks somebody at a terminal what a file does not say.
type asker struct {
	in      *bufio.Scanner
	out     io.Writer
	skipped map[string]bool // questions
}

func newAsker(in io.Reader, out io.Writer) *asker {
	return &asker{bufio.NewScanner(in), out, map[string]bool{}}
}

// settle asks the questions of the problems that read finds with some answers, until there is none, or none that is
// not skipped. It adds to the answers, and reports whether anything was said.
func (a *asker) settle(
	answers rentroll.Answers,
	read func(rentroll.Answers) ([]rentroll.Problem, error),
) (bool, error) {
	said := false
	for {
		problems, err := read(answers)
		if err != nil {
			return said, err
		}
		asked := false
		for _, g := range rentroll.Groups(problems) {
			if g.Question == "" || a.skipped[g.Question] {
				continue
			}
			answer, given := a.ask(&g)
			if asked = true; !given {
				a.skipped[g.Question] = true
				continue
			}
			answers[replaced(&g, answers)] = answer
			said = true
		}
		if !asked {
			return said, nil
		}
	}
}

// replaced is the question that an answer settles: where an earlier answer was no better than what it took the place
// of, it is that one's.
func replaced(g *rentroll.Group, answers rentroll.Answers) string {
	field, is := strings.CutSuffix(g.Question, ":"+g.Value)
	for question, answer := range answers {
		if is && answer == g.Value && question != g.Question && strings.HasPrefix(question, field+":") {
			return question
		}
	}
	return g.Question
}

// ask asks one question until the answer is one, or empty.
func (a *asker) ask(g *rentroll.Group) (answer string, given bool) {
	fmt.Fprintf(a.out, "\n%s\n", g.Problem)
	if more := g.Count - 1; more > 0 {
		fmt.Fprintf(a.out, "The same is so of %s.\n", texts.Counted(more, "more line"))
	}
	choices := g.Choices()
	if strings.HasPrefix(g.Question, "column:") {
		choices = fieldChoices(choices, g.Suggested)
	}
	for i, c := range choices {
		fmt.Fprintf(a.out, "  %d  %s\n", i+1, c.Label)
	}
	for {
		fmt.Fprint(a.out, prompt(len(choices) > 0, g.Free()))
		if !a.in.Scan() {
			return "", false
		}
		text := strings.TrimSpace(a.in.Text())
		if text == "" {
			return "", false
		}
		n, err := strconv.Atoi(text)
		switch {
		case err == nil && n >= 1 && n <= len(choices):
			text = choices[n-1].Answer
		case !g.Free():
			fmt.Fprintln(a.out, "Type the number of a choice, or nothing.")
			continue
		}
		if err = (rentroll.Answers{g.Question: text}).Check(); err == nil {
			return text, true
		}
		fmt.Fprintln(a.out, err)
	}
}

func prompt(choices, free bool) string {
	switch {
	case choices && free:
		return "Number, or the text to use (nothing skips): "
	case free:
		return "Text to use (nothing skips): "
	}
	return "Number (nothing skips): "
}

// fieldChoices are choices with all that a column may hold.
func fieldChoices(choices []rentroll.Choice, suggested string) []rentroll.Choice {
	for _, field := range rentroll.Fields() {
		if field != suggested {
			choices = append(choices, rentroll.Choice{Answer: field, Label: "It is " + field})
		}
	}
	return choices
}

// say prints answers as the file that --mapping takes.
func (a *asker) say(answers rentroll.Answers) error {
	text, err := json.MarshalIndent(map[string]rentroll.Answers{"answers": answers}, "", "  ")
	if err != nil {
		return err
	}
	_, err = fmt.Fprintf(
		a.out,
		"\nThese are the answers. Save them in a file, and --mapping FILE gives them again:\n%s\n",
		text,
	)
	return err
}

// terminal reports whether somebody is there who can be asked.
func terminal(in io.Reader) bool {
	f, is := in.(*os.File)
	if !is {
		return false
	}
	info, err := f.Stat()
	nothing, failed := os.Stat(os.DevNull)
	return err == nil && info.Mode()&os.ModeCharDevice != 0 && (failed != nil || !os.SameFile(info, nothing))
}

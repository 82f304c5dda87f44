package webtest

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/chromedp/chromedp"
)

// readAxe is the checker of accessibility, "" where there is none.
func (b *Browser) readAxe() string {
	if b.Modules == "" {
		return ""
	}
	axe, err := os.ReadFile(filepath.Join(b.Modules, "axe-core", "axe.min.js"))
	if err != nil {
		b.Fatal(err)
	}
	return string(axe)
}

// violation is a rule of axe that a page breaks.
type violation struct {
	ID     string `json:"id"`
	Impact string `json:"impact"`
	Help   string `json:"help"`
	Nodes  []node `json:"nodes"`
}

type node struct {
	HTML    string `json:"html"`
	Summary string `json:"failureSummary"`
}

// What a page is held to: rules of WCAG 2.2 AA and of good practice, and those of them
// that depend on colors.
const (
	everything = `["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"]`
	colors     = `{type: "rule", values: ["color-contrast", "link-in-text-block"]}`
)

const checks = `axe.run(document, {resultTypes: ["violations"], runOnly: %s})
	.then((r) => r.violations.map(({id, impact, help, nodes}) => ({id, impact, help, nodes: nodes.map(({html, failureSummary}) => ({html, failureSummary}))})))`

// violations are the serious and critical ones on the page that is open, of some rules.
func (w *Window) violations(rules string) []string {
	w.Helper()
	if w.axe == "" {
		return nil
	}
	if !Value[bool](w, "!!window.axe") {
		run(w, "axe", chromedp.Evaluate[bool](w.axe+"; true"))
	}
	var all []string
	for _, v := range run(
		w,
		"axe",
		chromedp.Evaluate[[]violation](fmt.Sprintf(checks, rules), chromedp.EvalAwaitPromise),
	) {
		if v.Impact != "serious" && v.Impact != "critical" {
			continue
		}
		for _, n := range v.Nodes {
			all = append(all, fmt.Sprintf("%s (%s): %s\n\t%.300s\n\t%s", v.ID, v.Impact, v.Help, n.HTML,
				strings.ReplaceAll(n.Summary, "\n", "\n\t")))
		}
	}
	return all
}

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

// Rules of WCAG 2.2 AA and of good practice.
const checks = `axe.run(document, {resultTypes: ["violations"], runOnly: ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"]})
	.then((r) => r.violations.map(({id, impact, help, nodes}) => ({id, impact, help, nodes: nodes.map(({html, failureSummary}) => ({html, failureSummary}))})))`

// violations are the serious and critical ones on the page that is open.
func (w *Window) violations() []string {
	w.Helper()
	if w.axe == "" {
		return nil
	}
	run(w, "axe", chromedp.Evaluate[bool](w.axe+"; true"))
	var all []string
	for _, v := range run(w, "axe", chromedp.Evaluate[[]violation](checks, chromedp.EvalAwaitPromise)) {
		if v.Impact != "serious" && v.Impact != "critical" {
			continue
		}
		for _, n := range v.Nodes {
			all = append(all, fmt.Sprintf("%s (%s): %s\n\t%.300s\n\t%s", v.ID, v.Impact, v.Help, n.HTML, strings.ReplaceAll(n.Summary, "\n", "\n\t")))
		}
	}
	return all
}

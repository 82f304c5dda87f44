package ticket

import (
	"fmt"
	"strconv"
	"strings"

	"portal/api/portfolio"
	"portal/views/kit"
	views "portal/views/ticket"
	"portal/web/page"
)

// dangers warn of what triage has recognised in a ticket that is open.
func dangers(t *portfolio.Ticket) []kit.NoticeContent {
	if t.Triage == nil || len(t.Triage.SafetyFlags) == 0 || len(t.Status.Next()) == 1 {
		return nil
	}
	return []kit.NoticeContent{{Tone: kit.Warned, Title: "Safety flags: " + flags(t.Triage)}}
}

func flags(t *portfolio.Triage) string {
	words := make([]string, len(t.SafetyFlags))
	for i, f := range t.SafetyFlags {
		words[i] = plainly(f)
	}
	return strings.Join(words, ", ")
}

// plainly is a rule of triage in plain words.
func plainly(rule string) string {
	if said := ruleWords[rule]; said != "" {
		return said
	}
	return page.Lowercase(rule)
}

// ruleWords are the rules whose names do not say enough by themselves.
var ruleWords = map[string]string{
	"cannot_secure":     "home can’t be locked",
	"danger_word":       "described as an emergency",
	"detector_missing":  "detector missing or not working",
	"elevator_out":      "elevator not working",
	"exit_blocked":      "exit blocked",
	"fire_mention":      "fire mentioned",
	"fridge_dead":       "refrigerator not working",
	"gas_mention":       "gas mentioned",
	"heat_danger":       "dangerous heat",
	"locked_out_danger": "locked out and in danger",
	"lock_defect":       "lock not working",
	"mold_spreading":    "mold spreading",
	"no_ac":             "no air conditioning",
	"no_heat_danger":    "no heat, and dangerous cold",
	"person_danger":     "person in danger",
	"pests_severe":      "severe pests",
	"power_loss":        "power lost",
	"slip_danger":       "danger of slipping",
	"sprinkler_drip":    "sprinkler dripping",
}

// triageOf is what triage made of the text and why, nil where it has not looked.
func triageOf(v *page.Request, t *portfolio.Ticket) *views.Triage {
	if t.Triage == nil {
		return nil
	}
	d := t.Triage
	by := "the built-in model"
	if d.Source != "built_in" {
		by = "a language model"
	}
	view := &views.Triage{
		Suggested: []kit.Term{
			{Name: "Priority", Text: page.Label(d.Priority)},
			{Name: "Category", Text: page.Label(d.Category)},
			{Name: "Confidence", Text: fmt.Sprintf("%.0f%%", d.Confidence*100)},
		},
		Review:  d.NeedsReview,
		Decided: "Suggested by " + by + " (" + d.ModelVersion + ")",
		Time:    v.Time(d.TriagedAt),
	}
	for _, r := range d.Reasons {
		view.Reasons = append(view.Reasons, reason(r.Rule)+": “"+r.Matched+"” ("+subject(r.Rule)+")")
	}
	return view
}

func reason(rule string) string {
	kind, _, _ := strings.Cut(rule, ".")
	if said := reasons[kind]; said != "" {
		return said
	}
	return "Found"
}

func subject(rule string) string {
	if _, name, both := strings.Cut(rule, "."); both {
		rule = name
	}
	name := plainly(rule)
	if monoxide, found := strings.CutPrefix(name, "co "); found {
		return "CO " + monoxide
	}
	return name
}

// ticketHistory is when what happened to a ticket, as far as it is kept.
func ticketHistory(v *page.Request, t *portfolio.Ticket) (all []kit.Moment) {
	add := func(title string, tone kit.Tone, words string, at kit.Time) {
		all = append(all, kit.Moment{Title: title, Status: kit.Status{Tone: tone, Text: words}, Time: at})
	}
	add("Opened", kit.Idle, writer(t), v.Time(t.CreatedAt))
	if t.ReopenedCount > 0 {
		add("Opened again", kit.Waiting, page.Counted(t.ReopenedCount, "time"), v.TimeOr(nil, "dates not recorded"))
	}
	if t.UpdatedAt != t.CreatedAt {
		add("Last changed", kit.Idle, "Version "+strconv.FormatInt(t.Version, 10), v.Time(t.UpdatedAt))
	}
	if t.CompletedAt != nil {
		add("Completed", kit.Done, after(t.AgeDays), v.Time(*t.CompletedAt))
	}
	if t.CancelledAt != nil {
		add("Canceled", kit.Idle, after(t.AgeDays), v.Time(*t.CancelledAt))
	}
	return all
}

// reasons are the kinds of rules, by what stands before their full stop.
var reasons = map[string]string{
	"emergency":  "Emergency",
	"high":       "High",
	"normal":     "Normal",
	"low":        "Low",
	"word":       "Category",
	"besides":    "Also found, less urgent",
	"outweighed": "Not counted, outweighed",
	"denied":     "Not counted, denied in the text",
	"resolved":   "Not counted, already over",
	"supposed":   "Not counted, only a guess",
	"elsewhere":  "Not counted, somewhere else",
}

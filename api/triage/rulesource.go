package triage

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// ruleSource is a rule as its text says it.
type ruleSource struct {
	ruleHead
	slots    [][]int32
	unless   []int32
	harmless []int32
	needs    []int32
	absent   []int32
}

// readRules reads a table of rules: a head "[level name category]", with "danger" after
// it where the name is a safety flag and "doubtful" where the model may object,
// and a pattern a line, with options after semicolons.
func (x *source) readRules(file, text string) error {
	var head ruleSource
	for i, line := range strings.Split(text, "\n") {
		line, _, _ = strings.Cut(line, "#")
		if line = strings.TrimSpace(line); line == "" {
			continue
		}
		if err := x.parseRule(line, &head); err != nil {
			return fmt.Errorf("%s:%d: %w", file, i+1, err)
		}
	}
	return nil
}

func (x *source) parseRule(line string, head *ruleSource) error {
	if inside, is := strings.CutPrefix(line, "["); is {
		return head.parse(strings.TrimSuffix(inside, "]"))
	}
	r := *head
	if r.name == "" {
		return errors.New("a pattern before any head")
	}
	if err := r.pattern(x, line); err != nil {
		return err
	}
	x.rules = append(x.rules, r)
	return nil
}

func (r *ruleSource) parse(head string) error {
	f := strings.Fields(head)
	if len(f) < 2 {
		return errors.New("a head is [level name category]")
	}
	*r = ruleSource{ruleHead: ruleHead{
		name:   f[1],
		trade:  -1,
		level:  instruct,
		danger: slices.Contains(f, "danger"),
		doubt:  slices.Contains(f, "doubtful"),
	}}
	if f[0] != "instruct" {
		r.level = slices.Index(Priorities, f[0])
	}
	if r.level == -1 && f[0] != "instruct" {
		return fmt.Errorf("%s is no priority", f[0])
	}
	if len(f) > 2 {
		r.trade = slices.Index(Categories, f[2])
	}
	r.floor = r.level >= 2
	return nil
}

func (r *ruleSource) pattern(x *source, line string) error {
	r.within = 5
	parts := strings.Split(line, ";")
	for slot := range strings.FieldsSeq(parts[0]) {
		if slot == ">" {
			r.chain = true
			continue
		}
		ids, err := x.slot(slot)
		if err != nil {
			return err
		}
		r.slots = append(r.slots, ids)
	}
	if len(r.slots) == 0 {
		return fmt.Errorf("%s: no pattern", line)
	}
	for _, o := range parts[1:] {
		if err := r.option(x, strings.Fields(o)); err != nil {
			return err
		}
	}
	return nil
}

func (r *ruleSource) option(x *source, words []string) (err error) {
	if len(words) < 2 {
		return errors.New("an option needs a word")
	}
	switch words[0] {
	case "within":
		n, bad := strconv.ParseInt(words[1], 10, 32)
		r.within, err = int32(n), bad
	case "unless":
		r.unless, err = x.slot(words[1])
	case "harmless":
		r.harmless, err = x.slot(words[1])
	case "needs":
		r.needs, err = x.slot(words[1])
	case "absent":
		r.absent, err = x.slot(words[1])
	default:
		err = fmt.Errorf("%s is no option", words[0])
	}
	return err
}

// slot gives the concepts of "@a|word|two_words". A word becomes a concept of its own.
func (x *source) slot(alternatives string) ([]int32, error) {
	var ids []int32
	for a := range strings.SplitSeq(alternatives, "|") {
		if name, concept := strings.CutPrefix(a, "@"); concept {
			id, known := x.byName[name]
			if !known {
				return nil, fmt.Errorf("%s is no concept", a)
			}
			ids = append(ids, id)
			continue
		}
		id := x.declare("'" + a)
		if len(x.concepts[id].terms) == 0 {
			x.concepts[id].terms = []string{x.plain(strings.ReplaceAll(a, "_", " "))}
		}
		ids = append(ids, id)
	}
	return ids, nil
}

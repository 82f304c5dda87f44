package triage

import (
	"errors"
	"fmt"
	"io/fs"
	"slices"
	"strconv"
	"strings"
)

// source is what the texts of the lexicon and of the rules say. Compile makes the tables of it.
type source struct {
	spelling map[string]string // the word meant by one that is written
	common   map[string]bool   // words that are right as they are and mean nothing here
	concepts []concept
	byName   map[string]int32
	rules    []ruleSource
}

// concept is what several words and phrases mean.
type concept struct {
	name    string
	trade   int      // the category that it hints at, or -1
	parents []int32  // the concepts that it is one of
	terms   []string // as written, alternatives spelled out
}

// readSource reads lexicon/*.txt and rules/*.txt.
func readSource(folder fs.FS) (*source, error) {
	x := &source{spelling: map[string]string{}, byName: map[string]int32{}}
	spelling, err := fs.ReadFile(folder, "lexicon/spelling.txt")
	if err != nil {
		return nil, err
	}
	for line := range strings.Lines(string(spelling)) {
		if f := strings.Fields(line); len(f) == 2 {
			x.spelling[f[0]] = f[1]
		}
	}
	if err := each(folder, "lexicon", x.readLexicon); err != nil {
		return nil, err
	}
	return x, each(folder, "rules", x.readRules)
}

// each reads the files of a folder in the order of their names.
func each(folder fs.FS, name string, read func(file, text string) error) error {
	files, err := fs.ReadDir(folder, name)
	if err != nil {
		return err
	}
	for _, f := range files {
		text, err := fs.ReadFile(folder, name+"/"+f.Name())
		if err != nil {
			return err
		}
		if err := read(f.Name(), string(text)); err != nil {
			return err
		}
	}
	return nil
}

// readLexicon reads a table: "name category: term, term", with lines that go on indented.
func (x *source) readLexicon(file, text string) error {
	switch file {
	case "spelling.txt": // read before
		return nil
	case "common.txt":
		x.common = toSet(text)
		return nil
	}
	var c int32 = -1
	for i, line := range strings.Split(text, "\n") {
		line, _, _ = strings.Cut(line, "#")
		if strings.TrimSpace(line) == "" {
			continue
		}
		body := line
		if head, terms, begins := strings.Cut(line, ":"); begins && line[0] != ' ' && line[0] != '\t' {
			c, body = x.declare(head), terms
		}
		if c < 0 {
			return fmt.Errorf("%s:%d: a term before any concept", file, i+1)
		}
		if err := x.addTerms(c, body); err != nil {
			return fmt.Errorf("%s:%d: %w", file, i+1, err)
		}
	}
	return nil
}

// declare finds or makes the concept of a head, which is a name and perhaps a category.
func (x *source) declare(head string) int32 {
	fields := strings.Fields(head)
	id, known := x.byName[fields[0]]
	if !known {
		id = int32(len(x.concepts))
		x.byName[fields[0]] = id
		x.concepts = append(x.concepts, concept{name: fields[0], trade: -1})
	}
	if len(fields) > 1 {
		x.concepts[id].trade = slices.Index(Categories, fields[1])
	}
	return id
}

func (x *source) addTerms(c int32, list string) error {
	for term := range strings.SplitSeq(list, ",") {
		term = strings.TrimSpace(term)
		if term == "" {
			continue
		}
		if child, whole := strings.CutPrefix(term, "@"); whole && !strings.Contains(child, " ") {
			id, known := x.byName[child]
			if !known {
				return fmt.Errorf("%s is no concept yet", term)
			}
			x.concepts[id].parents = append(x.concepts[id].parents, c)
			continue
		}
		all, err := x.spell(term)
		if err != nil {
			return err
		}
		x.concepts[c].terms = append(x.concepts[c].terms, all...)
	}
	return nil
}

// spell gives all that a term with alternatives stands for: "(turn|shut) off" is two, a
// leading or trailing bar makes a word optional, and @name stands for all of a concept.
func (x *source) spell(term string) ([]string, error) {
	out := []string{""}
	for term != "" {
		options, rest, err := x.options(term)
		if err != nil {
			return nil, err
		}
		var longer []string
		for _, head := range out {
			for _, o := range options {
				longer = append(longer, strings.TrimSpace(head+" "+o))
			}
		}
		out, term = longer, strings.TrimSpace(rest)
	}
	for i := range out {
		out[i] = x.plain(out[i])
	}
	return out, nil
}

func (x *source) options(term string) (options []string, rest string, err error) {
	if term[0] == '(' {
		inside, after, closed := strings.Cut(term[1:], ")")
		if !closed {
			return nil, "", fmt.Errorf("%s: a bracket is open", term)
		}
		return strings.Split(inside, "|"), after, nil
	}
	word, after, _ := strings.Cut(term, " ")
	name, concept := strings.CutPrefix(word, "@")
	if !concept {
		return []string{word}, after, nil
	}
	id, known := x.byName[name]
	if !known {
		return nil, "", fmt.Errorf("@%s is no concept yet", name)
	}
	return x.concepts[id].terms, after, nil
}

// plain folds a term as a text is folded, with the words that are meant.
func (x *source) plain(term string) string {
	var words []string
	for _, t := range scan(term).tokens {
		if meant, known := x.spelling[t.word]; known {
			t.word = meant
		}
		words = append(words, t.word)
	}
	return strings.Join(words, " ")
}

// ruleSource is a rule as its text says it.
type ruleSource struct {
	ruleHead
	slots    [][]int32
	unless   []int32
	harmless []int32
	where    []int32
	idle     []int32
	needs    []int32
	absent   []int32
}

// readRules reads a table of rules: a head "[level name category]", with "danger" after
// it where the name is a safety flag "doubtful" where the model may object
// and "late" where the network has not learnt of it, and a pattern a line, with options after semicolons.
func (x *source) readRules(file, text string) error {
	var head ruleSource
	for i, line := range strings.Split(text, "\n") {
		line, _, _ = strings.Cut(line, "#")
		if line = strings.TrimSpace(line); line == "" {
			continue
		}
		var err error
		switch inside, is := strings.CutPrefix(line, "["); {
		case is:
			err = head.parse(strings.TrimSuffix(inside, "]"))
		case head.name == "":
			err = errors.New("a pattern before any head")
		default:
			r := head
			err = r.pattern(x, line)
			x.rules = append(x.rules, r)
		}
		if err != nil {
			return fmt.Errorf("%s:%d: %w", file, i+1, err)
		}
	}
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
		late:   slices.Contains(f, "late"),
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
	if words[0] == "within" {
		n, bad := strconv.ParseInt(words[1], 10, 32)
		r.within = int32(n)
		return bad
	}
	concepts := map[string]*[]int32{
		"unless": &r.unless, "harmless": &r.harmless, "where": &r.where, "idle": &r.idle,
		"needs": &r.needs, "absent": &r.absent,
	}[words[0]]
	if concepts == nil {
		return fmt.Errorf("%s is no option", words[0])
	}
	*concepts, err = x.slot(words[1])
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

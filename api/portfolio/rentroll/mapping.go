package rentroll

import (
	"maps"
	"slices"
	"strconv"
	"strings"

	"portal/api/fault"
	"portal/api/strictjson"
	"portal/api/texts"
)

// Mapping is what a program says of a file: what its columns hold, by their own names, and Answers.
type Mapping struct {
	// Columns are the fields of columns, nil for one that is left out.
	Columns map[string]*string
	// Answers are those to questions, nil for one that is taken back.
	Answers map[string]*string
}

// ParseMapping reads {"mapping": {...}, "answers": {...}}, either of which may be left out.
func ParseMapping(text []byte) (m Mapping, err error) {
	all, err := strictjson.Parse(text)
	if err != nil {
		return m, err
	}
	if all.Kind != strictjson.Object {
		return m, fault.New(fault.InvalidField, "A mapping file must hold a JSON object, not %s.", all.Kind)
	}
	for i := range all.Members {
		part := &all.Members[i]
		var into *map[string]*string
		switch part.Name {
		case "mapping":
			into = &m.Columns
		case "answers":
			into = &m.Answers
		default:
			return m, fault.New(
				fault.UnknownField,
				"%s is not a part of a mapping file; the parts are mapping and answers.",
				quote(part.Name),
			).At(
				texts.Clip(part.Name, longestShown),
			)
		}
		if *into, err = textsOf(part); err != nil {
			return m, err
		}
	}
	return m, nil
}

// textsOf are the members of an object whose values are texts or null.
func textsOf(of *strictjson.Member) (map[string]*string, error) {
	if of.Value.Kind != strictjson.Object {
		return nil, fault.New(fault.InvalidField, "%s must be %s, not %s.", of.Name, strictjson.Object, of.Value.Kind).
			At(of.Name)
	}
	all := make(map[string]*string, len(of.Value.Members))
	for i := range of.Value.Members {
		switch m := &of.Value.Members[i]; m.Value.Kind {
		case strictjson.Text:
			all[m.Name] = &m.Value.Text
		case strictjson.Null:
			all[m.Name] = nil
		default:
			at := of.Name + "." + texts.Clip(m.Name, longestShown)
			return nil, fault.New(fault.InvalidField, "%s must be text or null, not %s.", at, m.Value.Kind).At(at)
		}
	}
	return all, nil
}

// Said are the answers that the mapping gives of a file with some columns.
func (m Mapping) Said(headings []Heading) (map[string]*string, error) {
	said := make(map[string]*string, len(m.Columns)+len(m.Answers))
	maps.Copy(said, m.Answers)
	names := HeadingNames(headings)
	for _, name := range slices.Sorted(maps.Keys(m.Columns)) {
		at := "mapping." + texts.Clip(name, longestShown)
		i, field := slices.Index(names, name), m.Columns[name]
		if i < 0 {
			return nil, fault.New(fault.InvalidField, "%s: The file has no column %s. Its columns are %s.", at,
				quote(name), strings.Join(names, ", ")).At(at)
		}
		if field != nil && fieldOf(*field) == unknown {
			return nil, fault.New(fault.InvalidField, "%s: %s is nothing that a column holds. %s", at, quote(*field),
				oneOf(Fields()...)).At(at)
		}
		if field == nil {
			field = new("")
		}
		said["column:"+strconv.Itoa(i+1)] = field
	}
	return said, nil
}

// HeadingNames are the names by which a Mapping has columns: those of the file, or Column 3 for the third one if its
// name is empty, that of another one too, or of this form itself.
func HeadingNames(headings []Heading) []string {
	times := map[string]int{}
	for i := range headings {
		times[headings[i].Name]++
	}
	names := make([]string, len(headings))
	for i := range headings {
		names[i] = headings[i].Name
		number, numbered := strings.CutPrefix(names[i], numberedColumn)
		if names[i] == "" || times[names[i]] > 1 || numbered && lineOf(number) > 0 {
			names[i] = numberedColumn + strconv.Itoa(i+1)
		}
	}
	return names
}

const numberedColumn = "Column "

// OfColumns reports whether a problem is about what the columns hold, in a file with some columns: about their names,
// the order of their dates, or the place of lines that name none.
func (f Problem) OfColumns(headings []Heading) bool {
	kind, _, _ := strings.Cut(f.Question, ":")
	switch kind {
	case "column", "dates", "units", "address":
		return true
	}
	if f.Column == "" { // nothing is known of any column
		return f.Question == "" && len(headings) > 0 &&
			!slices.ContainsFunc(headings, func(h Heading) bool { return h.Field != "" })
	}
	return strings.HasPrefix(f.Message, "The column is missing")
}

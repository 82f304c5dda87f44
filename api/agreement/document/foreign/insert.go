package foreign

import (
	"context"
	"errors"
	"fmt"
	"slices"
)

// Insert is a Document that is put into another PDF.
type Insert struct {
	values []value // of the objects behind the catalog and the tree of pages
	pages  []int   // where the pages are among them, in their order
}

// The objects of a Document of which another PDF has its own.
const (
	ownCatalog = 1
	ownTree    = 2
)

// index is where the object of a reference is among the values of an Insert, negative for the catalog and the tree.
func index(reference value) int { return int(reference.object) - ownTree - 1 }

// Open reads the PDF of a Document. It fails where a file is not built like one; whether it is one is up to the caller.
func Open(content []byte) (*Insert, error) {
	f := newFile(content, &budget{ctx: context.Background()})
	if err := f.readTable(); err != nil {
		return nil, fmt.Errorf("foreign: %w", err)
	}
	size, _ := f.trailer.at("Size").int()
	if f.trailer.at("Root").object != ownCatalog || size > mostObjects+1 {
		return nil, errors.New("foreign: not the PDF of a Document")
	}
	n := &Insert{}
	for object := int32(ownTree + 1); object < int32(size); object++ {
		v, err := f.object(object)
		if err != nil {
			return nil, fmt.Errorf("foreign: object %d: %w", object, err)
		}
		n.values = append(n.values, v)
	}
	tree, err := f.object(ownTree)
	if err != nil {
		return nil, fmt.Errorf("foreign: the tree of pages: %w", err)
	}
	for _, kid := range tree.at("Kids").items() {
		i := index(kid)
		if i < 0 || i >= len(n.values) || n.values[i].kind != dict || slices.Contains(n.pages, i) {
			return nil, fmt.Errorf("foreign: object %d is not a page", kid.object)
		}
		n.pages = append(n.pages, i)
	}
	if len(n.pages) == 0 {
		return nil, errors.New("foreign: not the PDF of a Document: it has no pages")
	}
	for i, v := range n.values {
		if !n.holds(v, slices.Contains(n.pages, i)) {
			return nil, fmt.Errorf("foreign: object %d refers to what is not there", i+ownTree+1)
		}
	}
	return n, nil
}

// holds reports whether all that a value refers to is there, but for the parent of a page.
func (n *Insert) holds(v value, page bool) bool {
	if v.kind == reference {
		return index(v) >= 0 && index(v) < len(n.values)
	}
	if v.parts == nil {
		return true
	}
	for i, part := range v.parts.items {
		if page && v.parts.keys[i] == "Parent" {
			continue
		}
		if !n.holds(part, false) {
			return false
		}
	}
	return true
}

// Pages is how many there are.
func (n *Insert) Pages() int { return len(n.pages) }

// Objects are what the other PDF gets: whole objects, whose numbers follow each other from first on, and of each page
// the entries of its dictionary but for its parent. A page is the object of the number that page tells, by its place
// from 0 on. What pages draw stands between before and after.
func (n *Insert) Objects(first int, page func(int) int, before, after string) (objects, pages [][]byte) {
	numbers, drawn := make([]int, len(n.values)), map[int]bool{}
	for i, at := range n.pages {
		numbers[at] = page(i)
		drawn[index(n.values[at].at("Contents"))] = true
	}
	next := first
	for i := range numbers {
		if numbers[i] == 0 {
			numbers[i] = next
			next++
		}
	}
	of := func(reference value) int { return numbers[index(reference)] }
	for i, v := range n.values {
		if slices.Contains(n.pages, i) {
			continue
		}
		text := fmt.Appendf(nil, "%d 0 obj\n", numbers[i])
		switch {
		case drawn[i]:
			text = fmt.Appendf(text, "<</Length %d>>\nstream\n%s%s%s\nendstream", len(before)+len(v.raw)+len(after),
				before, v.raw, after)
		case v.kind == stream:
			text = fmt.Appendf(renumbered(text, v, of), "\nstream\n%s\nendstream", v.raw)
		default:
			text = renumbered(text, v, of)
		}
		objects = append(objects, append(text, "\nendobj\n"...))
	}
	for _, at := range n.pages {
		var entries []byte
		v := n.values[at]
		for i, key := range v.parts.keys {
			if key != "Parent" {
				entries = renumbered(append(appendName(entries, key), ' '), v.parts.items[i], of)
			}
		}
		pages = append(pages, entries)
	}
	return objects, pages
}

// renumbered appends a value whose references lead to the numbers that objects have now. Of a stream it appends the
// dictionary.
func renumbered(to []byte, v value, of func(value) int) []byte {
	switch v.kind {
	case null, keyword:
		return append(to, "null"...)
	case array:
		to = append(to, '[')
		for _, item := range v.parts.items {
			to = renumbered(append(to, ' '), item, of)
		}
		return append(to, ']')
	case dict, stream:
		to = append(to, "<<"...)
		for i, key := range v.parts.keys {
			to = renumbered(append(appendName(to, key), ' '), v.parts.items[i], of)
		}
		return append(to, ">>"...)
	case reference:
		return fmt.Appendf(to, "%d 0 R", of(v))
	case boolean, number, name, text:
	}
	return append(to, v.raw...)
}

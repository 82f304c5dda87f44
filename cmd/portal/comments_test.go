package main

import (
	"go/ast"
	"go/token"
	"regexp"
	"strings"
	"testing"
)

// directive begins a comment that a program reads.
var directive = regexp.MustCompile(`^//(go:|nolint)`)

// documented is a declaration with its comment.
type documented struct {
	name string
	doc  *ast.CommentGroup
}

func TestDocCommentsStartWithDocumentedName(t *testing.T) {
	t.Parallel()
	found := 0
	for _, f := range sources(t) {
		for _, d := range f.tree.Decls {
			for _, x := range documentedIn(d) {
				found++
				first, _, _ := strings.Cut(strings.TrimPrefix(x.doc.List[0].Text, "// "), " ")
				if !names(first, x.name) {
					t.Errorf("%s: the comment of %s begins with %q", f.name, x.name, first)
				}
			}
		}
	}
	if found < 3000 {
		t.Errorf("only %d comments were found", found)
	}
}

// names reports whether the first word of a comment is a name, or its possessive.
func names(word, name string) bool {
	word = strings.TrimRight(word, ",:")
	return word == name || word == name+"'s" || word == name+"’s"
}

// documentedIn are the functions, types, methods of interfaces, variables and constants of a declaration
// that have a comment of their own. One about several of them names none.
func documentedIn(d ast.Decl) (all []documented) {
	add := func(name string, doc *ast.CommentGroup) {
		if doc != nil && name != "_" && !directive.MatchString(doc.List[0].Text) {
			all = append(all, documented{name, doc})
		}
	}
	switch d := d.(type) {
	case *ast.FuncDecl:
		add(d.Name.Name, d.Doc)
	case *ast.GenDecl:
		for _, s := range d.Specs {
			name, doc := "_", d.Doc
			switch s := s.(type) {
			case *ast.TypeSpec:
				if name = s.Name.Name; s.Doc != nil {
					doc = s.Doc
				}
				if i, ok := s.Type.(*ast.InterfaceType); ok {
					for _, m := range i.Methods.List {
						if len(m.Names) == 1 {
							add(m.Names[0].Name, m.Doc)
						}
					}
				}
			case *ast.ValueSpec:
				if len(s.Names) == 1 {
					name = s.Names[0].Name
				}
				if s.Doc != nil {
					doc = s.Doc
				} else if d.Lparen != token.NoPos {
					continue
				}
			}
			if doc != d.Doc || d.Lparen == token.NoPos {
				add(name, doc)
			}
		}
	}
	return all
}

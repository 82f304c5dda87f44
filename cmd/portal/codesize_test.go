package main

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"strings"
	"testing"
	"unicode/utf8"
)

// The most that the code may have of each, so that a person can read it whole. Generated
// files do not count, and tests count for their comments alone.
const (
	mostPackageLines     = 4000
	mostFileLines        = 400
	mostFunctionLines    = 60
	mostTypeMethods      = 60
	mostInterfaceMethods = 8 // with those of embedded interfaces
	mostCommentColumns   = 120
)

// codeSize is what a walk over the files has counted.
type codeSize struct {
	t       *testing.T
	lines   map[string]int // by package
	methods map[string]int // by package and type
	// The interfaces that have a name, by the last name of their package and their own.
	interfaces map[string]namedInterface
}

// namedInterface has methods of its own and those of others.
type namedInterface struct {
	own      int
	embedded []string
}

func TestNoPackageTypeInterfaceOrCommentIsTooLargeToRead(t *testing.T) {
	t.Parallel()
	size := codeSize{t, map[string]int{}, map[string]int{}, map[string]namedInterface{}}
	root := filepath.Join("..", "..")
	err := fs.WalkDir(os.DirFS(root), ".", func(file string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || !strings.HasSuffix(file, ".go") || isGenerated(file) {
			return err
		}
		text, err := os.ReadFile(filepath.Join(root, file))
		if err == nil {
			err = size.add(file, string(text))
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	if len(size.lines) < 50 {
		t.Errorf("only %d packages were found", len(size.lines))
	}
	for name, n := range size.lines {
		size.judge("the package "+name, n, mostPackageLines)
	}
	for name := range size.interfaces {
		if n := size.methodsOf(name); n > mostInterfaceMethods {
			t.Errorf("the interface %s has %d methods, at most %d are meant", name, n, mostInterfaceMethods)
		}
	}
	for name, n := range size.methods {
		if n > mostTypeMethods {
			t.Errorf("the type %s has %d methods, at most %d are meant", name, n, mostTypeMethods)
		}
	}
}

// judge finds what is too large.
func (s *codeSize) judge(what string, lines, most int) {
	if lines > most {
		s.t.Errorf("%s has %d lines, at most %d are meant", what, lines, most)
	}
}

// isGenerated reports whether a file is written by a program.
func isGenerated(file string) bool {
	return strings.HasSuffix(file, "_templ.go") || strings.HasSuffix(file, "_gen.go")
}

func (s *codeSize) add(file, text string) error {
	for i, line := range strings.Split(text, "\n") {
		line = strings.ReplaceAll(line, "\t", "    ")
		if strings.HasPrefix(strings.TrimSpace(line), "//") && utf8.RuneCountInString(line) > mostCommentColumns {
			s.t.Errorf("%s:%d: a comment of more than %d columns", file, i+1, mostCommentColumns)
		}
	}
	if strings.HasSuffix(file, "_test.go") {
		return nil
	}
	set := token.NewFileSet()
	parsed, err := parser.ParseFile(set, file, text, 0)
	if err != nil {
		return err
	}
	s.lines[path.Dir(file)] += strings.Count(text, "\n")
	s.judge(file, strings.Count(text, "\n"), mostFileLines)
	ast.Inspect(parsed, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.FuncDecl:
			s.judge(file+" "+n.Name.Name, set.Position(n.End()).Line-set.Position(n.Pos()).Line+1, mostFunctionLines)
			if n.Recv != nil {
				s.methods[path.Dir(file)+"."+receiverName(n.Recv.List[0].Type)]++
			}
		case *ast.TypeSpec:
			if i, is := n.Type.(*ast.InterfaceType); is {
				s.interfaces[parsed.Name.Name+"."+n.Name.Name] = named(parsed.Name.Name, i)
			}
		}
		return true
	})
	return nil
}

// named is an interface of a package.
func named(pkg string, i *ast.InterfaceType) (n namedInterface) {
	for _, m := range i.Methods.List {
		n.own += len(m.Names)
		switch e := m.Type.(type) {
		case *ast.Ident:
			n.embedded = append(n.embedded, pkg+"."+e.Name)
		case *ast.SelectorExpr:
			n.embedded = append(n.embedded, e.X.(*ast.Ident).Name+"."+e.Sel.Name)
		}
	}
	return n
}

// methodsOf are those of an interface and of what it embeds, as far as that is ours.
func (s *codeSize) methodsOf(name string) int {
	n := s.interfaces[name].own
	for _, other := range s.interfaces[name].embedded {
		n += s.methodsOf(other)
	}
	return n
}

// receiverName is the name of the type that a method belongs to.
func receiverName(e ast.Expr) string {
	switch e := e.(type) {
	case *ast.StarExpr:
		return receiverName(e.X)
	case *ast.IndexExpr:
		return receiverName(e.X)
	case *ast.Ident:
		return e.Name
	}
	return ""
}

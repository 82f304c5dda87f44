// Command sizes prints the ten largest packages, files, functions, types and interfaces, and
// the files with the most lines over 120 columns, for a person to look at. Generated files
// and tests are left out.
package main

import (
	"cmp"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"io/fs"
	"maps"
	"os"
	"path"
	"slices"
	"strings"
	"unicode/utf8"
)

// sizes are counts by kind, such as the lines of packages, and name.
type sizes map[string]map[string]int

func main() {
	all := sizes{}
	err := fs.WalkDir(os.DirFS("."), ".", func(file string, _ fs.DirEntry, err error) error {
		generated := strings.HasSuffix(file, "_templ.go") || strings.HasSuffix(file, "_gen.go")
		if err != nil || !strings.HasSuffix(file, ".go") || strings.HasSuffix(file, "_test.go") || generated {
			return err
		}
		return all.count(file)
	})
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	for _, kind := range slices.Sorted(maps.Keys(all)) {
		names := slices.SortedFunc(maps.Keys(all[kind]), func(a, b string) int {
			return cmp.Or(cmp.Compare(all[kind][b], all[kind][a]), cmp.Compare(a, b))
		})
		fmt.Fprintln(os.Stdout, "\n"+kind)
		for _, name := range names[:min(10, len(names))] {
			fmt.Fprintf(os.Stdout, "%6d  %s\n", all[kind][name], name)
		}
	}
}

func (s sizes) add(kind, name string, n int) {
	if s[kind] == nil {
		s[kind] = map[string]int{}
	}
	s[kind][name] += n
}

// count adds what a file has.
func (s sizes) count(file string) error {
	text, err := os.ReadFile(file)
	if err != nil {
		return err
	}
	folder, set := path.Dir(file), token.NewFileSet()
	for line := range strings.Lines(string(text)) {
		s.add("lines of a package", folder, 1)
		s.add("lines of a file", file, 1)
		if utf8.RuneCountInString(strings.ReplaceAll(strings.TrimRight(line, "\n"), "\t", "    ")) > 120 {
			s.add("lines over 120 columns", file, 1)
		}
	}
	tree, err := parser.ParseFile(set, file, text, parser.SkipObjectResolution)
	if err != nil {
		return err
	}
	ast.Inspect(tree, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.FuncDecl:
			s.add("lines of a function", fmt.Sprint(set.Position(n.Pos()), " ", n.Name.Name),
				set.Position(n.End()).Line-set.Position(n.Pos()).Line+1)
			if n.Recv != nil {
				receiver, _, _ := strings.Cut(types.ExprString(n.Recv.List[0].Type), "[")
				s.add("methods of a type", folder+"."+strings.TrimPrefix(receiver, "*"), 1)
			}
		case *ast.TypeSpec:
			if i, is := n.Type.(*ast.InterfaceType); is {
				s.add("methods of an interface", folder+"."+n.Name.Name, i.Methods.NumFields())
			}
		}
		return true
	})
	return nil
}

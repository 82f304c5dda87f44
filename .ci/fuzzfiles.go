// Fuzzfiles prints an overlay for go test that leaves out the test files that no fuzz target of the packages in its
// arguments needs. Most test files need a database, and so most packages of the project, all of which would be compiled
// anew to fuzz one.
//
// A file is needed if it has a fuzz target, or declares what a file that is needed names. A TestMain and an init stand
// beside what they prepare. What is left out by mistake does not compile.
package main

import (
	"encoding/json"
	"go/ast"
	"go/parser"
	"go/token"
	"log"
	"os"
	"path/filepath"
	"strings"
)

// file is a test file of a package.
type file struct {
	path    string
	needed  bool
	says    map[string]bool // what it declares, as package.name and package.Type.Method
	names   map[string]bool // what it needs that may be of another file, as package.name
	selects map[string]bool // each name after a dot
}

func main() {
	overlay := struct{ Replace map[string]string }{map[string]string{}}
	for _, folder := range os.Args[1:] {
		paths, err := filepath.Glob(filepath.Join(folder, "*_test.go"))
		if err != nil {
			log.Fatal(err)
		}
		var all []*file
		for _, path := range paths {
			all = append(all, read(path))
		}
		for spread(all) {
		}
		for _, f := range all {
			if !f.needed {
				overlay.Replace[f.path] = ""
			}
		}
	}
	if err := json.NewEncoder(os.Stdout).Encode(overlay); err != nil {
		log.Fatal(err)
	}
}

func read(path string) *file {
	path, err := filepath.Abs(path)
	if err != nil {
		log.Fatal(err)
	}
	tree, err := parser.ParseFile(token.NewFileSet(), path, nil, 0)
	if err != nil {
		log.Fatal(err)
	}
	own := tree.Name.Name + "."
	f := &file{path: path, says: map[string]bool{}, names: map[string]bool{}, selects: map[string]bool{}}
	for _, name := range tree.Unresolved {
		f.names[own+name.Name] = true
	}
	ast.Inspect(tree, func(n ast.Node) bool {
		if s, is := n.(*ast.SelectorExpr); is {
			f.selects[s.Sel.Name] = true
			if of, is := s.X.(*ast.Ident); is && of.Name+"_test." == own {
				f.names[of.Name+"."+s.Sel.Name] = true // which a file of the package itself may export for its tests
			}
		}
		return true
	})
	for name := range tree.Scope.Objects {
		f.says[own+name] = true
		f.needed = f.needed || strings.HasPrefix(name, "Fuzz")
	}
	for _, d := range tree.Decls {
		if d, is := d.(*ast.FuncDecl); is && d.Recv != nil {
			f.says[own+receiver(d.Recv.List[0].Type)+"."+d.Name.Name] = true
		}
	}
	return f
}

// receiver is the name of the type of a method.
func receiver(of ast.Expr) string {
	switch of := of.(type) {
	case *ast.StarExpr:
		return receiver(of.X)
	case *ast.IndexExpr:
		return receiver(of.X)
	case *ast.IndexListExpr:
		return receiver(of.X)
	case *ast.Ident:
		return of.Name
	}
	return ""
}

// spread adds the files that declare what those that are needed name.
func spread(all []*file) (more bool) {
	said, named, selected := map[string]bool{}, map[string]bool{}, map[string]bool{}
	for _, f := range all {
		if f.needed {
			add(said, f.says)
			add(named, f.names)
			add(selected, f.selects)
		}
	}
	for _, f := range all {
		for name := range f.says {
			last := strings.LastIndex(name, ".")
			if !f.needed && (named[name] || said[name[:last]] && selected[name[last+1:]]) {
				f.needed, more = true, true
			}
		}
	}
	return more
}

func add(to, names map[string]bool) {
	for name := range names {
		to[name] = true
	}
}

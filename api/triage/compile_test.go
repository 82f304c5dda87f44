package triage

import (
	"os"
	"runtime"
	"testing"
	"testing/fstest"
)

func TestTablesMatchTheirSources(t *testing.T) {
	t.Parallel()
	file, err := Compile(os.DirFS("."))
	if err != nil {
		t.Fatal(err)
	}
	if string(file) != tablesFile {
		t.Error("tables.bin is not what its texts make: run go run ./cmd/triage tables, then train")
	}
}

// What a phrase of the texts means is found in the tables.
func TestEveryLexiconTermIsFound(t *testing.T) {
	t.Parallel()
	source, err := readSource(os.DirFS("."))
	if err != nil {
		t.Fatal(err)
	}
	x := reading().words
	if x.concepts.words.count() != len(source.concepts) {
		t.Fatalf("%d concepts in the tables, %d in the texts", x.concepts.words.count(), len(source.concepts))
	}
	b := source.build()
	for id, c := range source.concepts {
		if x.name(int32(id)) != c.name || x.trade(int32(id)) != c.trade || x.concepts.find(c.name) != int32(id) {
			t.Errorf("concept %d is %s of %d, want %s of %d", id, x.name(int32(id)), x.trade(int32(id)), c.name,
				c.trade)
		}
		for _, term := range c.terms {
			if !endsAt(x, b, term, int32(id)) {
				t.Errorf("%s does not lead to %s", term, c.name)
			}
		}
	}
}

// endsAt follows a term through the tree of phrases.
func endsAt(x *lexicon, b *builder, term string, concept int32) bool {
	node := int32(0)
	for _, token := range scan(term).tokens {
		lemma, known := x.lemma(token.word)
		if !known || lemma != b.lemmas[token.word] {
			return false
		}
		if node == 0 {
			node = int32(x.start.at(int(lemma)))
		} else {
			node = x.next(node, lemma)
		}
		if node == 0 {
			return false
		}
	}
	return x.ends.at(int(node)).has(concept)
}

// The dictionaries are read where they stand in the program: to open them takes no memory but
// that of the rules, which are few.
func TestTablesUseLittleMemory(t *testing.T) { //nolint:paralleltest // counts what the process allocates
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	if _, err := openTables(tablesFile); err != nil {
		t.Fatal(err)
	}
	if _, err := New(modelFile); err != nil {
		t.Fatal(err)
	}
	runtime.ReadMemStats(&after)
	if got := after.TotalAlloc - before.TotalAlloc; got > 512<<10 {
		t.Errorf("opening the tables and the model allocates %d bytes, want at most 512 KB", got)
	}
}

func TestDamagedTablesAreRefused(t *testing.T) {
	t.Parallel()
	for _, file := range []string{
		"", tablesMagic, "XXXX", tablesMagic + "\xff\xff\xff\xff", tablesFile[:len(tablesFile)-1],
		tablesFile + "x",
	} {
		if _, err := openTables(file); err == nil {
			t.Errorf("%d bytes were taken for tables", len(file))
		}
	}
}

func TestInvalidSourceFilesAreRefused(t *testing.T) {
	t.Parallel()
	for name, text := range map[string]string{
		"lexicon/10.txt": "  a term before any concept\n", "lexicon/11.txt": "leak plumbing: @nothing leaks\n",
		"rules/10.txt": "@nothing\n", "rules/11.txt": "[urgent gas]\n",
	} {
		folder := fstest.MapFS{
			"lexicon/spelling.txt": {}, "rules/00.txt": {}, name: {Data: []byte(text)},
		}
		if _, err := Compile(folder); err == nil {
			t.Errorf("%s: %q was taken", name, text)
		}
	}
}

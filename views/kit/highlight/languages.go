package highlight

import "strings"

// syntax is what the tokens of a language look like.
type syntax struct {
	quotes  string
	line    string            // begins a comment to the end of the line, "" for none
	block   bool              // /* and */ surround comments
	triple  bool              // quotes may be threefold
	rawTick bool              // nothing is escaped between backticks
	names   bool              // text in quotes before a colon or an arrow is a name
	bare    bool              // so is a plain word
	shell   bool              // words are separated by spaces, and the first one is a command
	words   map[string]string // classes of words by themselves
}

var languages = map[string]syntax{
	"json": {quotes: `"`, names: true, words: classed("", "true false null")},
	"toml": {quotes: `"'`, line: "#", words: classed("", "true false")},
	"sh": {
		quotes: `"'`, line: "#", shell: true,
		words: classed("if then else fi for do done while case esac in export function return", ""),
	},
	"js": {
		quotes: "\"'`",
		line:   "//",
		block:  true,
		names:  true,
		bare:   true,
		words: classed(
			"async await break case catch class const continue delete else export finally for from function "+
				"if import in instanceof let new of return switch throw try typeof var while yield",
			"true false null undefined",
		),
	},
	"python": {
		quotes: `"'`,
		line:   "#",
		triple: true,
		names:  true,
		words: classed(
			"and as assert async await break class continue def del elif else except finally for from global "+
				"if import in is lambda not or pass raise return try while with yield",
			"True False None",
		),
	},
	"go": {
		quotes: "\"'`", line: "//", block: true, rawTick: true, names: true,
		words: classed("break case chan const continue default defer else for func go goto if import interface map "+
			"package range return select struct switch type var", "true false nil"),
	},
	"ruby": {
		quotes: `"'`,
		line:   "#",
		names:  true,
		bare:   true,
		words: classed(
			"begin break case class def do else elsif end ensure for if in module next not or raise require "+
				"rescue return self then unless until when while yield",
			"true false nil",
		),
	},
	"php": {
		quotes: `"'`,
		line:   "//",
		block:  true,
		names:  true,
		words: classed(
			"array as break case catch class const continue declare echo else elseif exit fn for foreach function "+
				"global if new php private protected public return static switch throw try use while",
			"true false null",
		),
	},
}

// classed are keywords and literals with their classes.
func classed(keywords, literals string) map[string]string {
	all := map[string]string{}
	for w := range strings.FieldsSeq(keywords) {
		all[w] = word
	}
	for w := range strings.FieldsSeq(literals) {
		all[w] = literal
	}
	return all
}

package foreign

// drawing is what a content stream does that matters here.
type drawing struct {
	draws map[string]int // how often it draws an XObject, by the name of that
	text  bool           // whether it shows text
}

// mostDrawn is how many XObjects of different names one content stream may draw.
const mostDrawn = 10_000

// mostNames is how many names all contents have of what they draw.
const mostNames = 50_000

// scanner reads a content stream as it is written to it, and keeps nothing of it but a word.
type scanner struct {
	drawing
	state  byte // what the next byte is in: see below
	open   int  // parentheses
	word   []byte
	last   string // the last name
	inline int    // what was found of the end of an inline picture
}

const (
	between = iota
	inWord  // a name, a number, or an operator
	inText
	escaped // within a text
	inComment
	inPicture
)

func newScanner() *scanner { return &scanner{drawing: drawing{draws: map[string]int{}}} }

func (s *scanner) Write(p []byte) (int, error) {
	for _, c := range p {
		switch s.state {
		case inText:
			s.inText(c)
		case escaped:
			s.state = inText
		case inComment:
			if c == '\n' || c == '\r' {
				s.state = between
			}
		case inPicture:
			s.inPicture(c)
		case inWord:
			if !space(c) && !delimiter(c) {
				if len(s.word) < 128 {
					s.word = append(s.word, c)
				}
				continue
			}
			s.state = between
			if err := s.end(); err != nil {
				return 0, err
			}
			if s.state == between {
				s.begin(c)
			}
		default:
			s.begin(c)
		}
	}
	return len(p), nil
}

func (s *scanner) begin(c byte) {
	switch {
	case c == '(':
		s.state, s.open = inText, 1
	case c == '%':
		s.state = inComment
	case space(c), c != '/' && delimiter(c):
	default:
		s.state, s.word = inWord, append(s.word[:0], c)
	}
}

func (s *scanner) inText(c byte) {
	switch c {
	case '\\':
		s.state = escaped
	case '(':
		s.open++
	case ')':
		if s.open--; s.open == 0 {
			s.state = between
		}
	}
}

// inPicture looks for the operator EI with spaces around it.
func (s *scanner) inPicture(c byte) {
	switch {
	case s.inline == 3 && space(c):
		s.state = between
	case s.inline == 1 && c == 'E', s.inline == 2 && c == 'I':
		s.inline++
	case space(c):
		s.inline = 1
	default:
		s.inline = 0
	}
}

func (s *scanner) end() error {
	if s.word[0] == '/' {
		s.last = decoded(s.word)
		return nil
	}
	switch string(s.word) {
	case "Do":
		if s.draws[s.last]++; len(s.draws) > mostDrawn {
			return TooComplex
		}
	case "Tj", "TJ", "'", "\"":
		s.text = true
	case "ID":
		s.state, s.inline = inPicture, 1
	}
	return nil
}

// close ends the last word.
func (s *scanner) close() error {
	if s.state == inWord {
		s.state = between
		return s.end()
	}
	return nil
}

package sheet

import "strings"

// sharedTexts are the texts that cells refer to by their number. They are in blocks one after the other, a
// text perhaps in two of them, so that a growing table is never copied and has no pointers to follow.
type sharedTexts struct {
	blocks [][]byte
	ends   []uint32 // of each text, from the start of the first block
}

const textBlock = 1 << 20 // bytes

func (s *sharedTexts) size() int {
	if len(s.ends) == 0 {
		return 0
	}
	return int(s.ends[len(s.ends)-1])
}

func (s *sharedTexts) add(text []byte) {
	end := s.size() + len(text)
	for len(text) > 0 {
		last := len(s.blocks) - 1
		if last < 0 || len(s.blocks[last]) == textBlock {
			s.blocks = append(s.blocks, make([]byte, 0, textBlock))
			last++
		}
		n := min(len(text), textBlock-len(s.blocks[last]))
		s.blocks[last] = append(s.blocks[last], text[:n]...)
		text = text[n:]
	}
	s.ends = append(s.ends, uint32(end))
}

// at is the text of a number, false if there is none.
func (s *sharedTexts) at(i int) (string, bool) {
	if i < 0 || i >= len(s.ends) {
		return "", false
	}
	start, end := 0, int(s.ends[i])
	if i > 0 {
		start = int(s.ends[i-1])
	}
	var text strings.Builder
	text.Grow(end - start)
	for start < end {
		from := start % textBlock
		to := min(textBlock, from+end-start)
		text.Write(s.blocks[start/textBlock][from:to])
		start += to - from
	}
	return text.String(), true
}

// loadShared reads the table of shared texts.
func (w *workbook) loadShared(part string) error {
	var text []byte
	return w.read(part, func(x *xmlReader) error {
		for {
			_, more, err := x.descend("si")
			if err != nil || !more {
				return err
			}
			if text, err = x.richText(text[:0]); err != nil {
				return err
			}
			if w.shared.size()+len(text) > maxSharedText || len(w.shared.ends) == MaxCells {
				return &Problem{Message: tooMuchText}
			}
			w.shared.add(text)
		}
	})
}

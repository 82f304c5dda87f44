package document

import (
	"encoding/json"
	"fmt"
)

// encodedBlock is a block as JSON: the one of its fields that is there.
type encodedBlock struct {
	Paragraph *Paragraph `json:"paragraph,omitempty"`
	Points    *Points    `json:"points,omitempty"`
	Table     *Table     `json:"table,omitempty"`
	Signature *Signature `json:"signature,omitempty"`
}

// encodedSection is a section as JSON.
type encodedSection struct {
	Number, Title string
	NewPage       bool
	Blocks        []encodedBlock
}

// MarshalJSON writes a section with its blocks.
func (s Section) MarshalJSON() ([]byte, error) {
	e := encodedSection{s.Number, s.Title, s.NewPage, make([]encodedBlock, len(s.Blocks))}
	for i, b := range s.Blocks {
		switch b := b.(type) {
		case Paragraph:
			e.Blocks[i].Paragraph = &b
		case Points:
			e.Blocks[i].Points = &b
		case Table:
			e.Blocks[i].Table = &b
		case Signature:
			e.Blocks[i].Signature = &b
		}
	}
	return json.Marshal(e)
}

// UnmarshalJSON reads what MarshalJSON has written.
func (s *Section) UnmarshalJSON(text []byte) error {
	var e encodedSection
	if err := json.Unmarshal(text, &e); err != nil {
		return err
	}
	*s = Section{Number: e.Number, Title: e.Title, NewPage: e.NewPage}
	for i, b := range e.Blocks {
		switch {
		case b.Paragraph != nil:
			s.Blocks = append(s.Blocks, *b.Paragraph)
		case b.Points != nil:
			s.Blocks = append(s.Blocks, *b.Points)
		case b.Table != nil:
			s.Blocks = append(s.Blocks, *b.Table)
		case b.Signature != nil:
			s.Blocks = append(s.Blocks, *b.Signature)
		default:
			return fmt.Errorf("document: block %d of section %s is none that is known", i, e.Number)
		}
	}
	return nil
}

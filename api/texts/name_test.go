package texts_test

import (
	"testing"

	"portal/api/texts"
)

func TestNamesAreComparedByLetters(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		typed, name string
		same        bool
	}{
		{"JOSE  GARCIA", "José García", true},
		{" Ｄａｎａ　Ｃｏｈｅｎ ", "dana cohen", true},
		{"Nguyen Thi Phuong Thao", "Nguyễn Thị Phương Thảo", true},
		{"Jose\u0301", "José", true},
		{"STRAUSS", "Strauß", true},
		{"ΓΕΩΡΓΙΟΣ", "Γεώργιος", true},
		{"алёна", "АЛЕНА", true},
		{"Иван", "Ива\u0301н", true},
		{"דנה", "דָּנָה", true},
		{"محمد", "مُحَمَّد", true},
		{"علیرضا", "علی\u200cرضا", true},
		{"ﾀﾅｶ", "タナカ", true},
		{"김철수", "김철수", true},
		{"e\u0301a", "ea\u0301", true},
		{"Jose", "Josef", false},
		{"Dana", "Dаna", false}, // the second a is Cyrillic
		{"Lukasz", "Łukasz", false},
		{"Сергеи", "Сергей", false},
		{"І", "Ї", false},
		{"ガ", "カ", false},
		{"का", "कि", false},
		{"क", "की", false},
		{"नि", "नी", false},
		{"น้ำ", "นำ", false},
		{"ปี", "ปิ", false},
		{"احمد", "أحمد", false},
		{"王小明", "王小朋", false},
		{"Ann Lee", "Annlee", false},
	} {
		if texts.SameName(c.typed, c.name) != c.same {
			t.Errorf("%q and %q: want %t", c.typed, c.name, c.same)
		}
	}
}

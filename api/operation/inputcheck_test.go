package operation_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"portal/api/clock"
	"portal/api/fault"
	"portal/api/money"
	"portal/api/operation"
)

type bookInput struct {
	Title  string      `json:"title" minlen:"1" maxlen:"5" doc:"Title."`
	Pages  *int        `json:"pages" min:"1" max:"9" doc:"Pages."`
	Price  money.Cents `json:"price" doc:"Price."`
	Day    clock.Date  `json:"day" doc:"Day."`
	At     *clock.Time `json:"at" doc:"Moment."`
	Tags   []string    `json:"tags" maxlen:"3" doc:"Tags."`
	Agreed bool        `json:"agreed" doc:"Agreed."`
	Hidden string      `json:"-"`
}

func (b bookInput) Check(today clock.Date) []fault.Detail {
	if b.Day >= today {
		return nil
	}
	return []fault.Detail{fault.Wrong("day", "is past.")}
}

func TestStandaloneInputIsCheckedLikeBody(t *testing.T) {
	t.Parallel()
	today := clock.Day(2026, 11, 24)
	contract := operation.DefineInput[bookInput]("add_book")
	good := func() bookInput {
		return bookInput{
			Title:  "Emma",
			Day:    today,
			At:     new(clock.At(time.Unix(0, 0))),
			Tags:   []string{"a", "b"},
			Hidden: "\x00",
		}
	}
	for want, change := range map[string]func(*bookInput){
		"":         func(*bookInput) {},
		"title":    func(b *bookInput) { b.Title = "" },
		"title ":   func(b *bookInput) { b.Title = strings.Repeat("ż", 6) },
		"title  ":  func(b *bookInput) { b.Title = "a\xff" },
		"title   ": func(b *bookInput) { b.Title = "a\nb" },
		"pages":    func(b *bookInput) { b.Pages = new(10) },
		"price":    func(b *bookInput) { b.Price = -1 },
		"day":      func(b *bookInput) { b.Day = today - 1 },
		"tags.1":   func(b *bookInput) { b.Tags[1] = "a" },
		"tags":     func(b *bookInput) { b.Tags = []string{"a", "b", "c", "d"} },
		"title pages price day tags.0 ": func(b *bookInput) {
			*b = bookInput{
				Pages: new(0),
				Price: -1,
				Tags:  []string{""},
			}
		},
	} {
		in := good()
		change(&in)
		err := contract.Check(&in, today)
		var got []string
		if err != nil {
			for _, d := range fault.From(err).Details {
				got = append(got, d.Param)
			}
		}
		if strings.Join(got, " ") != strings.TrimSpace(want) {
			t.Errorf("%q: at fault is %v: %v", want, got, err)
		}
	}
}

func ExampleDefineInput() {
	type Note struct {
		Text string `json:"text" minlen:"5" maxlen:"20" doc:"What it says."`
	}
	contract := operation.DefineInput[Note]("add_note")
	fmt.Println(fault.From(contract.Check(&Note{Text: "Hi"}, clock.Day(2026, 11, 24))).Message)
	// Output: text must have between 5 and 20 characters, not 2.
}

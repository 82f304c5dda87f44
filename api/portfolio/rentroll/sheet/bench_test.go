package sheet_test

import (
	"fmt"
	"strings"
	"testing"

	"portal/api/portfolio/rentroll/sheet"
)

func BenchmarkText(b *testing.B) {
	benchmark(b, "Address,City,State,ZIP,Unit,Tenant,Start,End,Rent,Deposit\n"+lines(10_000, func(i int) string {
		return fmt.Sprintf(
			"%d Alder Row,Tacoma,WA,98402,%d,\"Marsh, Elena\",01/15/2026,01/14/2027,\"1,640.00\",1640\n",
			i/40,
			i,
		)
	}))
}

func BenchmarkWorkbook(b *testing.B) {
	p := workbookOf(header + lines(10_000, func(i int) string {
		return fmt.Sprintf(`<row r="%d"><c r="A%[1]d" t="s"><v>%d</v></c><c r="B%[1]d" t="s"><v>0</v></c>`+
			`<c r="C%[1]d" t="s"><v>1</v></c><c r="D%[1]d"><v>98402</v></c><c r="E%[1]d"><v>%[1]d</v></c>`+
			`<c r="F%[1]d" t="s"><v>2</v></c><c r="G%[1]d" s="2"><v>46037</v></c><c r="H%[1]d" s="2"><v>46401</v></c>`+
			`<c r="I%[1]d"><v>1640.5</v></c><c r="J%[1]d"><v>1640</v></c></row>`, i+2, 3+i/40)
	}))
	benchmark(
		b,
		p.with(
			parts{"xl/sharedStrings.xml": `<sst><si><t>Tacoma</t></si><si><t>WA</t></si><si><t>Marsh, Elena</t></si>` +
				lines(
					250,
					func(i int) string { return "<si><t>" + number(i) + " Alder Row</t></si>" },
				) + `</sst>`},
		).zipped(
			b,
		),
	)
}

func benchmark(b *testing.B, file string) {
	b.Helper()
	b.ReportAllocs()
	b.SetBytes(int64(len(file)))
	for b.Loop() {
		f, err := sheet.Open(strings.NewReader(file))
		if err != nil {
			b.Fatal(err)
		}
		n := 0
		for f.Next() {
			n++
		}
		if n != 10_001 || f.Problem() != nil || f.Close() != nil {
			b.Fatalf("%d rows, %v", n, f.Problem())
		}
	}
}

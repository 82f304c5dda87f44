package foreign_test

import (
	"bytes"
	"compress/flate"
	"compress/lzw"
	"compress/zlib"
	"context"
	"encoding/binary"
	"encoding/hex"
	"errors"
	"fmt"
	"image"
	"image/jpeg"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"portal/api/agreement/document/foreign"
	"portal/api/sampled"
)

// packed is data as FlateDecode has them.
func packed(data []byte) []byte {
	var b bytes.Buffer
	z, _ := zlib.NewWriterLevel(&b, zlib.BestCompression)
	_, _ = z.Write(data)
	_ = z.Close()
	return b.Bytes()
}

func zeros(n int) []byte { return make([]byte, n) }

// lzwPacked is data as LZWDecode has them with EarlyChange 0.
func lzwPacked(data []byte) []byte {
	var b bytes.Buffer
	z := lzw.NewWriter(&b, lzw.MSB, 8)
	_, _ = z.Write(data)
	_ = z.Close()
	return b.Bytes()
}

// bomb is zeros that are packed, made of blocks that are repeated, so that a large one is quickly there.
func bomb(megabytes int) []byte {
	var one bytes.Buffer
	z, _ := flate.NewWriter(&one, flate.BestCompression)
	_, _ = z.Write(zeros(1 << 20))
	_ = z.Flush()
	b := append([]byte{0x78, 0xda}, bytes.Repeat(one.Bytes(), megabytes)...)
	return append(b, 1, 0, 0, 0xff, 0xff)
}

// objStream is a page in a stream of objects and a table that is a stream, each changed by a function.
func objStream(change func(rows map[int][3]int, object, table *string)) []byte {
	var out bytes.Buffer
	out.WriteString("%PDF-1.7\n")
	parts := []string{
		"<</Type/Catalog/Pages 2 0 R>>", "<</Type/Pages/Kids[3 0 R]/Count 1>>",
		"<</Type/Page/Parent 2 0 R/MediaBox[0 0 300 200]/Contents 4 0 R/Resources<</Font<</F 5 0 R>>>>>>",
	}
	head, body := "", ""
	for i, p := range parts {
		head += fmt.Sprintf("%d %d ", i+1, len(body))
		body += p + " "
	}
	rows := map[int][3]int{0: {0, 0, 65535}, 1: {2, 6, 0}, 2: {2, 6, 1}, 3: {2, 6, 2}}
	object := fmt.Sprintf("/Type/ObjStm/N %d/First %d", len(parts), len(head))
	table := "/Type/XRef/Size 8/W[1 4 2]/Root 1 0 R"
	change(rows, &object, &table)
	add := func(n int, s string) {
		if _, is := rows[n]; !is {
			rows[n] = [3]int{1, out.Len(), 0}
		}
		fmt.Fprintf(&out, "%d 0 obj\n%s\nendobj\n", n, s)
	}
	add(4, streamOf("", "BT /F 20 Tf 20 100 Td (Hello page) Tj ET"))
	add(5, "<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>")
	add(6, streamOf(object+"/Filter/FlateDecode", string(packed([]byte(head+body)))))
	at := out.Len()
	rows[7] = [3]int{1, at, 0}
	var data []byte
	for n := range 8 {
		data = append(data, byte(rows[n][0]))
		data = binary.BigEndian.AppendUint32(data, uint32(rows[n][1]))
		data = binary.BigEndian.AppendUint16(data, uint16(rows[n][2]))
	}
	fmt.Fprintf(&out, "7 0 obj\n%s\nendobj\nstartxref\n%d\n%%%%EOF\n",
		streamOf(table+"/Filter/FlateDecode", string(packed(data))), at)
	return out.Bytes()
}

func picturePage(entries, data string) []byte {
	return build().page("/Resources<</XObject<</X 9 0 R>>>>").with(4, streamOf("", "100 0 0 100 0 0 cm /X Do")).
		with(9, streamOf("/Subtype/Image"+entries, data)).file()
}

func formPage(entries, data string) *builder {
	return build().page("/Resources<</XObject<</X 9 0 R>>>>").with(4, streamOf("", "/X Do")).
		with(9, streamOf("/Subtype/Form/BBox[0 0 9 9]"+entries, data))
}

// hostile are files that want to take long, take much, or lead astray. The reason is empty for those that are taken.
var hostile = sync.OnceValue(func() map[string]sample {
	all := map[string]sample{}
	add := func(name string, why foreign.Refusal, file []byte) {
		if _, is := all[name]; is {
			panic("twice: " + name)
		}
		all[name] = sample{file, why}
	}
	broken(add)
	bombs(add)
	loops(add)
	tables(add)
	pictures(add)
	forms(add)
	return all
})

type sample struct {
	file []byte
	why  foreign.Refusal
}

type adder func(name string, why foreign.Refusal, file []byte)

func broken(add adder) {
	whole := string(build().file())
	add("nothing", foreign.NotPDF, nil)
	add("a text", foreign.NotPDF, []byte("This is a text."))
	add("a ZIP file", foreign.NotPDF, append([]byte("PK\x03\x04"), zeros(2000)...))
	add("a late header", foreign.NotPDF, append(zeros(1100), whole...))
	add("too large", foreign.TooLarge, append([]byte(whole), zeros(10<<20)...))
	add("a header alone", foreign.Damaged, []byte("%PDF-1.7\n"))
	add("a header and zeros", foreign.Damaged, append([]byte("%PDF-1.7\n"), zeros(1<<20)...))
	add("something before the header", "", append([]byte("junk\n"), whole...))
	add("something behind the end", "", append([]byte(whole), zeros(5000)...))
	add("a catalog that nothing names", "", bytes.ReplaceAll([]byte(whole), []byte("/Root"), []byte("/Ruth")))
	add("a catalog that is a number", foreign.Damaged, build().with(1, "7").file())
	add("no tree of pages", foreign.Damaged, build().with(1, "<</Type/Catalog>>").file())
	add("a tree that is an array", foreign.Damaged, build().with(2, "[3 0 R]").file())
	add("no pages", foreign.NoPages, build().with(2, "<</Type/Pages/Kids[]/Count 0>>").file())
	add("a page that is not there", foreign.Damaged, build().with(2, "<</Type/Pages/Kids[99 0 R]/Count 1>>").file())
	add("a page that is a text", foreign.Damaged, build().with(3, "(page)").file())
	add("no contents", "", build().with(3, "<</Type/Page/MediaBox[0 0 9 9]>>").file())
	add("contents that are not there", "", build().with(4, "null").file())
	add("contents that are no stream", "", build().with(4, "<<>>").file())
	add("resources that are a number", "", build().page("/Resources 7").file())
	add("no size", "", build().with(3, "<</Type/Page/Contents 4 0 R>>").file())
	add("a huge page", foreign.PageTooLarge, build().page("/MediaBox[0 0 99999 9]").file())
	add("a page without end", foreign.PageTooLarge, build().page("/MediaBox[0 0 1e9 99999999999999999999]").file())
	add("a page of huge units", foreign.PageTooLarge, build().page("/UserUnit 1000").file())
	add("a tiny page", foreign.Damaged, build().page("/MediaBox[0 0 1 1]").file())
	add("a page without a surface", "", build().page("/MediaBox[5 5 5 5]").file())
	add("a text without end", foreign.Damaged, []byte(strings.Replace(whole, "<</Type/Catalog", "(", 1)))
	add("a dictionary without end", foreign.Damaged, build().with(3, "<</Type/Page").file())
	add("an array without end", foreign.Damaged, build().with(3, "<</Kids[1 2 3").file())
	add("a dictionary with a number as a key", foreign.Damaged, build().with(3, "<<7 8>>").file())
	add("odd numbers", "", build().page("/Rotate --90/UserUnit 1.2.3/X +.-/Y .5/Z -.5/Q 1e5").file())
	add("a wrong length", "", build().with(4, "<</Length 5>>stream\nBT /F 20 Tf 20 100 Td (Hi) Tj ET\nendstream").
		file())
	add("a negative length", "", build().with(4, "<</Length -5>>stream\nBT ET\nendstream").file())
	add("a huge length", "", build().with(4, "<</Length 99999999999>>stream\nBT ET\nendstream").file())
	add("a length that is the stream", foreign.Damaged, build().with(4, "<</Length 4 0 R>>stream\nBT ET\nendstream").
		file())
	add("a stream without end", foreign.Damaged, build().with(4, "<</Length 5>>stream\nBT ET").file())
	add("damaged packing", foreign.Damaged, build().with(4, streamOf("/Filter/FlateDecode", "x\xda\xff\xff\xff\xff")).
		file())
	add("packing that is cut", foreign.Damaged,
		build().with(4, streamOf("/Filter/FlateDecode", string(packed([]byte(strings.Repeat("0 0 m 1 1 l S ",
			99)))[:20]))).file())
	add("an unknown filter", foreign.Damaged, build().with(4, streamOf("/Filter/Nonsense", "BT ET")).file())
	add("a filter for secrets", foreign.Damaged, build().with(4, streamOf("/Filter/Crypt", "BT ET")).file())
	add("contents that are a picture", foreign.Damaged, build().with(4, streamOf("/Filter/DCTDecode", "\xff\xd8")).
		file())
	add("data of another file", foreign.Damaged, build().with(4, streamOf("/F(/etc/passwd)", "")).file())
	add("encrypted", foreign.Protected, func() []byte {
		b := build()
		b.trailer = "/Encrypt<</Filter/Standard/V 1/R 2/P -4/O(x)/U(y)>>"
		return b.file()
	}())
	add("encrypted without a table", foreign.Protected, func() []byte {
		b := build()
		b.trailer = "/Encrypt<</Filter/Standard>>"
		return bytes.Replace(b.file(), []byte("startxref"), []byte("startxxxx"), 1)
	}())
	add("a collection of files", foreign.Portfolio, build().catalog("/Collection<<>>").file())
	add("an empty form of XFA", foreign.DynamicForm, build().catalog("/AcroForm<</XFA[(a) 4 0 R]/Fields[]>>").file())
	add("a form that is rendered", foreign.DynamicForm, build().catalog("/NeedsRendering true").file())
	for i, hide := range []string{
		"/D<</OFF[9 0 R]>>", "/D<</BaseState/OFF>>", "/D<</BaseState/Unchanged/ON[8 0 R]>>",
		"/D<</AS[<</Event/View/OCGs[9 0 R]/Category[/View]>>]>>",
	} {
		add(fmt.Sprint("a hidden layer ", i), foreign.HiddenLayers, build().
			catalog("/OCProperties<</OCGs[9 0 R]"+hide+">>").
			with(9, "<</Type/OCG/Name(a)/Usage<</View<</ViewState/OFF>>>>>>").file())
	}
	layer := build().catalog("/OCProperties<</OCGs[9 0 R]/D<<>>>>").with(9, "<</Type/OCG/Name(a)>>").
		with(4, streamOf("", "/OC /M BDC BT /F 20 Tf 20 100 Td (Hello page) Tj ET EMC"))
	add("a visible layer", "", layer.page("/Resources<</Properties<</M 9 0 R>>/Font<</F 5 0 R>>>>").file())
	add("what is shown without layers", foreign.HiddenLayers,
		layer.with(10, "<</Type/OCMD/OCGs 9 0 R/P/AllOff>>").page("/Resources<</Properties<</M 10 0 R>>>>").file())
}

func bombs(add adder) {
	flat := func(data []byte) string { return streamOf("/Filter/FlateDecode", string(data)) }
	add("contents of 1 GB", foreign.Unpacked, build().with(4, flat(bomb(1024))).file())
	add("contents of 100 MB", foreign.Unpacked, build().with(4, flat(bomb(100))).file())
	twice := packed(bomb(1024))
	add("contents of 1 GB, packed twice", foreign.Unpacked,
		build().with(4, streamOf("/Filter[/FlateDecode/FlateDecode]", string(twice))).file())
	add("packed three times", foreign.Unpacked,
		build().with(4, streamOf("/Filter[/FlateDecode/FlateDecode/FlateDecode]", string(packed(twice)))).file())
	add("a chain of ten filters", foreign.TooComplex,
		build().with(4, streamOf("/Filter["+strings.Repeat("/ASCIIHexDecode", 10)+"]", "")).file())
	add("a chain of many filters", foreign.TooComplex,
		build().with(4, streamOf("/Filter["+strings.Repeat("/FlateDecode", 100_000)+"]", "")).file())
	add("hexadecimal in hexadecimal", "",
		build().with(4, streamOf("/Filter[/AHx/ASCIIHexDecode]",
			hex.EncodeToString([]byte(hex.EncodeToString([]byte("BT ET"))+">"))+">")).file())
	add("hexadecimal of a bomb", foreign.Unpacked,
		build().with(4, streamOf("/Filter[/ASCIIHexDecode/FlateDecode]", hex.EncodeToString(bomb(512))+">")).file())
	add("LZW of 300 MB", foreign.Unpacked,
		build().with(4, streamOf("/Filter/LZWDecode/DecodeParms<</EarlyChange 0>>", string(lzwPacked(zeros(80<<20))))).
			file())
	add("runs of 300 MB", foreign.Unpacked,
		build().with(4, streamOf("/Filter/RunLengthDecode", strings.Repeat("\x81 ", 1_300_000))).file())
	add("base 85 of zeros", "", build().with(4, streamOf("/Filter/ASCII85Decode", strings.Repeat("z",
		1_000_000)+"~>")).file())
	add("packed bomb of base 85", foreign.Unpacked, build().with(4, streamOf("/Filter[/FlateDecode/ASCII85Decode]",
		string(packed(bytes.Repeat([]byte("z"), 20<<20))))).file())
	many := build()
	kids := ""
	for i := range 90 {
		kids += fmt.Sprintf("%d 0 R ", 10+i)
		many.with(10+i, "<</Type/Page/Parent 2 0 R/MediaBox[0 0 9 9]/Contents 4 0 R>>")
	}
	add("contents of 2 MB on 90 pages", foreign.Unpacked,
		many.with(2, "<</Type/Pages/Kids["+kids+"]>>").with(4, flat(bomb(2))).file())
	parts := build().with(3, "<</Type/Page/MediaBox[0 0 9 9]/Contents["+strings.Repeat("4 0 R ", 9000)+"]>>")
	add("contents of 9,000 parts of 1 MB", foreign.Unpacked, parts.with(4, flat(bomb(1))).file())
	add("contents of 9,000 parts of nothing", "", parts.with(4, flat(packed(nil))).file())
	add("contents of 100,000 parts", foreign.TooComplex,
		build().page("/Contents["+strings.Repeat("4 0 R ", 100_000)+"]").file())
	font := "<</Type/Font/Subtype/TrueType/BaseFont/Ab/FontDescriptor<</FontFile2 9 0 R>>>>"
	add("a font of 1 GB", foreign.Unpacked, build().with(5, font).with(9, flat(bomb(1024))).file())
	add("a font that is a picture", foreign.Damaged,
		build().with(5, font).with(9, streamOf("/Filter/JPXDecode", "\xff\x4f")).file())
	add("a map of characters of 1 GB", foreign.Unpacked,
		build().with(5, "<</Type/Font/Subtype/Type1/BaseFont/Helvetica/ToUnicode 9 0 R>>").with(9, flat(bomb(1024))).
			file())
	add("a color profile of 1 GB", foreign.Unpacked,
		build().page("/Resources<</ColorSpace<</C[/ICCBased 9 0 R]>>>>").with(9, streamOf("/N 3/Filter/FlateDecode",
			string(bomb(1024)))).file())
	add("a form of 1 GB", foreign.Unpacked, formPage("/Filter/FlateDecode", string(bomb(1024))).file())
	for _, c := range []string{"[", "<<", "<</A", "(", "[<</A[", "<</A<</B", "1 0 R ", "/A ", "[]", "<<>>", "<", "%",
		"7 ", "\\(", "}"} {
		why := foreign.Damaged
		switch c {
		case "[]", "<<>>", "7 ", "/A ", "1 0 R ", "}":
			why = "any"
		}
		add("8 MB of "+c, why, build().with(3, "["+strings.Repeat(c, 8<<20/len(c))).file())
		add("a little of "+c, "any", build().page("/Resources["+strings.Repeat(c, 50)).file())
	}
	add("an array of 4 million numbers", foreign.TooComplex, build().page("/MediaBox["+strings.Repeat("1 ",
		4<<20)+"]").file())
	add("a dictionary of a million keys", foreign.TooComplex, build().page("/X<<"+func() string {
		var b strings.Builder
		for i := range 1_000_000 {
			fmt.Fprintf(&b, "/%x 1", i)
		}
		return b.String()
	}()+">>").file())
	add("a predictor with huge rows", foreign.Unpacked, build().with(4, streamOf(
		"/Filter/FlateDecode/DecodeParms<</Predictor 12/Columns 1000000/Colors 32/BitsPerComponent 16>>",
		string(bomb(1)))).file())
	add("a predictor with too many columns", foreign.Damaged, build().with(4, streamOf(
		"/Filter/FlateDecode/DecodeParms<</Predictor 12/Columns 1000000000000>>", string(bomb(1)))).file())
}

func loops(add adder) {
	add("10,000 pages", foreign.TooManyPages, build().with(2, "<</Type/Pages/Kids["+strings.Repeat("3 0 R ",
		10_000)+"]>>").file())
	add("101 pages", foreign.TooManyPages, build().with(2, "<</Type/Pages/Kids["+strings.Repeat("3 0 R ", 101)+"]>>").
		file())
	add("100 times a page", "", build().with(2, "<</Type/Pages/Kids["+strings.Repeat("3 0 R ", 100)+"]>>").file())
	add("a tree in itself", foreign.Damaged, build().with(2, "<</Type/Pages/Kids[2 0 R]>>").file())
	add("a tree in itself behind a page", foreign.Damaged, build().with(2, "<</Type/Pages/Kids[3 0 R 2 0 R]>>").file())
	add("a tree in its child", foreign.Damaged, build().with(2, "<</Kids[6 0 R]>>").with(6, "<</Kids[2 0 R]>>").file())
	wide := build()
	for i := range 40 {
		wide.with(10+i, fmt.Sprintf("<</Type/Pages/Kids[%d 0 R %d 0 R]>>", 11+i, 11+i))
	}
	add("a tree that doubles without a page", foreign.Damaged, wide.with(2, "<</Kids[10 0 R]>>").with(50,
		"<</Kids[]>>").file())
	add("a tree that doubles", foreign.TooManyPages, wide.with(50, "<</Kids[3 0 R]>>").file())
	add("a deep tree", foreign.Damaged, func() []byte {
		b := build()
		for i := range 1000 {
			b.with(10+i, fmt.Sprintf("<</Kids[%d 0 R]>>", 11+i))
		}
		return b.with(2, "<</Kids[10 0 R]>>").with(1010, "<</Kids[3 0 R]>>").file()
	}())
	add("a reference to itself", foreign.Damaged, build().with(4, "4 0 R").file())
	add("references in a ring", foreign.Damaged, build().with(4, "6 0 R").with(6, "7 0 R").with(7, "4 0 R").file())
	add("references in a row", foreign.Damaged, func() []byte {
		b := build()
		for i := range 100 {
			b.with(10+i, fmt.Sprintf("%d 0 R", 11+i))
		}
		return b.with(4, "10 0 R").with(110, "null").file()
	}())
	add("a form that draws itself", foreign.Damaged, formPage("/Resources<</XObject<</X 9 0 R>>>>", "/X Do").file())
	add("forms that draw each other", foreign.Damaged, formPage("/Resources<</XObject<</Y 10 0 R>>>>", "/Y Do").
		with(10, streamOf("/Subtype/Form/BBox[0 0 9 9]/Resources<</XObject<</X 9 0 R>>>>", "/X Do")).file())
	add("a form that has itself and draws nothing", "", formPage("/Resources<</XObject<</X 9 0 R>>>>", "0 0 m").file())
	laughs := formPage("/Resources<</XObject<</X 10 0 R>>>>", strings.Repeat("/X Do ", 10))
	for i := range 12 {
		laughs.with(10+i, streamOf(fmt.Sprintf("/Subtype/Form/BBox[0 0 9 9]/Resources<</XObject<</X %d 0 R>>>>", 11+i),
			strings.Repeat("/X Do ", 10)))
	}
	add("forms that draw each other ten times", foreign.TooComplex, laughs.with(22,
		streamOf("/Subtype/Form/BBox[0 0 9 9]", "")).file())
	chain := formPage("/Resources<</XObject<</X 10 0 R>>>>", "/X Do")
	for i := range 5000 {
		chain.with(10+i, streamOf(fmt.Sprintf("/Subtype/Form/BBox[0 0 9 9]/Resources<</XObject<</X %d 0 R>>>>", 11+i),
			"/X Do"))
	}
	add("5,000 forms within each other", foreign.TooComplex, chain.file())
	add("300,000 times a form", foreign.TooComplex,
		build().page("/Resources<</XObject<</X 9 0 R>>>>").with(4, streamOf("", strings.Repeat("/X Do ", 300_000))).
			with(9, streamOf("/Subtype/Form/BBox[0 0 9 9]", "")).file())
	add("many names", foreign.TooComplex, build().with(4, streamOf("", func() string {
		var b strings.Builder
		for i := range 500_000 {
			fmt.Fprintf(&b, "/%x Do ", i)
		}
		return b.String()
	}())).file())
	add("resources that have themselves", "", build().page("/Resources 9 0 R").with(9,
		"<</Pattern<</P 10 0 R>>/Font<</F 5 0 R>>>>").
		with(10, streamOf("/PatternType 1/BBox[0 0 9 9]/XStep 9/YStep 9/Resources 9 0 R", "")).file())
	add("a color space in itself", "", build().page("/Resources<</ColorSpace<</C 9 0 R>>>>").with(9,
		"[/Indexed 9 0 R 1 (ab)]").file())
	add("a function in itself", "", build().
		page("/Resources<</Shading<</S<</ShadingType 2/ColorSpace/DeviceGray/Coords[0 0 1 1]"+
			"/Function 9 0 R>>>>>>").with(9,
		"<</FunctionType 3/Domain[0 1]/Functions[9 0 R 9 0 R]/Bounds[.5]/Encode[0 1 0 1]>>").file())
	add("a font in itself", "", build().with(5, "<</Type/Font/Subtype/Type0/BaseFont/Ab/DescendantFonts[5 0 R]>>").
		file())
	add("an array in itself", foreign.TooComplex, build().with(5, "<</Type/Font/Widths 9 0 R>>").with(9, "[9 0 R]").
		file())
	add("arrays that double", "any", func() []byte {
		b := build().with(5, "<</Type/Font/Widths 10 0 R>>")
		for i := range 40 {
			b.with(10+i, fmt.Sprintf("[%d 0 R %d 0 R]", 11+i, 11+i))
		}
		return b.with(50, "[1 2 3]").file()
	}())
	add("a mask in itself", "", picturePage("/Width 1/Height 1/BitsPerComponent 8/ColorSpace/DeviceGray/SMask 9 0 R",
		"a"))
	add("a field above itself", foreign.Damaged,
		build().page("/Annots[9 0 R]").with(9, "<</Subtype/Widget/Rect[0 0 9 9]/Parent 9 0 R>>").file())
	add("100,000 fields", foreign.TooComplex,
		build().page("/Annots["+strings.Repeat("9 0 R ", 100_000)+"]").with(9,
			"<</Subtype/Widget/FT/Btn/Rect[0 0 9 9]>>").file())
	add("lengths in a row", "any", func() []byte {
		b := build()
		for i := range 30 {
			b.with(10+i, fmt.Sprintf("<</Length %d 0 R>>stream\nx\nendstream", 11+i))
		}
		return b.with(4, "<</Length 10 0 R>>stream\nBT ET\nendstream").file()
	}())
}

func tables(add adder) {
	whole := build().file()
	at := bytes.LastIndex(whole, []byte("xref\n0"))
	replace := func(old, by string) []byte { return bytes.Replace(bytes.Clone(whole), []byte(old), []byte(by), 1) }
	add("no table", "", replace("startxref", "startxxxx"))
	add("a table elsewhere", "", append(bytes.Clone(whole[:bytes.LastIndex(whole, []byte("startxref"))]),
		"startxref\n7\n%%EOF"...))
	add("a table behind the end", "", append(bytes.Clone(whole[:bytes.LastIndex(whole, []byte("startxref"))]),
		"startxref\n99999999999\n"...))
	add("a table at a negative place", "", append(bytes.Clone(whole[:bytes.LastIndex(whole, []byte("startxref"))]),
		"startxref\n-1\n"...))
	add("wrong places", "", bytes.ReplaceAll(whole, []byte("\n00000000"), []byte("\n00000001")))
	add("places of others", "", bytes.Replace(whole, []byte("\n4 1\n"), []byte("\n3 1\n"), 1))
	add("a table of a billion", "", replace("xref\n0 1\n", "xref\n0 999999999\n"))
	add("a huge number", "", replace("xref\n0 1\n", "xref\n99999999999 1\n"))
	add("a table before itself", "", replace("/Root 1 0 R", fmt.Sprintf("/Root 1 0 R/Prev %d", at)))
	add("a table that is nowhere", "", replace("/Root 1 0 R", "/Root 1 0 R/Prev 12"))
	add("a stream of a table that is the table", "", replace("/Root 1 0 R", fmt.Sprintf("/Root 1 0 R/XRefStm %d", at)))
	add("300,000 objects", foreign.TooComplex, func() []byte {
		var b bytes.Buffer
		b.WriteString("%PDF-1.7\n")
		for i := range 300_000 {
			fmt.Fprintf(&b, "%d 0 obj\n7\nendobj\n", i+1)
		}
		return b.Bytes()
	}())
	add("a million rows", foreign.TooComplex, func() []byte {
		var b bytes.Buffer
		b.WriteString("%PDF-1.7\nxref\n0 400000\n")
		b.WriteString(strings.Repeat("0000000010 00000 n \n", 400_000))
		b.WriteString("trailer<</Root 1 0 R>>startxref\n9\n%%EOF")
		return b.Bytes()
	}())
	add("texts within each other", "any", append([]byte("%PDF-1.7\n"), strings.Repeat("1 0 obj (", 1_000_000)...))
	add("arrays within each other", "any", append([]byte("%PDF-1.7\n"), strings.Repeat("1 0 obj [", 1_000_000)...))
	add("different objects within each other", "any", append([]byte("%PDF-1.7\n"), func() string {
		var b strings.Builder
		for i := range 180_000 {
			fmt.Fprintf(&b, "%d 0 obj (", i+1)
		}
		return b.String()
	}()...))
	add("streams without end", "any", append([]byte("%PDF-1.7\n"), func() string {
		var b strings.Builder
		for i := range 100_000 {
			fmt.Fprintf(&b, "%d 0 obj<<>>stream\n", i+1)
		}
		return b.String()
	}()...))
	add("many trailers", "any", append([]byte("%PDF-1.7\n"), strings.Repeat("trailer<</A[", 800_000)...))
	add("many updates", "any", func() []byte {
		b := bytes.Clone(whole)
		last := at
		for range 20_000 {
			next := len(b)
			b = fmt.Appendf(b, "xref\n0 0\ntrailer\n<</Root 1 0 R/Prev %d>>\nstartxref\n%d\n%%%%EOF\n", last, next)
			last = next
		}
		return b
	}())
	none := func(map[int][3]int, *string, *string) {}
	add("objects in a stream", "", objStream(none))
	objects := func(name string, why foreign.Refusal, s string) {
		add(name, why, objStream(func(_ map[int][3]int, object, _ *string) { *object = s }))
	}
	objects("a stream of a billion objects", "any", "/Type/ObjStm/N 999999999/First 20")
	objects("a stream of less than no objects", foreign.Damaged, "/Type/ObjStm/N -1/First 20")
	objects("a stream whose first is behind its end", foreign.Damaged, "/Type/ObjStm/N 3/First 999999999")
	objects("a stream whose first is negative", foreign.Damaged, "/Type/ObjStm/N 3/First -20")
	objects("a stream of no objects", foreign.Damaged, "/Type/Nothing/N 3/First 20")
	add("a stream that extends itself", "", objStream(func(_ map[int][3]int, object,
		_ *string) {
		*object += "/Extends 6 0 R"
	}))
	table := func(name string, why foreign.Refusal, s string) {
		add(name, why, objStream(func(_ map[int][3]int, _, table *string) { *table = s }))
	}
	table("wide columns", "any", "/Type/XRef/Size 8/W[1 999999999 2]/Root 1 0 R")
	table("no columns", "any", "/Type/XRef/Size 8/W[0 0 0]/Root 1 0 R")
	table("negative columns", "any", "/Type/XRef/Size 8/W[1 -4 2]/Root 1 0 R")
	table("two columns", "any", "/Type/XRef/Size 8/W[1 4]/Root 1 0 R")
	table("a huge index", "any", "/Type/XRef/Size 8/W[1 4 2]/Root 1 0 R/Index[0 2147483647]")
	table("an index of huge numbers", "any", "/Type/XRef/Size 8/W[1 4 2]/Root 1 0 R/Index[2147483640 8]")
	table("a negative index", "any", "/Type/XRef/Size 8/W[1 4 2]/Root 1 0 R/Index[-5 8]")
	table("a huge index over and over", "any", "/Type/XRef/Size 8/W[1 4 2]/Root 1 0 R/Index["+strings.Repeat("0 1 ",
		50_000)+"]")
	table("an encrypted table", foreign.Protected, "/Type/XRef/Size 8/W[1 4 2]/Root 1 0 R/Encrypt<</V 5>>")
	add("a stream of objects in a stream of objects", "any", objStream(func(rows map[int][3]int, _,
		_ *string) {
		rows[6] = [3]int{2, 6, 0}
	}))
	add("a stream of objects in another", "any", objStream(func(rows map[int][3]int, _,
		_ *string) {
		rows[6] = [3]int{2, 5, 0}
	}))
	bombed := build().with(2, "<</Kids[20 0 R]>>")
	file := bombed.with(9, streamOf("/Type/ObjStm/N 1/First 5/Filter/FlateDecode", string(bomb(1024)))).file()
	add("a stream of objects of 1 GB", foreign.Unpacked, bytes.Replace(file, []byte("startxref"), []byte("startxxxx"),
		1))
	file = build().with(9, streamOf("/Type/XRef/Size 9/W[1 4 2]/Root 1 0 R/Filter/FlateDecode", string(bomb(1024)))).
		file()
	place := bytes.Index(file, []byte("9 0 obj"))
	end := bytes.LastIndex(file, []byte("startxref"))
	add("a table of 1 GB", foreign.Unpacked, fmt.Appendf(bytes.Clone(file[:end]), "startxref\n%d\n%%%%EOF", place))
}

func realJPEG() string {
	var b bytes.Buffer
	_ = jpeg.Encode(&b, image.NewGray(image.Rect(0, 0, 10, 10)), nil)
	return b.String()
}

func pictures(add adder) {
	sized := func(width, height int) string {
		b := []byte{0xff, 0xd8, 0xff, 0xc0, 0, 11, 8}
		b = binary.BigEndian.AppendUint16(binary.BigEndian.AppendUint16(b, uint16(height)), uint16(width))
		return string(append(b, 1, 1, 0x11, 0, 0xff, 0xd9))
	}
	jpx := func(width, height int) string {
		b := []byte{0xff, 0x4f, 0xff, 0x51, 0, 41, 0, 0}
		b = binary.BigEndian.AppendUint32(binary.BigEndian.AppendUint32(b, uint32(width)), uint32(height))
		return string(append(b, zeros(40)...))
	}
	small := "/Width 10/Height 10/BitsPerComponent 8/ColorSpace/DeviceGray"
	large := "/Width 60000/Height 60000/BitsPerComponent 8/ColorSpace/DeviceGray"
	add("a picture of 1 GB", foreign.Unpacked, picturePage(small+"/Filter/FlateDecode", string(bomb(1024))))
	add("a picture of 100,000 times 1 GB", foreign.Unpacked,
		picturePage("/Width 100000/Height 1000/BitsPerComponent 8/Filter/FlateDecode",
			string(bomb(1024))))
	add("a picture of 3.6 gigapixels", foreign.Unpacked, picturePage(large, ""))
	add("a mask of 3.6 gigapixels", foreign.Unpacked, picturePage(large+"/ImageMask true", ""))
	add("a fax of 3.6 gigapixels", foreign.Unpacked, picturePage(large+"/Filter/CCITTFaxDecode/DecodeParms<</K -1>>",
		""))
	add("a JBIG2 of 3.6 gigapixels", foreign.Unpacked, picturePage(large+"/Filter/JBIG2Decode", ""))
	add("an endless width", foreign.Unpacked, picturePage("/Width 99999999999999999999/Height 1", ""))
	add("a negative width", foreign.Damaged, picturePage("/Width -1/Height 1", ""))
	add("no width", foreign.Damaged, picturePage("/Height 1", ""))
	add("a JPEG", "", picturePage(small+"/Filter/DCTDecode", realJPEG()))
	add("a JPEG of 4 gigapixels", foreign.Unpacked, picturePage(small+"/Filter/DCTDecode", sized(65_535, 65_535)))
	add("a JPEG without a frame", foreign.Damaged, picturePage(small+"/Filter/DCTDecode", "\xff\xd8\xff\xd9"))
	add("a JPEG that is none", foreign.Damaged, picturePage(small+"/Filter/DCTDecode", "<script>"))
	add("a JPEG in a bomb", foreign.Damaged, picturePage(small+"/Filter[/FlateDecode/DCTDecode]", string(bomb(1024))))
	add("a JPEG before a bomb", foreign.Unpacked, picturePage(small+"/Filter[/FlateDecode/DCTDecode]",
		string(packed(append([]byte(sized(10, 10)), zeros(300<<20)...)))))
	add("a JPX", "", picturePage(small+"/Filter/JPXDecode", jpx(10, 10)))
	add("a JPX of 4 gigapixels", foreign.Unpacked, picturePage(small+"/Filter/JPXDecode", jpx(65_535, 65_535)))
	add("a JPX of many gigapixels", foreign.Unpacked, picturePage(small+"/Filter/JPXDecode", jpx(1<<32-1, 1<<32-1)))
	add("a JPX that is none", foreign.Damaged, picturePage(small+"/Filter/JPXDecode", "x"))
	add("a picture that another filter follows", foreign.Damaged, picturePage(small+"/Filter[/DCTDecode/FlateDecode]",
		sized(10, 10)))
	add("a picture with a large mask", foreign.Unpacked, build().page("/Resources<</XObject<</X 9 0 R>>>>").
		with(9, streamOf("/Subtype/Image"+small+"/SMask 10 0 R", string(zeros(100)))).
		with(10, streamOf("/Subtype/Image"+large, "")).file())
	many := build().page("/Resources<</XObject<<" + func() (s string) {
		for i := range 200 {
			s += fmt.Sprintf("/X%d %d 0 R", i, 10+i)
		}
		return s
	}() + ">>>>")
	for i := range 200 {
		many.with(10+i, streamOf("/Subtype/Image/Width 8000/Height 8000/BitsPerComponent 8/Filter/DCTDecode",
			sized(8000, 8000)))
	}
	add("200 pictures of 64 megapixels", foreign.Unpacked, many.file())
}

func forms(add adder) {
	annotation := func(entries string) *builder {
		return build().page("/Annots[<<"+entries+">>]").with(8, look("", "Jane"))
	}
	widget := "/Subtype/Widget/Rect[20 20 120 40]"
	add("a filled field without a look", "", annotation(widget+"/FT/Tx/V(Jane)").file())
	add("an empty field without a look", "", annotation(widget+"/FT/Tx/V()").file())
	for i, v := range []string{"( )", "<feff>", "<FE FF 00 20>", "(\\376\\377)", "(\\n)", "()", "[]", "null", "7"} {
		add(fmt.Sprint("a field without a look and an empty value ", i), "", annotation(widget+"/FT/Tx/V "+v).file())
	}
	for i, v := range []string{"(.)", "<feff0041>", "<41>", "(\\101)", "(\xfe\xff\x00A)", "(\xe4)"} {
		add(fmt.Sprint("a field without a look and a value ", i), "", annotation(widget+"/FT/Tx/V "+v).file())
	}
	add("an inherited value without a look", "", annotation(widget+"/Parent<</FT/Tx/V(Jane)>>").file())
	for what, entries := range map[string]string{
		"in other letters":                "/FT/Tx/V<feff05d0>",
		"with a control character":        "/FT/Tx/V(a\\007b)",
		"of 20,000 characters":            "/FT/Tx/Ff 4096/V(" + strings.Repeat("a ", 10_000) + ")",
		"longer than its field":           "/FT/Tx/V(" + strings.Repeat("long ", 50) + ")",
		"of a password":                   "/FT/Tx/Ff 8192/V(secret)",
		"that is turned":                  "/FT/Tx/MK<</R 90>>/V(Jane)",
		"with more characters than cells": "/FT/Tx/Ff 16777216/MaxLen 2/V(Jane)",
		"of a list":                       "/FT/Ch/V(Jane)",
		"of two choices":                  "/FT/Ch/Ff 131072/V[(Jane)(Kim)]",
		"of a stream":                     "/FT/Tx/V 8 0 R",
		"of several texts":                "/FT/Tx/V[(A)]",
	} {
		add("a filled field without a look "+what, foreign.Undrawn, annotation(widget+entries).file())
	}
	for what, entries := range map[string]string{
		"with sizes that are none":  "/FT/Tx/DA(/F x Tf rg)/V(Jane)",
		"with a huge size":          "/FT/Tx/DA(/F 1e30 Tf)/V(Jane)",
		"with a negative size":      "/FT/Tx/DA(/F -12 Tf)/V(Jane)",
		"without a place":           "/Rect[0 0 0 0]/FT/Tx/V(Jane)",
		"with options that are odd": "/FT/Ch/Ff 131072/V(Jane)/Opt[(Jane)[(a)][7 8][(b)(c)(d)][(Jane) 8]]",
		"with cells of no number":   "/FT/Tx/Ff 16777216/MaxLen -3/V(Jane)",
	} {
		add("a filled field without a look "+what, "any", annotation(widget+entries).file())
	}
	add("a filled field with an empty look", "",
		annotation(widget+"/FT/Tx/V(Jane)/AP<</N 8 0 R>>").with(8, streamOf("/BBox[0 0 9 9]", "/Tx BMC EMC")).file())
	add("a choice without a look", "", annotation(widget+"/FT/Ch/Ff 131072/V[(Jane)]").file())
	add("a button without a look", "", annotation(widget+"/FT/Btn").file())
	for kind := range map[string]bool{
		"FreeText": true, "StrikeOut": true, "Highlight": true, "Ink": true, "Line": true, "Square": true,
		"Stamp": true, "Redact": true,
	} {
		add(kind+" without a look", foreign.Undrawn, annotation("/Subtype/"+kind+"/Rect[0 0 99 99]").file())
		add(kind+" that is hidden", "", annotation("/F 2/Subtype/"+kind+"/Rect[0 0 99 99]").file())
	}
	for name, entries := range map[string]string{
		"a look that is an array":         "/AP[8 0 R]",
		"a look that is a number":         "/AP<</N 7>>",
		"a look in a state that is not":   "/AP<</N<</Yes 8 0 R>>>>/AS/No",
		"a look in a loop of states":      "/AP<</N<</Yes<</Yes 8 0 R>>>>>>/AS/Yes",
		"no place":                        "/AP<</N 8 0 R>>/Rect[]",
		"an empty place":                  "/AP<</N 8 0 R>>/Rect[5 5 5 5]",
		"a look with a flag":              "/AP<</N 8 0 R>>/F(x)",
		"a look with resources of others": "/AP<</N 8 0 R>>",
	} {
		add(name, "", annotation("/Subtype/Widget/FT/Btn/Rect[20 20 120 40]"+entries).file())
	}
	add("a look with an empty box", "", annotation(widget+"/FT/Btn/AP<</N 8 0 R>>").with(8, streamOf("/BBox[0 0 0 0]",
		"")).file())
	add("a look with a flat matrix", "", annotation(widget+"/FT/Btn/AP<</N 8 0 R>>").with(8,
		look("/Matrix[0 0 0 0 0 0]", "")).file())
	add("a look of 1 GB", foreign.Unpacked,
		annotation(widget+"/FT/Btn/AP<</N 8 0 R>>").with(8, streamOf("/BBox[0 0 9 9]/Filter/FlateDecode",
			string(bomb(1024)))).file())
	add("a look that draws itself", foreign.Damaged, annotation(widget+"/FT/Btn/AP<</N 8 0 R>>").
		with(8, streamOf("/Subtype/Form/BBox[0 0 9 9]/Resources<</XObject<</X 8 0 R>>>>", "/X Do")).file())
}

func TestHostileFilesAreRefusedSoon(t *testing.T) {
	t.Parallel()
	all := hostile()
	if len(all) < 200 {
		t.Errorf("only %d files", len(all))
	}
	for name, s := range all {
		began := time.Now()
		d, err := clean(t, s.file)
		took := time.Since(began)
		if took > time.Second {
			t.Logf("%s took %v", name, took)
		}
		if took > 8*time.Second { // on a busy machine; TestCostIsBounded measures
			t.Errorf("%s took %v", name, took)
		}
		why, is := foreign.RefusalOf(err)
		switch {
		case err != nil && !is:
			t.Errorf("%s: %v", name, err)
		case s.why != "any" && why != s.why:
			t.Errorf("%s: refused as %q, want %q", name, string(why), string(s.why))
		case err == nil && len(d.Pages) == 0:
			t.Errorf("%s: no pages", name)
		case err == nil:
			harmless(t, d.Content)
		}
	}
}

// What is taken of them can be read by others.
func TestHostileFilesThatAreTakenAreSound(t *testing.T) {
	t.Parallel()
	all, taken := hostile(), sampled.OneIn(t, 3)
	for i, name := range slices.Sorted(maps.Keys(all)) {
		if !taken(i) {
			continue
		}
		d, err := clean(t, all[name].file)
		if err != nil {
			continue
		}
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			sound(t, d.Content)
		})
	}
}

// A file that is cut or changed anywhere is taken or refused, and nothing else.
func TestChangedFilesAreTakenOrRefused(t *testing.T) {
	t.Parallel()
	random := rand.New(rand.NewPCG(1, 2))
	for _, file := range [][]byte{build().file(), objStream(func(map[int][3]int, *string, *string) {})} {
		for i := range file {
			checkTaken(t, file[:i])
		}
		for range 1000 {
			b := bytes.Clone(file)
			for range 1 + random.IntN(4) {
				b[random.IntN(len(b))] = byte(random.Uint32())
			}
			checkTaken(t, b)
		}
	}
}

func checkTaken(t testing.TB, file []byte) {
	t.Helper()
	d, err := clean(t, file)
	if _, is := foreign.RefusalOf(err); err != nil && !is {
		t.Errorf("%v of %q", err, file)
	}
	if err == nil {
		harmless(t, d.Content)
		if again, err := clean(t, d.Content); err != nil || len(again.Pages) != len(d.Pages) {
			t.Errorf("what was made is not taken: %v, %q", err, file)
		}
	}
}

func FuzzClean(f *testing.F) {
	add := func(_ string, _ foreign.Refusal, file []byte) {
		if len(file) < 5_000 {
			f.Add(file)
		}
	}
	broken(add)
	forms(add)
	add("objects in a stream", "", objStream(func(map[int][3]int, *string, *string) {}))
	add("an update", "", updated(build()))
	f.Fuzz(func(t *testing.T, file []byte) { checkTaken(t, file) })
}

func TestCallerWhoLeavesGetsThatError(t *testing.T) {
	t.Parallel()
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := foreign.NewCleaner(time.Minute).Clean(ctx, build().file()); !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
}

package foreign_test

import (
	"bytes"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"testing"
	"time"

	"portal/api/agreement/document/documenttest"
	"portal/api/agreement/document/foreign"
)

func must(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

func clean(t testing.TB, file []byte) (foreign.Document, error) {
	return foreign.NewCleaner(time.Minute).Clean(t.Context(), file)
}

// cleaned is what becomes of a file that is taken. It is the same twice, and other programs read it.
func cleaned(t *testing.T, file []byte) foreign.Document {
	t.Helper()
	before := bytes.Clone(file)
	d, err := clean(t, file)
	must(t, err)
	again, err := clean(t, file)
	must(t, err)
	if !bytes.Equal(d.Content, again.Content) || !bytes.Equal(before, file) {
		t.Error("the same file is not the same twice")
	}
	harmless(t, d.Content)
	sound(t, d.Content)
	return d
}

// harmless checks that a file has nothing but what draws pages.
func harmless(t testing.TB, content []byte) {
	t.Helper()
	for _, name := range []string{
		"JavaScript", "JS", "OpenAction", "AA", "A", "Launch", "URI", "GoToR", "GoToE", "SubmitForm", "ImportData",
		"EmbeddedFile",
		"EmbeddedFiles", "Filespec", "EF", "RichMedia", "RichMediaContent", "3D", "Movie", "Sound", "Rendition",
		"XFA", "AcroForm",
		"Annots", "Annot", "Widget", "Metadata", "Outlines", "StructTreeRoot", "StructParents", "Sig", "ByteRange",
		"Thumb",
		"PieceInfo", "OCProperties", "OC", "Names", "Dests", "Encrypt", "Info", "Perms", "Alternates", "OPI", "Ref",
		"PS",
	} {
		if bytes.Contains(outside(content), []byte("/"+name+" ")) || bytes.Contains(outside(content),
			[]byte("/"+name+"/")) ||
			bytes.Contains(outside(content), []byte("/"+name+"<")) || bytes.Contains(outside(content),
			[]byte("/"+name+"[")) {
			t.Errorf("there is /%s", name)
		}
	}
}

// outside is a file of ours without its streams.
func outside(content []byte) []byte {
	var all []byte
	for {
		before, rest, found := bytes.Cut(content, []byte(">>\nstream\n"))
		all = append(append(all, before...), ">>"...)
		if !found {
			return all
		}
		_, content, _ = bytes.Cut(rest, []byte("\nendstream\n"))
	}
}

func textOf(t *testing.T, content []byte) string {
	t.Helper()
	return documenttest.Tool(t, content, "pdftotext", "-layout", "FILE", "-")
}

// picture is how a page looks, as the bytes of a PPM file.
func picture(t *testing.T, content []byte, page int) string {
	t.Helper()
	n := strconv.Itoa(page)
	return documenttest.Tool(t, content, "pdftoppm", "-q", "-r", "50", "-cropbox", "-f", n, "-l", n, "FILE")
}

// sound checks that other programs find nothing wrong with a file.
func sound(t *testing.T, content []byte) {
	t.Helper()
	if out := documenttest.Tool(t, content, "qpdf", "--check", "FILE"); strings.Contains(out, "WARNING") {
		t.Error(out)
	}
}

// alike checks that pages look as before.
func alike(t *testing.T, before, after []byte, pages int) {
	t.Helper()
	for i := 1; i <= pages; i++ {
		a, b := picture(t, before, i), picture(t, after, i)
		if len(a) != len(b) {
			t.Errorf("page %d has another size: %d, %d bytes", i, len(a), len(b))
			continue
		}
		differ := 0
		for j := range a {
			if max(a[j], b[j])-min(a[j], b[j]) > 24 {
				differ++
			}
		}
		if differ > len(a)/2000 {
			t.Errorf("page %d differs in %d of %d samples", i, differ, len(a))
		}
	}
}

func refused(t testing.TB, file []byte, want foreign.Refusal) {
	t.Helper()
	_, err := clean(t, file)
	if got, is := foreign.RefusalOf(err); !is || got != want {
		t.Errorf("%v, refused as %q, want %q", err, string(got), string(want))
	}
	if errors.Is(err, want) && len(err.Error()) < 20 {
		t.Error("no sentence: ", err)
	}
}

// builder makes PDFs, sound ones and others.
type builder struct {
	objects map[int]string
	trailer string // what it has besides Size and Root
	version string
}

func build() *builder {
	b := &builder{objects: map[int]string{}, version: "1.7"}
	b.objects[1] = "<</Type/Catalog/Pages 2 0 R>>"
	b.objects[2] = "<</Type/Pages/Kids[3 0 R]/Count 1>>"
	b.objects[3] = "<</Type/Page/Parent 2 0 R/MediaBox[0 0 300 200]/Contents 4 0 R/Resources<</Font<</F 5 0 R>>>>>>"
	b.objects[4] = streamOf("", "BT /F 20 Tf 20 100 Td (Hello page) Tj ET")
	b.objects[5] = "<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>"
	return b
}

func streamOf(entries, data string) string {
	return fmt.Sprintf("<<%s/Length %d>>\nstream\n%s\nendstream", entries, len(data), data)
}

// with puts an object.
func (b *builder) with(n int, object string) *builder {
	b.objects[n] = object
	return b
}

// page puts more entries into the page.
func (b *builder) page(entries string) *builder {
	b.objects[3] = strings.TrimSuffix(b.objects[3], ">>") + entries + ">>"
	return b
}

// catalog puts more entries into the catalog.
func (b *builder) catalog(entries string) *builder {
	b.objects[1] = strings.TrimSuffix(b.objects[1], ">>") + entries + ">>"
	return b
}

func (b *builder) file() []byte {
	var out bytes.Buffer
	fmt.Fprintf(&out, "%%PDF-%s\n%%\xe2\xe3\xcf\xd3\n", b.version)
	most := 0
	for n := range b.objects {
		most = max(most, n)
	}
	var table bytes.Buffer
	table.WriteString("xref\n0 1\n0000000000 65535 f \n")
	for n := range most + 1 {
		if object, is := b.objects[n]; is {
			fmt.Fprintf(&table, "%d 1\n%010d 00000 n \n", n, out.Len())
			fmt.Fprintf(&out, "%d 0 obj\n%s\nendobj\n", n, object)
		}
	}
	at := out.Len()
	out.Write(table.Bytes())
	fmt.Fprintf(&out, "trailer\n<</Size %d/Root 1 0 R%s>>\nstartxref\n%d\n%%%%EOF\n", most+1, b.trailer, at)
	return out.Bytes()
}

func TestPageIsDrawnAsBefore(t *testing.T) {
	t.Parallel()
	file := build().file()
	d := cleaned(t, file)
	if len(d.Pages) != 1 || d.Pages[0].Width != 300 || d.Pages[0].Height != 200 || d.Pages[0].Rotate != 0 {
		t.Errorf("%+v", d.Pages)
	}
	if !strings.Contains(textOf(t, d.Content), "Hello page") {
		t.Error("the text is gone")
	}
	alike(t, file, d.Content, 1)
	form := fmt.Appendf(nil, "\n%d 0 obj\n<</Type/XObject/Subtype/Form/BBox[0 0 300 200]", d.Pages[0].Object)
	if !bytes.Contains(d.Content, form) {
		t.Error("the object of the page is no form")
	}
}

// What a file may do besides drawing its pages is gone.
func TestActionsAndFilesAreLeftOut(t *testing.T) {
	t.Parallel()
	script := "<</S/JavaScript/JS(app.alert\\(1\\))>>"
	for name, b := range map[string]*builder{
		"open action":  build().catalog("/OpenAction" + script),
		"escaped name": build().catalog("/Open#41ction<</#53/J#61vaScript/J#53(x)>>"),
		"additional":   build().catalog("/AA<</WC" + script + ">>").page("/AA<</O" + script + ">>"),
		"names": build().catalog("/Names<</JavaScript<</Names[(a)" + script +
			"]>>/EmbeddedFiles<</Names[(a) 9 0 R]>>>>"),
		"launch": build().
			page("/Annots[<</Type/Annot/Subtype/Link/Rect[0 0 300 200]/A<</S/Launch/F(cmd.exe)>>>>]"),
		"uri": build().
			page("/Annots[<</Type/Annot/Subtype/Link/Rect[0 0 300 200]/A<</S/URI/URI(http://a.b)>>>>]"),
		"file": build().page("/Annots[<</Subtype/FileAttachment/Rect[0 0 9 9]/FS<</Type/Filespec/EF<</F 9 0 R>>>>>>]").
			with(9, streamOf("/Type/EmbeddedFile", "MZ")),
		"rich media": build().page("/Annots[<</Subtype/RichMedia/Rect[0 0 9 9]/RichMediaContent<</Assets 9 0 R>>>>" +
			"<</Subtype/3D/Rect[0 0 9 9]/3DD 9 0 R>><</Subtype/Movie/Rect[0 0 9 9]/Movie 9 0 R>>" +
			"<</Subtype/Sound/Rect[0 0 9 9]/Sound 9 0 R>><</Subtype/Screen/Rect[0 0 9 9]/A<</S/Rendition>>>>]"),
		"metadata": build().catalog("/Metadata 9 0 R/Outlines 9 0 R/PieceInfo<<>>/StructTreeRoot<<>>").
			page("/Metadata 9 0 R/Thumb 9 0 R/PieceInfo<<>>/StructParents 0").with(9, streamOf("", "secret")),
		"signature": build().catalog("/AcroForm<</SigFlags 3/Fields[9 0 R]>>/Perms<</DocMDP 10 0 R>>").
			page("/Annots[9 0 R]").with(9, "<</FT/Sig/Subtype/Widget/Rect[0 0 0 0]/V 10 0 R>>").
			with(10, "<</Type/Sig/ByteRange[0 1 2 3]/Contents<00>>>"),
		"XFA beside fields": build().catalog("/AcroForm<</XFA 9 0 R/Fields[10 0 R]>>").with(9, streamOf("", "<xdp/>")).
			with(10, "<</FT/Tx/T(a)>>"),
		"PostScript": build().page("/Resources<</XObject<</X 9 0 R>>/Font<</F 5 0 R>>>>").
			with(9, streamOf("/Subtype/PS", "quit")),
		"link in a form": build().page("/Resources<</XObject<</X 9 0 R>>/Font<</F 5 0 R>>>>").
			with(9, streamOf("/Subtype/Form/BBox[0 0 9 9]/OPI<<>>/Ref<</F(a)>>/A"+script+"/Metadata 5 0 R", "")),
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			d := cleaned(t, b.file())
			for _, s := range []string{"alert", "cmd.exe", "http:", "MZ", "secret", "xdp", "quit"} {
				if bytes.Contains(d.Content, []byte(s)) {
					t.Errorf("there is still %q", s)
				}
			}
			if !strings.Contains(textOf(t, d.Content), "Hello page") {
				t.Error("the text is gone")
			}
		})
	}
}

// look is a field's or comment's appearance with a text.
func look(entries, shown string) string {
	return streamOf("/Type/XObject/Subtype/Form/BBox[0 0 100 20]/Resources<</Font<</F 5 0 R>>>>"+entries,
		"/Tx BMC q BT /F 12 Tf 2 5 Td ("+shown+") Tj ET Q EMC")
}

func TestFieldsAndCommentsAreDrawn(t *testing.T) {
	t.Parallel()
	field := "<</Type/Annot/Subtype/Widget/FT/Tx/T(a)/V(Jane)/F 4/Rect[20 20 120 40]/AP<</N 8 0 R>>>>"
	file := build().catalog("/AcroForm<</Fields[7 0 R 9 0 R 11 0 R]/DA(/F 0 Tf)>>").
		page("/Annots[7 0 R 9 0 R 11 0 R 13 0 R 14 0 R]").
		with(7, field).with(8, look("", "Jane")).
		with(9, "<</Subtype/Widget/FT/Btn/T(b)/V/Yes/AS/Yes/Rect[200 20 220 40]/AP<</N<</Yes 10 0 R/Off 12 0 R>>>>>>").
		with(10, look("/Matrix[0 1 -1 0 20 0]", "ON")).
		with(11, "<</Subtype/Widget/FT/Tx/F 2/V(hidden)/Rect[20 60 120 80]/AP<</N 12 0 R>>>>").
		with(12, look("", "hidden")).
		with(13, "<</Subtype/FreeText/Contents(x)/Rect[20 150 220 190]/AP<</N 15 0 R>>>>").
		with(14, "<</Subtype/Popup/Rect[0 0 300 200]/Parent 13 0 R>>").
		with(15, look("", "Note")).file()
	d := cleaned(t, file)
	text := textOf(t, d.Content)
	for _, s := range []string{"Jane", "Note", "Hello page"} {
		if !strings.Contains(text, s) {
			t.Errorf("%q is not there: %q", s, text)
		}
	}
	if strings.Contains(text, "hidden") {
		t.Error("something hidden is drawn")
	}
	alike(t, file, d.Content, 1)
}

// Some programs fill a form in and leave it to readers to draw what was typed.
func TestValuesThatReadersDrawAreDrawn(t *testing.T) {
	t.Parallel()
	for entries, want := range map[string]string{
		"/FT/Tx/V(Jane \\(Ann\\) Roe)":               "Jane (Ann) Roe",
		"/FT/Tx/V<feff004a00e9>":                     "Jé",
		"/FT/Tx/V(\\220s\\240)":                      "’s€",
		"/FT/Tx/Q 2/DA(0 0 1 rg /F 30 Tf)/V(Shrunk)": "Shrunk",
		"/FT/Tx/Ff 4096/Rect[20 20 120 80]/V(One two three four five six seven\\rEight)": "One two three four five six seven Eight",
		"/FT/Tx/Ff 16777216/MaxLen 5/V(78701)":                                           "78701",
		"/FT/Ch/Ff 131072/V(tx)/Opt[[(ny)(New York)][(tx)(Texas)]]":                      "Texas",
		"/FT/Ch/Ff 131072/V[(Jane)]":                                                     "Jane",
		"/Parent<</FT/Tx/V(Above)>>":                                                     "Above",
		"/FT/Tx/V(Over two\\\n lines)":                                                   "Over two lines",
	} {
		d := cleaned(t, build().catalog("/AcroForm<</Fields[7 0 R]/DA(/Helv 0 Tf 0 g)/NeedAppearances true>>").
			page("/Annots[7 0 R]").with(7, "<</Type/Annot/Subtype/Widget/F 4/Rect[20 20 120 40]"+entries+">>").file())
		read := strings.Join(strings.Fields(textOf(t, d.Content)), " ")
		if squeeze := strings.ReplaceAll; !strings.Contains(squeeze(read, " ", ""), squeeze(want, " ", "")) {
			t.Errorf("%s: %q is not there: %q", entries, want, read)
		}
		sound(t, d.Content)
	}
}

func TestBoxesAndTurnsAreKept(t *testing.T) {
	t.Parallel()
	inherits := "/MediaBox[10 20 310 220]/CropBox[40 20 310 220]/Resources<</Font<</F 5 0 R>>>>"
	for name, x := range map[string]struct {
		page          string
		width, height float64
	}{
		"inherited": {"", 270, 200}, "turned": {"/Rotate 90", 200, 270}, "turned back": {"/Rotate -90", 200, 270},
		"upside down": {"/Rotate 540", 270, 200}, "crooked": {"/Rotate 45", 270, 200},
		"own":             {"/CropBox[310 220 20 30]", 290, 190},
		"out of the page": {"/CropBox[900 900 950 950]", 300, 200}, "double": {"/UserUnit 2", 540, 400},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			file := build().with(2, "<</Type/Pages/Kids[3 0 R]/Count 1"+inherits+">>").
				with(3, "<</Type/Page/Parent 2 0 R/Contents[4 0 R 6 0 R]"+x.page+">>").
				with(4, streamOf("", "BT /F 20 Tf 50 100 Td (Hel")).
				with(4, streamOf("", "q q BT /F 20 Tf 50 100 Td (Hello) Tj ")).
				with(6, streamOf("", "( page) Tj ET")).file()
			d := cleaned(t, file)
			if d.Pages[0].Width != x.width || d.Pages[0].Height != x.height {
				t.Errorf("%+v", d.Pages[0])
			}
			if x.page != "/CropBox[900 900 950 950]" { // the program that draws it takes it as it is
				alike(t, file, d.Content, 1)
			}
			if !strings.Contains(textOf(t, d.Content), "Hello page") {
				t.Error("the text is gone")
			}
		})
	}
}

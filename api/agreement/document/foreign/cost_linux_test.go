package foreign_test

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"runtime/debug"
	"slices"
	"strings"
	"testing"
	"time"

	"portal/api/agreement/document/foreign"
	"portal/api/sampled"
)

const (
	// mostGrowth is how much more memory a file may take than none, in bytes.
	mostGrowth = 80 << 20
	// long is what is told, when processors worked for so long for a file.
	long = time.Second / 2
	// cleansFiles names the variable that makes this program clean the files of a folder.
	cleansFiles = "FOREIGN_CLEANS"
)

// program is this one, without the race detector, which takes several times the memory itself.
func program(t *testing.T) string {
	t.Helper()
	info, _ := debug.ReadBuildInfo()
	if !slices.Contains(info.Settings, debug.BuildSetting{Key: "-race", Value: "true"}) {
		self, err := os.Executable()
		must(t, err)
		return self
	}
	path := filepath.Join(t.TempDir(), "foreign.test")
	command := exec.CommandContext(t.Context(), "go", "test", "-c", "-vet=off", "-o", path, ".")
	command.Env = append(os.Environ(), "CGO_ENABLED=0") // as all tests are compiled that the detector does not look at
	out, err := command.CombinedOutput()
	if err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	return path
}

// A file is bounded in its memory. How long it takes is bounded by the work that the cleaner counts; what took long
// for a processor is told with -v.
func TestMemoryOfAFileIsBounded(t *testing.T) {
	t.Parallel()
	folder := t.TempDir()
	all := maps.Clone(hostile())
	heaviest(func(name string, why foreign.Refusal, file []byte) { all[name] = sample{file, why} })
	taken := sampled.OneIn(t, 3)
	for i, name := range slices.Sorted(maps.Keys(all)) {
		if !taken(i) {
			delete(all, name)
		}
	}
	for name, s := range all {
		must(t, os.WriteFile(filepath.Join(folder, strings.ReplaceAll(name, "/", "_")), s.file, 0o600))
	}
	command := exec.CommandContext(t.Context(), program(t))
	command.Env = append(os.Environ(), cleansFiles+"="+folder)
	out, err := command.CombinedOutput()
	if err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	found := 0
	for lines := bufio.NewScanner(bytes.NewReader(out)); lines.Scan(); found++ {
		var m measured
		must(t, json.Unmarshal(lines.Bytes(), &m))
		if m.Grown > mostGrowth/2 || m.Worked > long {
			t.Logf("%-45s %3d MB, %5d ms, %s", m.Name, m.Grown>>20, m.Worked.Milliseconds(), m.Result)
		}
		if m.Grown > mostGrowth {
			t.Errorf("%s took %d MB", m.Name, m.Grown>>20)
		}
	}
	if found != len(all) {
		t.Errorf("%d measures of %d files", found, len(all))
	}
}

// heaviest are files close to all bounds, most of which are taken.
func heaviest(add adder) {
	noise := func(n int) []byte {
		b := make([]byte, n)
		x := uint32(1)
		for i := range b {
			x ^= x << 13
			x ^= x >> 17
			x ^= x << 5
			b[i] = byte(x)
		}
		return b
	}
	add("9 MB of a font", "", build().with(5,
		"<</Type/Font/Subtype/TrueType/BaseFont/Ab/FontDescriptor<</FontFile2 9 0 R>>>>").
		with(9, streamOf("", string(noise(9<<20)))).file())
	add("9 MB of a picture", "",
		picturePage("/Width 3000/Height 3000/BitsPerComponent 8/ColorSpace/DeviceGray/Filter/FlateDecode",
			string(packed(noise(9_000_000)))))
	add("9 MB of contents in two parts", "", build().page("/Contents[4 0 R 9 0 R]").
		with(9, streamOf("", strings.Repeat("1.5 2 m 3 4.5 l S\n", 500_000))).file())
	add("38 MB of contents in 38 parts", "", build().page("/Contents["+strings.Repeat("9 0 R ", 38)+"]").
		with(9, streamOf("/Filter/FlateDecode", string(packed([]byte(strings.Repeat("1.5 2 m 3 4.5 l S\n",
			1<<20/18)))))).file())
	add("240 MB of pictures", "", func() []byte {
		b := build().page("/Resources<</XObject<</X 9 0 R/Y 10 0 R/Z 11 0 R/W 12 0 R>>>>")
		for i := range 4 {
			b.with(
				9+i,
				streamOf(
					"/Subtype/Image/Width 8000/Height 7500/BitsPerComponent 8/ColorSpace/DeviceGray/Filter/FlateDecode",
					string(bomb(57)),
				),
			)
		}
		return b.file()
	}())
	entries := func(n int) string {
		var b strings.Builder
		for i := range n {
			fmt.Fprintf(&b, "/N%x<</LW %d>>", i, i)
		}
		return b.String()
	}
	add("60,000 states", "", build().page("/Resources<</ExtGState<<"+entries(40_000)+">>>>").file())
	add("100,000 fonts", "", func() []byte {
		b := build()
		var all strings.Builder
		for i := range 90_000 {
			fmt.Fprintf(&all, "/F%x %d 0 R", i, 10+i)
			b.with(10+i, "<</Type/Font/BaseFont/Helvetica/Subtype/Type1/Widths[1 2 3]>>")
		}
		fonts := all.String()
		return b.page("/Resources<</Font<<" + fonts[:min(len(fonts), 2<<20)]).file()
	}())
	add("90,000 small streams", "", func() []byte {
		b := build()
		var all strings.Builder
		for i := range 60_000 {
			fmt.Fprintf(&all, "/F%x %d 0 R", i, 10+i)
			b.with(10+i, streamOf("/Subtype/Form/BBox[0 0 9 9]/Filter/FlateDecode", "x\xda\x03\x00"))
		}
		return b.page("/Resources<</XObject<<" + all.String() + ">>>>").file()
	}())
	add("15 MB of objects in a stream", "any", func() []byte {
		var head, body strings.Builder
		for i := range 150_000 {
			fmt.Fprintf(&head, "%d %d ", 10+i, body.Len())
			body.WriteString("<</Type/Font/BaseFont/Helvetica/Subtype/Type1/Widths[1 2 3 4 5 6 7 8]>>")
		}
		b := build().with(9, streamOf(fmt.Sprintf("/Type/ObjStm/N 150000/First %d/Filter/FlateDecode", head.Len()),
			string(packed([]byte(head.String()+body.String())))))
		var all strings.Builder
		for i := range 150_000 {
			fmt.Fprintf(&all, "/F%x %d 0 R", i, 10+i)
		}
		return bytes.ReplaceAll(b.page("/Resources<</Font<<"+all.String()+">>>>").file(), []byte("startxref"),
			[]byte("startxxxx"))
	}())
	add("an array of 190,000 arrays", "", build().with(5, "<</Type/Font/Widths["+strings.Repeat("[]", 190_000)+"]>>").
		file())
	add("a page with 190,000 names of a kind", "any", build().page("/Resources<</Properties<<"+func() string {
		var b strings.Builder
		for i := range 90_000 {
			fmt.Fprintf(&b, "/%060x<<>>", i)
		}
		return b.String()
	}()+">>>>").file())
	add("9 MB of a text as a table of colors", "", build().
		page("/Resources<</ColorSpace<</C[/Indexed/DeviceGray 255("+strings.Repeat("a", 9<<20)+")]>>>>").file())
	add("the same text on 90 pages", "any", build().with(2, "<</Kids["+strings.Repeat("3 0 R ", 90)+"]>>").
		page("/Resources<</ColorSpace<</C[/Indexed/DeviceGray 255("+strings.Repeat("a", 9<<20)+")]>>>>").file())
}

package attachment_test

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime/debug"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"portal/api/attachment"
	"portal/api/intake"
	"portal/api/sampled"
)

// mostGrowth is how much more memory pictures may take than none, in bytes.
const mostGrowth = 150 << 20

// convertsFiles names the variable that makes this program convert the files of a folder.
const convertsFiles = "ATTACHMENT_CONVERTS"

func init() {
	if folder := os.Getenv(convertsFiles); folder != "" {
		measures = func() { measureFolder(folder) }
	}
}

// measured is what a process says of a file.
type measured struct {
	Name    string
	Grown   int           // the most memory over what there was before, in bytes
	Left    int           // of it, in the end
	Took    time.Duration // for all of them
	Content int           // bytes of a photo
	Failed  string
}

// measureFolder converts each file of a folder, one after another and then each several times at
// once, and prints what that took. Two at once are more than is allowed where they do not wait.
func measureFolder(folder string) {
	names, _ := filepath.Glob(filepath.Join(folder, "*"))
	spool, err := intake.NewSpool(filepath.Join(os.TempDir(), fmt.Sprint("measured-", os.Getpid())))
	if err != nil {
		panic(err)
	}
	c := isolated(time.Hour, decodes)
	debug.FreeOSMemory()
	idle := anonymous()
	several := 2
	if sampled.Whole {
		several = 8
	}
	for _, at := range []int{1, several} {
		for _, name := range names {
			m := measured{Name: fmt.Sprint(filepath.Base(name), " ", at)}
			stop, peak := make(chan struct{}), make(chan int)
			go watch(stop, peak)
			began := time.Now()
			m.Content, err = convertAtOnce(c, spool, name, at)
			if m.Took = time.Since(began); err != nil {
				m.Failed = err.Error()
			}
			close(stop)
			m.Grown, m.Left = <-peak-idle, anonymous()-idle
			line, _ := json.Marshal(m)
			fmt.Println(string(line))
		}
	}
}

// convertAtOnce converts a file several times, and tells the bytes of a photo of it.
func convertAtOnce(c *attachment.Converter, spool *intake.Spool, name string, times int) (int, error) {
	opened, err := os.Open(name)
	if err != nil {
		return 0, err
	}
	defer opened.Close()
	f, err := spool.Take(opened)
	if err != nil {
		return 0, err
	}
	defer f.Close()
	var all sync.WaitGroup
	photos, failed := make([]attachment.Photo, times), make([]error, times)
	for i := range times {
		all.Go(func() { photos[i], failed[i] = c.Convert(context.Background(), f) })
	}
	all.Wait()
	return len(photos[0].Content), failed[times-1]
}

// anonymous is the memory that no file backs of this process and of its own, in bytes.
func anonymous() int {
	all := anonymousOf("self")
	children, _ := filepath.Glob("/proc/self/task/*/children")
	for _, list := range children {
		text, _ := os.ReadFile(list)
		for pid := range strings.FieldsSeq(string(text)) {
			all += anonymousOf(pid)
		}
	}
	return all
}

// anonymousOf is what a process takes, 0 where it has ended.
func anonymousOf(pid string) (kilobytes int) {
	text, err := os.ReadFile("/proc/" + pid + "/status")
	if _, after, found := strings.Cut(string(text), "RssAnon:"); found {
		_, err = fmt.Sscan(after, &kilobytes)
	}
	if pid == "self" && (err != nil || kilobytes == 0) {
		panic(fmt.Sprint("no RssAnon: ", err))
	}
	return kilobytes << 10
}

// watch tells the most memory that there was until the stop.
func watch(stop <-chan struct{}, peak chan<- int) {
	most := 0
	for tick := time.NewTicker(5 * time.Millisecond); ; {
		most = max(most, anonymous())
		select {
		case <-stop:
			tick.Stop()
			peak <- most
			return
		case <-tick.C:
		}
	}
}

// heaviest are the pictures that take the most memory: one of each format, and more to prove it.
func heaviest(t *testing.T) map[string][]byte {
	all, most := map[string][]byte{}, hostile.allowed()
	names := []string{"progressive422.jpg.gz", "progressive24_422.jpg.gz", "flat.avif.gz", "flat.heic.gz"}
	if sampled.Whole {
		names = append(
			names,
			"progressive420.jpg.gz",
			"progressive24.jpg.gz",
			"baseline420.jpg.gz",
			"baseline64.jpg.gz",
			"baseline444.jpg.gz",
			"rgb.jpg.gz",
			"flat.webp.gz",
			"alpha.webp.gz",
			"lossless.webp.gz",
		)
		all["many trees"] = most.file()
		all["many trees of transparency"] = most.transparent(t)
		all["HEIC of a phone"] = tiled(t, 14, 19, 9600, 6700, nil)
		all["phone of 24 megapixels"] = jpegOf(t, phone(6000, 4000))
		all["noise of 6 megapixels"] = jpegOf(t, noise(3000, 2000))
		all["PNG"] = blankPNG(t, 4000, 3000, 8, 6, 0)
		all["PNG with a palette"] = blankPNG(t, 4000, 3000, 8, 3, 0)
		all["wide PNG"] = blankPNG(t, 65_535, 183, 8, 6, 0)
	}
	most.indexed, most.tile = true, 5
	all["many trees and a palette"] = most.file()
	for _, name := range names {
		all[strings.TrimSuffix(name, ".gz")] = stored(t, name)
	}
	all["interlaced PNG"] = blankPNG(t, 4000, 3000, 8, 6, 1)
	return all
}

// program is this one, without the race detector, which takes several times the memory itself.
func program(t *testing.T) string {
	t.Helper()
	info, _ := debug.ReadBuildInfo()
	if !slices.Contains(info.Settings, debug.BuildSetting{Key: "-race", Value: "true"}) {
		self, err := os.Executable()
		must(t, err)
		return self
	}
	path := filepath.Join(t.TempDir(), "attachment.test")
	command := exec.CommandContext(t.Context(), "go", "test", "-c", "-vet=off", "-o", path, ".")
	command.Env = append(os.Environ(), "CGO_ENABLED=0") // as all tests are compiled that the detector does not look at
	out, err := command.CombinedOutput()
	if err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	return path
}

func TestConversionMemoryIsBounded(t *testing.T) {
	t.Parallel()
	folder := t.TempDir()
	all := heaviest(t)
	for name, data := range all {
		must(t, os.WriteFile(filepath.Join(folder, name), data, 0o600))
	}
	command := exec.CommandContext(t.Context(), program(t))
	command.Env = append(os.Environ(), convertsFiles+"="+folder, "TMPDIR="+t.TempDir())
	out, err := command.CombinedOutput()
	if err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	found := 0
	for lines := bufio.NewScanner(bytes.NewReader(out)); lines.Scan(); {
		var m measured
		must(t, json.Unmarshal(lines.Bytes(), &m))
		t.Logf("%-28s %4d MB more at most, %3d MB left, %5d ms, %7d bytes",
			m.Name, m.Grown>>20, m.Left>>20, m.Took.Milliseconds(), m.Content)
		if found++; m.Failed != "" || m.Content == 0 || m.Grown > mostGrowth {
			t.Errorf("%s: %d MB more, %s", m.Name, m.Grown>>20, m.Failed)
		}
	}
	if found != 2*len(all) {
		t.Errorf("%d measures of %d pictures", found, len(all))
	}
}

package foreign_test

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"runtime/debug"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"portal/api/agreement/document/foreign"
)

func TestMain(m *testing.M) {
	if folder := os.Getenv(cleansFiles); folder != "" {
		measureFolder(folder)
		return
	}
	os.Exit(m.Run())
}

// measured is what a process says of a file.
type measured struct {
	Name   string
	Grown  int           // the most memory over what there was before, in bytes
	Worked time.Duration // time of processors
	Result string
}

func measureFolder(folder string) {
	names, _ := filepath.Glob(filepath.Join(folder, "*"))
	c := foreign.NewCleaner(time.Hour)
	_, _ = c.Clean(context.Background(), build().file())
	for _, name := range names {
		file, err := os.ReadFile(name)
		if err != nil {
			panic(err)
		}
		debug.FreeOSMemory()
		idle := anonymous()
		stop, peak := make(chan struct{}), make(chan int)
		go watch(stop, peak)
		before := worked()
		d, err := c.Clean(context.Background(), file)
		m := measured{Name: filepath.Base(name), Worked: worked() - before, Result: strconv.Itoa(len(d.Content))}
		if why, is := foreign.RefusalOf(err); is {
			m.Result = string(why)
		} else if err != nil {
			m.Result = err.Error()
		}
		close(stop)
		m.Grown = <-peak - idle
		line, _ := json.Marshal(m)
		fmt.Println(string(line))
	}
}

// worked is how long processors have worked for this process.
func worked() time.Duration {
	var used syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &used); err != nil {
		panic(err)
	}
	return time.Duration(used.Utime.Nano() + used.Stime.Nano())
}

// anonymous is the memory of this process that no file backs, in bytes.
func anonymous() (kilobytes int) {
	text, err := os.ReadFile("/proc/self/status")
	if _, after, found := strings.Cut(string(text), "RssAnon:"); found {
		_, err = fmt.Sscan(after, &kilobytes)
	}
	if err != nil || kilobytes == 0 {
		panic(fmt.Sprint("no RssAnon: ", err))
	}
	return kilobytes << 10
}

// watch tells the most memory that there was until the stop.
func watch(stop <-chan struct{}, peak chan<- int) {
	most := 0
	for tick := time.NewTicker(2 * time.Millisecond); ; {
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

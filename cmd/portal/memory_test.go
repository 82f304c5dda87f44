package main

import (
	"math"
	"os"
	"path/filepath"
	"regexp"
	"runtime/debug"
	"strconv"
	"testing"
)

func TestMachineMemoryHonorsSmallerCgroupLimit(t *testing.T) {
	t.Parallel()
	const total = "MemTotal:       8000000 kB\nMemFree:        100 kB\n"
	for name, c := range map[string]struct {
		files map[string]string
		want  int64
	}{
		"nothing is known": {nil, 0},
		"no group":         {map[string]string{"proc/meminfo": total}, 8_000_000 << 10},
		"no limit": {map[string]string{
			"proc/meminfo": total, "proc/self/cgroup": "0::/\n", "sys/fs/cgroup/memory.max": "max\n",
		}, 8_000_000 << 10},
		"a container": {map[string]string{
			"proc/meminfo": total, "proc/self/cgroup": "0::/\n", "sys/fs/cgroup/memory.max": "536870912\n",
		}, 512 << 20},
		"a service in a slice that has less": {map[string]string{
			"proc/meminfo":     total,
			"proc/self/cgroup": "0::/system.slice/portal.service\n",
			"sys/fs/cgroup/system.slice/portal.service/memory.max": "max\n",
			"sys/fs/cgroup/system.slice/memory.max":                "1073741824\n",
		}, 1 << 30},
		"version 1": {map[string]string{
			"proc/meminfo": total, "proc/self/cgroup": "9:cpu,cpuacct:/x\n4:memory:/docker/a\n",
			"sys/fs/cgroup/memory/memory.limit_in_bytes": "268435456\n",
		}, 256 << 20},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			root := t.TempDir()
			for path, text := range c.files {
				orFail(t, os.MkdirAll(filepath.Dir(filepath.Join(root, path)), 0o700))
				orFail(t, os.WriteFile(filepath.Join(root, path), []byte(text), 0o600))
			}
			if got := machineMemory(root); got != c.want {
				t.Errorf("%d, want %d", got, c.want)
			}
		})
	}
}

func TestMemoryLimitDefaultsToShareOfMachine(
	t *testing.T,
) { //nolint:paralleltest // the limit is the process's
	before := debug.SetMemoryLimit(-1)
	t.Cleanup(func() { debug.SetMemoryLimit(before) })
	set := func(string) string { return "1GiB" }
	if got := limitMemory(set, 8<<30); got != 0 || debug.SetMemoryLimit(-1) != before {
		t.Errorf("GOMEMLIMIT does not win: %d", got)
	}
	unset := func(string) string { return "" }
	if got := limitMemory(unset, 0); got != 0 || debug.SetMemoryLimit(-1) != before {
		t.Errorf("a limit of an unknown machine: %d", got)
	}
	if got := limitMemory(unset, 1000<<20); got != 700<<20 || debug.SetMemoryLimit(-1) != got {
		t.Errorf("%d of 1,000 MB", got>>20)
	}
}

func TestServerLogsMemoryLimit(t *testing.T) {
	t.Parallel()
	limit := regexp.MustCompile(`"memory_limit":([1-9][0-9]{6,})\b`)
	for set, want := range map[string]string{"GOMEMLIMIT=": "", "GOMEMLIMIT=2GiB": "2147483648"} {
		s := newHome(t, set).serve(t)
		var found []string
		eventually(t, "the log names the limit", func() bool {
			found = limit.FindStringSubmatch(s.err.String())
			return found != nil
		})
		if found[1] == strconv.FormatInt(math.MaxInt64, 10) || want != "" && found[1] != want {
			t.Errorf("%s: %s", set, found[1])
		}
	}
}

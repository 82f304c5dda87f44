package main

import (
	"bufio"
	"bytes"
	"math"
	"os"
	"path/filepath"
	"runtime/debug"
	"strconv"
	"strings"

	"portal/api/intake"
)

// memoryShare is how much of the machine's memory the process may fill before garbage is
// collected sooner, in percent. The rest is for SQLite's pages, the stacks of the kernel and others.
const memoryShare = 70

// limitMemory sets the soft limit of memory from the machine's, unless the environment has one. It
// returns the limit in bytes, 0 where none was set.
func limitMemory(getenv func(string) string, machine int64) int64 {
	if getenv("GOMEMLIMIT") != "" || machine <= 0 {
		return 0
	}
	limit := machine / 100 * memoryShare
	debug.SetMemoryLimit(limit)
	return limit
}

// machineMemory is the least of what the kernel and the control groups of the process allow, in
// bytes; 0 where that is not known. root is where the file systems of the kernel are.
func machineMemory(root string) int64 {
	least := int64(math.MaxInt64)
	for _, n := range append(groupLimits(root), memTotal(root)) {
		if n > 0 {
			least = min(least, n)
		}
	}
	if least == math.MaxInt64 {
		return 0
	}
	return least
}

// memTotal is the memory that the kernel knows of, 0 where it does not say.
func memTotal(root string) int64 {
	text, _ := os.ReadFile(filepath.Join(root, "proc/meminfo")) // there is none on other systems
	for line := range bytes.Lines(text) {
		fields := strings.Fields(string(line))
		if len(fields) == 3 && fields[0] == "MemTotal:" {
			kilobytes, _ := strconv.ParseInt(fields[1], 10, 64)
			return kilobytes << 10
		}
	}
	return 0
}

// groupLimits are the limits of the control groups that the process is in, of version 2
// (memory.max, "max" for none) and of version 1, and of those around them.
func groupLimits(root string) (limits []int64) {
	f, err := os.Open(filepath.Join(root, "proc/self/cgroup"))
	if err != nil {
		return nil
	}
	defer f.Close() //nolint:errcheck // only read
	for lines := bufio.NewScanner(f); lines.Scan(); {
		parts := strings.SplitN(lines.Text(), ":", 3) // hierarchy:controllers:path
		if len(parts) != 3 {
			continue
		}
		folder, name := "sys/fs/cgroup", "memory.max"
		if parts[0] != "0" {
			folder, name = "sys/fs/cgroup/memory", "memory.limit_in_bytes"
			if !strings.Contains(","+parts[1]+",", ",memory,") {
				continue
			}
		}
		for at := filepath.Join("/", parts[2]); ; at = filepath.Dir(at) {
			limits = append(limits, limitIn(filepath.Join(root, folder, at, name)))
			if at == "/" {
				break
			}
		}
	}
	return limits
}

// limitIn is the number in a file, 0 where there is none.
func limitIn(path string) int64 {
	text, _ := os.ReadFile(path) // a group that cannot be seen from within has none
	n, _ := strconv.ParseInt(strings.TrimSpace(string(text)), 10, 64)
	return n
}

// spool is where uploaded files are while they are read: in the data folder, or where the system
// has its temporary files if that cannot be written, as beside PostgreSQL.
func (s *server) spool() *intake.Spool {
	spool, err := intake.NewSpool(s.product.config.file("spool"))
	if err != nil {
		s.log.Warn("uploads are read into the folder for temporary files", "error", err)
		return nil
	}
	return spool
}

package main

import (
	"net/http"
	"os"
	"path/filepath"
	"syscall"
	"testing"
)

func TestFullDiskIsNotReadyUntilSpaceIsFreed(t *testing.T) {
	t.Parallel()
	folder := smallDisk(t)
	s := home{data: folder, env: []string{"PORTAL_DATA=" + folder}}.startHTTP(t)
	s.isReady(t, http.StatusOK)
	ballast := filepath.Join(folder, "ballast")
	f, err := os.Create(ballast)
	orFail(t, err)
	for size := 1 << 20; size > 0; { // to the last byte
		if _, err := f.Write(make([]byte, size)); err != nil {
			size /= 2
		}
	}
	orFail(t, f.Close())
	s.isReady(t, http.StatusServiceUnavailable)
	orFail(t, os.Remove(ballast))
	s.isReady(t, http.StatusOK)
}

// smallDisk is a folder on a file system of 32 MiB.
func smallDisk(t *testing.T) string {
	t.Helper()
	folder := t.TempDir()
	if err := syscall.Mount("tmpfs", folder, "tmpfs", 0, "size=32m"); err != nil {
		t.Skipf("a test may not mount a file system here: %v", err)
	}
	t.Cleanup(func() {
		if err := syscall.Unmount(folder, syscall.MNT_DETACH); err != nil {
			t.Error(err)
		}
	})
	return folder
}

//go:build !unix

package main

// descriptors is how many files and connections the process may have open at once.
func descriptors() uint64 { return 1024 }

//go:build !unix

package attachment

import "time"

// worked is how long this process has been there: the system does not tell more.
func worked() time.Duration { return time.Since(started) }

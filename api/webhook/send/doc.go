// Package send makes one request at a receiver: it dials public addresses only, bounds what
// the receiver can make us hold, and tells in words what went wrong.
//
// It knows nothing of endpoints, deliveries or when an attempt is due.
package send

// Package listen is the service as a test key reaches it over HTTP, and a listener that forwards
// the events of test mode to an address while it runs.
//
// It knows nothing of flags and the environment, nor of the service but its API.
package listen

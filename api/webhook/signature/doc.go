// Package signature signs deliveries, and tells what is wrong with a signature that a receiver
// has refused.
//
// It knows nothing of endpoints, deliveries or how they are sent.
package signature

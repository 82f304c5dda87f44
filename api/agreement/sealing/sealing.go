// Package sealing keeps the key with which executed leases are sealed.
package sealing

// KeyPurpose is what keys are encrypted for.
const KeyPurpose = "key of the seal"

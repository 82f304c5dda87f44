package webhook

import (
	"context"

	"portal/api/change"
	"portal/api/secret"
	"portal/api/webhook/signature"
)

// SecretPurpose is what the vault seals signing secrets for.
const SecretPurpose = "webhook_secret"

// issue gives an endpoint a new secret, which it shows, and seals it. A preview
// gets none: it would be shown and then never sign anything.
func issue(ctx context.Context, box *secret.Box, e *Endpoint) (sealed []byte) {
	secret, prefix := signature.SecretPrefix, signature.SecretPrefix
	if !change.IsDryRun(ctx) {
		secret, prefix = signature.NewSecret()
		e.Secret = &secret
	}
	e.SecretPrefix = prefix
	return box.Seal(SecretPurpose, secret)
}

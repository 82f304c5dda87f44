package developer

import (
	"crypto/rand"
	"encoding/base64"
	"fmt"

	"golang.org/x/crypto/argon2"
)

// The cost of a hash: OWASP's Password Storage Cheat Sheet, argon2id with 19 MiB,
// two passes and one lane. It takes some 70 ms.
const (
	hashMemory = 19 * 1024 // KiB
	hashPasses = 2
	hashLanes  = 1
)

// hashPassword makes an argon2id hash in the PHC string format, with its salt and
// cost.
func hashPassword(password string) string {
	salt := make([]byte, 16)
	_, _ = rand.Read(salt) // never fails
	sum := argon2.IDKey([]byte(password), salt, hashPasses, hashMemory, hashLanes, 32)
	code := base64.RawStdEncoding
	return fmt.Sprintf("$argon2id$v=%d$m=%d,t=%d,p=%d$%s$%s", argon2.Version, hashMemory, hashPasses, hashLanes,
		code.EncodeToString(salt), code.EncodeToString(sum))
}

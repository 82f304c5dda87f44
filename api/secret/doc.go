// Package secret is how secrets are kept.
//
// A Box encrypts what must be read again but never lie about in clear: signing secrets,
// recorded answers with a secret, email tokens. It uses AES-256-GCM with a random nonce before
// each ciphertext; the purpose is authenticated too, so a ciphertext moved to another column
// does not open. A database has a check value, so that a lost or foreign key is noticed at the
// start; what is stored can be encrypted anew with another key.
//
// A Hasher turns passwords into what may be stored of them, argon2id hashes, and bounds how many
// of these are made at a time: each takes memory and a core.
//
// New makes the tokens that open something to anybody who holds them, in links, cookies and keys of
// ceremonies. Only their hashes are stored.
//
// It knows no users and no store.
package secret

package application

import "portal/api/secret"

// token is the secret part of a link that opens one record to anybody who holds it. Only its
// hash is stored.
type token string

func newToken() token { return token(secret.New()) }

func (t token) hash() []byte { return secret.Hash(string(t)) }

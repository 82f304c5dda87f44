// Package vault encrypts what must be read again but never lie about in clear:
// signing secrets, recorded answers with a secret, e-mail tokens.
//
// It uses AES-256-GCM with a random nonce before each ciphertext. The purpose is
// authenticated too, so a ciphertext moved to another column does not open.
package vault

import (
	"crypto/aes"
	"crypto/cipher"
	"crypto/rand"
	"encoding/base64"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
)

// KeySize is the size of the key in bytes.
const KeySize = 32

// Box seals and opens with one key.
type Box struct{ aead cipher.AEAD }

// New makes a box of a key of 32 bytes.
func New(key []byte) (*Box, error) {
	if len(key) != KeySize {
		return nil, fmt.Errorf("want a key of %d bytes, not %d", KeySize, len(key))
	}
	block, err := aes.NewCipher(key)
	if err != nil {
		return nil, err
	}
	aead, err := cipher.NewGCM(block)
	return &Box{aead}, err
}

// Seal encrypts a text for a purpose.
func (b *Box) Seal(purpose, text string) []byte {
	nonce := make([]byte, b.aead.NonceSize(), b.aead.NonceSize()+len(text)+b.aead.Overhead())
	_, _ = rand.Read(nonce) // never fails
	return b.aead.Seal(nonce, nonce, []byte(text), []byte(purpose))
}

// Open decrypts what was sealed with the same key for the same purpose.
func (b *Box) Open(purpose string, sealed []byte) (string, error) {
	n := b.aead.NonceSize()
	if len(sealed) < n {
		return "", errors.New("too short to be sealed")
	}
	text, err := b.aead.Open(nil, sealed[:n], sealed[n:], []byte(purpose))
	if err != nil {
		return "", errors.New("sealed with another key, for another purpose, or damaged")
	}
	return string(text), nil
}

// ParseKey reads a key of 32 bytes from base64.
func ParseKey(s string) ([]byte, error) {
	key, err := base64.StdEncoding.DecodeString(strings.TrimSpace(s))
	if err != nil || len(key) != KeySize {
		return nil, fmt.Errorf("want %d bytes in base64", KeySize)
	}
	return key, nil
}

// KeyFile reads the key of a file, which is made with a fresh key and mode 0600
// where there is none. Of processes that start together one makes it.
func KeyFile(path string) ([]byte, error) {
	for {
		text, err := os.ReadFile(path)
		if err == nil {
			return ParseKey(string(text))
		}
		if !errors.Is(err, os.ErrNotExist) {
			return nil, err
		}
		if err := makeKeyFile(path); err != nil && !errors.Is(err, os.ErrExist) {
			return nil, err
		}
	}
}

// makeKeyFile writes a whole file aside and links it into place, so that nobody
// ever reads half a key; os.ErrExist says that another process was faster.
func makeKeyFile(path string) error {
	key := make([]byte, KeySize)
	_, _ = rand.Read(key)                                 // never fails
	f, err := os.CreateTemp(filepath.Dir(path), ".key-*") // mode 0600
	if err != nil {
		return err
	}
	defer os.Remove(f.Name()) //nolint:errcheck // a stray file does no harm
	_, err = f.WriteString(base64.StdEncoding.EncodeToString(key) + "\n")
	if err := errors.Join(err, f.Sync(), f.Close()); err != nil {
		return err
	}
	return os.Link(f.Name(), path)
}

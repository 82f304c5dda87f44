package secret

import (
	"crypto/aes"
	"crypto/cipher"
	"crypto/hkdf"
	"crypto/hmac"
	"crypto/rand"
	"crypto/sha256"
	"encoding/base64"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// KeySize is the size of the key in bytes.
const KeySize = 32

// Box seals with its first key and opens with any of its keys, so that a key can be
// replaced while what the earlier one has sealed is still read.
type Box struct {
	aeads    []cipher.AEAD
	signKeys [][]byte // one of each key, derived from it
}

// NewBox makes a box of keys of 32 bytes, at least one.
func NewBox(keys ...[]byte) (*Box, error) {
	if len(keys) == 0 {
		return nil, errors.New("want a key")
	}
	b := &Box{}
	for _, key := range keys {
		if len(key) != KeySize {
			return nil, fmt.Errorf("want a key of %d bytes, not %d", KeySize, len(key))
		}
		block, err := aes.NewCipher(key)
		if err != nil {
			return nil, err
		}
		aead, err := cipher.NewGCM(block)
		if err != nil {
			return nil, err
		}
		signKey, err := hkdf.Key(sha256.New, key, nil, "portal: signatures", sha256.Size)
		if err != nil {
			return nil, err
		}
		b.aeads, b.signKeys = append(b.aeads, aead), append(b.signKeys, signKey)
	}
	return b, nil
}

// Seal encrypts a text for a purpose, with the first key.
func (b *Box) Seal(purpose, text string) []byte {
	aead := b.aeads[0]
	nonce := make([]byte, aead.NonceSize(), aead.NonceSize()+len(text)+aead.Overhead())
	_, _ = rand.Read(nonce) // never fails
	return aead.Seal(nonce, nonce, []byte(text), []byte(purpose))
}

// SealStream is Seal for so many bytes of a stream, which take their memory once.
func (b *Box) SealStream(purpose string, from io.Reader, size int) ([]byte, error) {
	aead := b.aeads[0]
	n := aead.NonceSize()
	sealed := make([]byte, n+size, n+size+aead.Overhead())
	_, _ = rand.Read(sealed[:n]) // never fails
	if _, err := io.ReadFull(from, sealed[n:]); err != nil {
		return nil, err
	}
	return aead.Seal(sealed[:n], sealed[:n], sealed[n:], []byte(purpose)), nil
}

// Open decrypts what was sealed with one of the keys for the same purpose.
func (b *Box) Open(purpose string, sealed []byte) (string, error) {
	text, _, err := b.open(purpose, sealed)
	return text, err
}

// open tells which key has opened it, too.
func (b *Box) open(purpose string, sealed []byte) (text string, key int, err error) {
	for i, aead := range b.aeads {
		n := aead.NonceSize()
		if len(sealed) < n {
			return "", 0, errors.New("too short to be sealed")
		}
		text, err := aead.Open(nil, sealed[:n], sealed[n:], []byte(purpose))
		if err == nil {
			return string(text), i, nil
		}
	}
	return "", 0, errors.New("sealed with another key, for another purpose, or damaged")
}

// Reseal encrypts anew with the first key what an earlier key has sealed. It is false for
// what the first key has sealed already.
func (b *Box) Reseal(purpose string, sealed []byte) (anew []byte, changed bool, err error) {
	text, key, err := b.open(purpose, sealed)
	if err != nil || key == 0 {
		return sealed, false, err
	}
	return b.Seal(purpose, text), true, nil
}

// Sign is a signature of a text for a purpose with the first key, in base64url. Nobody without the key
// can make it, and it is always the same.
func (b *Box) Sign(purpose, text string) string { return signature(b.signKeys[0], purpose, text) }

// Signed reports whether a signature was made with one of the keys for the same text and purpose.
func (b *Box) Signed(purpose, text, given string) bool {
	return slices.ContainsFunc(b.signKeys, func(key []byte) bool {
		return hmac.Equal([]byte(signature(key, purpose, text)), []byte(given))
	})
}

func signature(key []byte, purpose, text string) string {
	h := hmac.New(sha256.New, key)
	h.Write([]byte(purpose + "\x00" + text))
	return base64.RawURLEncoding.EncodeToString(h.Sum(nil))
}

// ParseKey reads a key of 32 bytes from base64.
func ParseKey(s string) ([]byte, error) {
	key, err := base64.StdEncoding.DecodeString(strings.TrimSpace(s))
	if err != nil || len(key) != KeySize {
		return nil, fmt.Errorf("want %d bytes in base64", KeySize)
	}
	return key, nil
}

// ParseKeys reads keys in base64, separated by commas or line breaks. The first one is to
// encrypt, all are to decrypt.
func ParseKeys(s string) (keys [][]byte, err error) {
	parts := strings.FieldsFunc(strings.TrimSpace(s), func(r rune) bool { return r == ',' || r == '\n' })
	for _, part := range parts {
		key, err := ParseKey(part)
		if err != nil {
			return nil, err
		}
		keys = append(keys, key)
	}
	if len(keys) == 0 {
		return nil, errors.New("there is no key")
	}
	return keys, nil
}

// ReadKeyFile reads the keys of a file, which has one a line. Its error is os.ErrNotExist
// where there is no file.
func ReadKeyFile(path string) ([][]byte, error) {
	text, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	return ParseKeys(string(text))
}

// KeyFile reads the keys of a file, which is made with a fresh key and mode 0600 where
// there is none. Of processes that start together one makes it.
func KeyFile(path string) ([][]byte, error) {
	for {
		keys, err := ReadKeyFile(path)
		if err == nil || !errors.Is(err, os.ErrNotExist) {
			return keys, err
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

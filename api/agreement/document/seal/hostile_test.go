package seal

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/rsa"
	"crypto/sha256"
	"crypto/x509"
	"crypto/x509/pkix"
	"math/big"
	"strings"
	"testing"
	"time"
)

// Whoever sends a file chooses the certificate in it. To verify with a key of two million bits takes hours.
func TestHugeRSAKeyIsRefused(t *testing.T) {
	t.Parallel()
	own, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	huge := new(big.Int).Lsh(big.NewInt(1), 2<<20)
	huge.SetBit(huge, 0, 1)
	template := &x509.Certificate{
		SerialNumber: big.NewInt(1),
		Subject:      pkix.Name{CommonName: "Somebody"},
		NotBefore:    time.Unix(0, 0),
		NotAfter:     time.Unix(1<<32, 0),
	}
	raw, err := x509.CreateCertificate(rand.Reader, template, template, &rsa.PublicKey{N: huge, E: 65537}, own)
	if err != nil {
		t.Fatal(err)
	}
	cert, err := x509.ParseCertificate(raw)
	if err != nil {
		t.Fatal(err)
	}
	digest := sha256.Sum256([]byte("a file"))
	signed, err := attributes(cert, digest[:])
	if err != nil {
		t.Fatal(err)
	}
	message, err := assemble([]*x509.Certificate{cert}, signed, make([]byte, 256))
	if err != nil {
		t.Fatal(err)
	}
	if _, err := verifyMessage(message, digest[:]); err == nil || !strings.Contains(err.Error(), "2097153 bits") {
		t.Errorf("%v", err)
	}
}

func TestSealWithLongIssuerFits(t *testing.T) {
	t.Parallel()
	key, err := rsa.GenerateKey(rand.Reader, 3072)
	if err != nil {
		t.Fatal(err)
	}
	template := &x509.Certificate{
		SerialNumber: big.NewInt(1),
		Subject: pkix.Name{
			CommonName:         strings.Repeat("Harbor Lane ", 5),
			Organization:       []string{strings.Repeat("Rentals and Partners ", 12)},
			OrganizationalUnit: []string{strings.Repeat("Leases ", 40)},
		},
		NotBefore: time.Unix(0, 0),
		NotAfter:  time.Unix(1<<32, 0),
	}
	raw, err := x509.CreateCertificate(rand.Reader, template, template, key.Public(), key)
	if err != nil {
		t.Fatal(err)
	}
	cert, err := x509.ParseCertificate(raw)
	if err != nil {
		t.Fatal(err)
	}
	s, err := New(key, cert)
	if err != nil {
		t.Fatal(err)
	}
	for range 20 {
		digest := make([]byte, sha256.Size)
		_, _ = rand.Read(digest) // never fails
		if message, err := s.message(digest); err != nil || len(message) > s.room {
			t.Errorf("a signature of %d bytes, room for %d: %v", len(message), s.room, err)
		}
	}
}

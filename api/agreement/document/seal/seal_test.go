package seal_test

import (
	"bytes"
	"crypto"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/rsa"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/hex"
	"encoding/pem"
	"math/big"
	mathrand "math/rand/v2"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"time"

	"portal/api/agreement/document"
	"portal/api/agreement/document/documenttest"
	"portal/api/agreement/document/pdf"
	"portal/api/agreement/document/seal"
)

var made = time.Date(2026, 11, 24, 9, 30, 0, 0, time.UTC)

// rendered is a lease as package pdf makes it.
func rendered(t *testing.T) []byte {
	t.Helper()
	content, err := pdf.Render(document.Compose(documenttest.Terms("TX")), made)
	if err != nil {
		t.Fatal(err)
	}
	return content
}

// selfMade is a sealer with a certificate of its own.
func selfMade(t *testing.T) (*seal.Sealer, *x509.Certificate) {
	t.Helper()
	key, cert, err := seal.SelfMade("Portal", made)
	if err != nil {
		t.Fatal(err)
	}
	return sealer(t, key, cert), cert
}

func sealer(t *testing.T, key crypto.Signer, certs ...*x509.Certificate) *seal.Sealer {
	t.Helper()
	s, err := seal.New(key, certs...)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// issued is a sealer with an RSA key whose certificate another one vouches for.
func issued(t *testing.T) (*seal.Sealer, *x509.Certificate) {
	t.Helper()
	top, key := newRSA(t), newRSA(t)
	ca := &x509.Certificate{
		SerialNumber:          big.NewInt(76),
		Subject:               pkix.Name{CommonName: "Authority"},
		NotBefore:             made,
		NotAfter:              made.AddDate(1, 0, 0),
		KeyUsage:              x509.KeyUsageCertSign,
		IsCA:                  true,
		BasicConstraintsValid: true,
	}
	authority := certified(t, ca, ca, top, top)
	cert := certified(t, &x509.Certificate{
		SerialNumber: big.NewInt(77),
		Subject:      pkix.Name{CommonName: "Łódź Rentals"},
		NotBefore:    made,
		NotAfter:     made.AddDate(1, 0, 0),
		KeyUsage:     x509.KeyUsageDigitalSignature,
	}, authority, key, top)
	return sealer(t, key, cert, authority), cert
}

func newRSA(t *testing.T) *rsa.PrivateKey {
	t.Helper()
	key, err := rsa.GenerateKey(rand.Reader, 2048)
	if err != nil {
		t.Fatal(err)
	}
	return key
}

// certified is the certificate of a key, which the key of another one has signed.
func certified(t *testing.T, c, by *x509.Certificate, key, with *rsa.PrivateKey) *x509.Certificate {
	t.Helper()
	der, err := x509.CreateCertificate(rand.Reader, c, by, key.Public(), with)
	if err != nil {
		t.Fatal(err)
	}
	cert, err := x509.ParseCertificate(der)
	if err != nil {
		t.Fatal(err)
	}
	return cert
}

func sealed(t *testing.T, s *seal.Sealer, content []byte) []byte {
	t.Helper()
	b, err := s.Seal(content, seal.Words{
		Name:   "Harbor Lane Rentals (Łódź)",
		Reason: "All parties have signed",
		At:     made,
	})
	if err != nil {
		t.Fatal(err)
	}
	return b
}

func TestOtherToolsAcceptSeal(t *testing.T) {
	t.Parallel()
	for name, with := range map[string]func(*testing.T) (*seal.Sealer, *x509.Certificate){
		"self-made, ECDSA": selfMade,
		"issued, RSA":      issued,
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			plain := rendered(t)
			s, cert := with(t)
			content := sealed(t, s, plain)
			if !bytes.HasPrefix(content, plain) {
				t.Error("what stood before has changed")
			}
			if out := documenttest.Tool(t, content, "qpdf", "--check", "FILE"); !strings.Contains(
				out,
				"No syntax or stream encoding errors found",
			) {
				t.Errorf("qpdf says\n%s", out)
			}
			out := documenttest.Tool(t, content, "pdfsig", "-nocert", "FILE")
			for _, want := range []string{
				"Signature #1", "Signature is Valid.", "Total document signed",
				"ETSI.CAdES.detached", cert.Subject.CommonName,
			} {
				if !strings.Contains(out, want) {
					t.Errorf("pdfsig does not say %q:\n%s", want, out)
				}
			}
			cms(t, content, cert)
		})
	}
}

// cms has OpenSSL verify the signature of a file by its certificate.
func cms(t *testing.T, content []byte, cert *x509.Certificate) {
	t.Helper()
	dir := t.TempDir()
	from, to := contents(t, content)
	message, err := hex.DecodeString(string(content[from+1 : to-1]))
	if err != nil {
		t.Fatal(err)
	}
	write(t, filepath.Join(dir, "signed"), append(bytes.Clone(content[:from]), content[to:]...))
	write(t, filepath.Join(dir, "cert.pem"), pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: cert.Raw}))
	out := documenttest.Tool(
		t,
		message,
		"openssl",
		"cms",
		"-verify",
		"-binary",
		"-cades",
		"-inform",
		"DER",
		"-in",
		"FILE",
		"-content",
		filepath.Join(dir, "signed"),
		"-CAfile",
		filepath.Join(dir, "cert.pem"),
		"-partial_chain",
		"-purpose",
		"any",
		"-attime",
		strconv.FormatInt(made.Unix(), 10),
		"-out",
		filepath.Join(dir, "out"),
	)
	if !strings.Contains(out, "CAdES Verification successful") {
		t.Errorf("openssl says\n%s", out)
	}
}

func write(t *testing.T, path string, content []byte) {
	t.Helper()
	if err := os.WriteFile(path, content, 0o600); err != nil {
		t.Fatal(err)
	}
}

var byteRange = regexp.MustCompile(`/ByteRange \[0 (\d+) (\d+) (\d+)\]`)

// contents is where the signature of a file stands, with its brackets.
func contents(t *testing.T, content []byte) (from, to int) {
	t.Helper()
	found := byteRange.FindSubmatch(content)
	if found == nil {
		t.Fatal("the file has no seal")
	}
	from, _ = strconv.Atoi(string(found[1]))
	to, _ = strconv.Atoi(string(found[2]))
	return from, to
}

func TestSealIdentifiesItsSigner(t *testing.T) {
	t.Parallel()
	for _, with := range []func(*testing.T) (*seal.Sealer, *x509.Certificate){selfMade, issued} {
		s, cert := with(t)
		got, err := seal.Verify(sealed(t, s, rendered(t)))
		if err != nil || !got.Equal(cert) {
			t.Errorf("verified as %v: %v", got, err)
		}
		if !s.Expires().Equal(cert.NotAfter) {
			t.Errorf("expires at %s, want %s", s.Expires(), cert.NotAfter)
		}
	}
}

// Every byte of the seal itself is changed in turn, and 500 of what is sealed.
func TestAnyChangedByteBreaksSeal(t *testing.T) {
	t.Parallel()
	s, _ := selfMade(t)
	plain := rendered(t)
	content := sealed(t, s, plain)
	r := mathrand.New(mathrand.NewPCG(3, 5))
	var places []int
	for at := len(plain); at < len(content); at++ {
		places = append(places, at)
	}
	for range 500 {
		places = append(places, r.IntN(len(plain)))
	}
	for _, at := range places {
		was := content[at]
		content[at] ^= byte(1 + r.IntN(255))
		if _, err := seal.Verify(content); err == nil {
			t.Errorf("byte %d of %d changed from %q to %q is not found", at, len(content), was, content[at])
		}
		content[at] = was
	}
	for _, other := range [][]byte{
		plain,
		content[:len(content)-1],
		append(bytes.Clone(content), '\n'),
		nil,
		bytes.ToUpper(content),
	} {
		if cert, err := seal.Verify(other); err == nil {
			t.Errorf("%d bytes instead of %d are verified as %s", len(other), len(content), cert.Subject)
		}
	}
	if _, err := seal.Verify(content); err != nil {
		t.Errorf("untouched: %v", err)
	}
}

func TestUnsealableContentIsRefused(t *testing.T) {
	t.Parallel()
	s, _ := selfMade(t)
	plain := rendered(t)
	for name, content := range map[string][]byte{
		"nothing":            nil,
		"no PDF":             []byte("hello"),
		"one that is cut":    plain[:len(plain)-30],
		"one that is sealed": sealed(t, s, plain),
	} {
		if _, err := s.Seal(content, seal.Words{At: made}); err == nil {
			t.Errorf("%s is sealed", name)
		}
	}
}

func TestSealerNeedsKeyMatchingCertificate(t *testing.T) {
	t.Parallel()
	key, cert, err := seal.SelfMade("Portal", made)
	if err != nil {
		t.Fatal(err)
	}
	other, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	long, err := ecdsa.GenerateKey(elliptic.P521(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := seal.New(key); err == nil {
		t.Error("a key without a certificate is taken")
	}
	if _, err := seal.New(other, cert); err == nil {
		t.Error("a certificate of another key is taken")
	}
	if _, err := seal.New(long, &x509.Certificate{
		PublicKey: long.Public(),
	}); err == nil || !strings.Contains(err.Error(), "P-256") {
		t.Errorf("a key on another curve: %v", err)
	}
}

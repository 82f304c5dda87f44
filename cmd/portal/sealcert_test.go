package main

import (
	"bytes"
	"crypto"
	"crypto/ecdh"
	"crypto/ecdsa"
	"crypto/ed25519"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/rsa"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/base64"
	"encoding/pem"
	"fmt"
	"math/big"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"portal/cmd/portal/cli"
)

// pemFile writes blocks to a file.
func pemFile(t *testing.T, blocks ...*pem.Block) string {
	t.Helper()
	var text bytes.Buffer
	for _, b := range blocks {
		orFail(t, pem.Encode(&text, b))
	}
	file := filepath.Join(t.TempDir(), "seal.pem")
	orFail(t, os.WriteFile(file, text.Bytes(), 0o600))
	return file
}

// pkcs8 is a block with a private key.
func pkcs8(t *testing.T, key any) *pem.Block {
	t.Helper()
	der, err := x509.MarshalPKCS8PrivateKey(key)
	orFail(t, err)
	return &pem.Block{Type: "PRIVATE KEY", Bytes: der}
}

// certified is a block with a certificate of a key that is good between two moments.
func certified(t *testing.T, key crypto.Signer, from, until time.Time) *pem.Block {
	t.Helper()
	authority := newECDSA(t, elliptic.P256())
	parent := &x509.Certificate{
		SerialNumber: big.NewInt(1),
		Subject:      pkix.Name{CommonName: "Authority"},
	}
	c := &x509.Certificate{
		SerialNumber: big.NewInt(2),
		Subject:      pkix.Name{CommonName: "Harbor Lane Rentals"},
		NotBefore:    from,
		NotAfter:     until,
	}
	der, err := x509.CreateCertificate(rand.Reader, c, parent, key.Public(), authority)
	orFail(t, err)
	return &pem.Block{Type: "CERTIFICATE", Bytes: der}
}

func newECDSA(t *testing.T, curve elliptic.Curve) *ecdsa.PrivateKey {
	t.Helper()
	key, err := ecdsa.GenerateKey(curve, rand.Reader)
	orFail(t, err)
	return key
}

func newRSA(t *testing.T, bits int) *rsa.PrivateKey {
	t.Helper()
	key, err := rsa.GenerateKey(rand.Reader, bits)
	orFail(t, err)
	return key
}

// good is a certificate of a key that is good today.
func good(t *testing.T, key crypto.Signer) *pem.Block {
	t.Helper()
	return certified(t, key, time.Now().Add(-time.Hour), time.Now().AddDate(1, 0, 0))
}

func TestLeasesAreSealedWithRSAAndECDSAInEveryPEMForm(t *testing.T) {
	t.Parallel()
	onRSA, onP256 := newRSA(t, 2048), newECDSA(t, elliptic.P256())
	ec, err := x509.MarshalECPrivateKey(onP256)
	orFail(t, err)
	for name, c := range map[string]struct {
		key    crypto.Signer
		blocks []*pem.Block
	}{
		"RSA, PKCS #8": {onRSA, []*pem.Block{pkcs8(t, onRSA)}},
		"RSA, PKCS #1": {onRSA, []*pem.Block{{Type: "RSA PRIVATE KEY", Bytes: x509.MarshalPKCS1PrivateKey(onRSA)}}},
		"EC, PKCS #8":  {onP256, []*pem.Block{pkcs8(t, onP256)}},
		"EC, as openssl ecparam writes it": {onP256, []*pem.Block{
			{Type: "EC PARAMETERS", Bytes: []byte{6, 8, 42, 134, 72, 206, 61, 3, 1, 7}},
			{Type: "EC PRIVATE KEY", Bytes: ec},
		}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			own := good(t, c.key)
			files := map[string]string{
				sealCert: pemFile(t, own, good(t, newECDSA(t, elliptic.P256()))),
				sealKey:  pemFile(t, c.blocks...),
			}
			got, err := configure(func(name string) string { return files[name] })
			if err != nil || got.seal == nil || !bytes.Equal(got.seal.Certificate().Raw, own.Bytes) {
				t.Fatalf("%+v, %v", got.seal, err)
			}
			if mistake := got.sealDates(time.Now()); mistake != "" {
				t.Error(mistake)
			}
		})
	}
}

// sealMistake is a mistake in the two settings.
type sealMistake struct {
	name, cert, key string
	wrong           []string // what each line of what is told begins with
}

func sealMistakes(t *testing.T) []sealMistake {
	t.Helper()
	key, small, onP384 := newECDSA(t, elliptic.P256()), newRSA(t, 1024), newECDSA(t, elliptic.P384())
	public, onEd25519, err := ed25519.GenerateKey(rand.Reader)
	orFail(t, err)
	exchange, err := ecdh.X25519().GenerateKey(rand.Reader)
	orFail(t, err)
	cert, private := pemFile(t, good(t, key)), pemFile(t, pkcs8(t, key))
	none, text := filepath.Join(t.TempDir(), "none.pem"), filepath.Join(t.TempDir(), "text.pem")
	orFail(t, os.WriteFile(text, []byte("swordfish"), 0o600))
	content, err := os.ReadFile(private)
	orFail(t, err)
	cannotBeUsed := func(why string) string { return sealKey + " can't be used (" + why + ")" }
	return []sealMistake{
		{"no key", cert, "", []string{sealKey + " is required with PORTAL_SEAL_CERT"}},
		{"no certificate", "", private, []string{sealCert + " is required with PORTAL_SEAL_KEY"}},
		{"no files", none, none, []string{sealCert + " can't be read (no such", sealKey + " can't be read (no such"}},
		{"folders", os.TempDir(), os.TempDir(), []string{sealCert + " can't be read", sealKey + " can't be read"}},
		{
			"no PEM",
			text,
			text,
			[]string{sealCert + " names a file without a PEM cert", sealKey + " names a file without a PEM private"},
		},
		{"the wrong way round", private, cert, []string{sealCert + " names a file", sealKey + " names a file"}},
		{"the key itself", cert, string(content), []string{sealKey + " must be the path"}},
		{"the key itself without its frame", cert, base64.StdEncoding.EncodeToString(pkcs8(t, key).Bytes), []string{
			sealKey + " can't be read",
		}},
		{"damaged", pemFile(t, &pem.Block{Type: "CERTIFICATE", Bytes: []byte{1}}),
			pemFile(t, &pem.Block{Type: "PRIVATE KEY", Bytes: []byte{1}}), []string{
				sealCert + " names a file whose certificate 1 can't be read",
				sealKey + " names a file whose key can't be read",
			}},
		{"of an unknown form", cert, pemFile(t, &pem.Block{Type: "OPENSSH PRIVATE KEY", Bytes: []byte{1}}), []string{
			sealKey + " names a file whose key can't be read",
		}},
		{"with a passphrase", cert, pemFile(t, &pem.Block{Type: "ENCRYPTED PRIVATE KEY", Bytes: []byte{1}}), []string{
			sealKey + " names a file whose key has a passphrase",
		}},
		{"with a passphrase, as of old", cert, pemFile(t, &pem.Block{
			Type:    "RSA PRIVATE KEY",
			Headers: map[string]string{"Proc-Type": "4,ENCRYPTED", "DEK-Info": "AES-256-CBC,00"},
			Bytes:   []byte{1},
		}), []string{sealKey + " names a file whose key has a passphrase"}},
		{"of another key", cert, pemFile(t, pkcs8(t, newECDSA(t, elliptic.P256()))), []string{
			sealCert + " doesn't match the key",
		}},
		{"in the wrong order", pemFile(t, good(t, newECDSA(t, elliptic.P256())), good(t, key)), private, []string{
			sealCert + " doesn't match the key",
		}},
		{"small", pemFile(t, good(t, small)), pemFile(t, pkcs8(t, small)), []string{
			cannotBeUsed("the RSA key has 1024 bits, want 2,048 to 8,192"),
		}},
		{"on P-384", pemFile(t, good(t, onP384)), pemFile(t, pkcs8(t, onP384)), []string{
			cannotBeUsed("the key is on the curve P-384, want P-256"),
		}},
		{"Ed25519", pemFile(t, good(t, onEd25519)), pemFile(t, pkcs8(t, onEd25519)), []string{
			cannotBeUsed(fmt.Sprintf("cannot sign with a %T, want RSA or ECDSA", public)),
		}},
		{"P-384 and of another key", cert, pemFile(t, pkcs8(t, onP384)), []string{
			sealCert + " doesn't match the key", cannotBeUsed("the key is on the curve P-384, want P-256"),
		}},
		{"no key to sign with", cert, pemFile(t, pkcs8(t, exchange)), []string{
			sealKey + " names a file with a *ecdh.PrivateKey, which can't sign",
		}},
	}
}

func TestSealFileErrorsAreReported(t *testing.T) {
	t.Parallel()
	for _, c := range sealMistakes(t) {
		_, err := configure(func(name string) string {
			return map[string]string{sealCert: c.cert, sealKey: c.key, "PORTAL_ADDR": "nowhere"}[name]
		})
		if err == nil {
			t.Errorf("%s: it was taken", c.name)
			continue
		}
		var lines []string
		for line := range strings.SplitSeq(err.Error(), "\n") {
			if strings.HasPrefix(line, "PORTAL_SEAL_") {
				lines = append(lines, line)
			}
		}
		if !strings.Contains(err.Error(), "PORTAL_ADDR ") || !slices.EqualFunc(lines, c.wrong, strings.HasPrefix) {
			t.Errorf("%s: %v, want %v", c.name, err, c.wrong)
		}
		for _, secret := range []string{"swordfish", "-----BEGIN", c.key} {
			if secret != "" && strings.Contains(err.Error(), secret) {
				t.Errorf("%s: what is in the setting or its file is told: %v", c.name, err)
			}
		}
	}
}

func TestServerRefusesExpiredOrFutureCertificate(t *testing.T) {
	t.Parallel()
	key, now := newECDSA(t, elliptic.P256()), time.Now()
	private := pemFile(t, pkcs8(t, key))
	for says, cert := range map[string]*pem.Block{
		"PORTAL_SEAL_CERT has a certificate that expired on": certified(t, key, now.AddDate(-1, 0, 0),
			now.Add(-time.Minute)),
		"PORTAL_SEAL_CERT has a certificate that is not valid before": certified(t, key, now.Add(time.Hour),
			now.AddDate(1, 0, 0)),
	} {
		h := newHome(t, sealCert+"="+pemFile(t, cert), sealKey+"="+private)
		h.refuses(t, "serve", says)
		h.refuses(t, "migrate", says)
		h.with("PORTAL_BASE_URL=nowhere", "PORTAL_SECRET_KEY=none").refuses(t, "serve", says, "PORTAL_BASE_URL must",
			"PORTAL_SECRET_KEY must")
		if _, err := os.Stat(h.data); !os.IsNotExist(err) {
			t.Errorf("a data folder was made: %v", err)
		}
		if code, _, err := h.inside(t, "", "health"); code != cli.ExitFailed || strings.Contains(err, "PORTAL_SEAL") {
			t.Errorf("the health of a server that runs depends on the certificate: exit code %d, %q", code, err)
		}
	}
}

func TestServiceSealsWithOwnOrConfiguredKey(t *testing.T) {
	onBoth(t, func(t *testing.T, h home) {
		h = h.with("PORTAL_BASE_URL=https://portal.example.com")
		var made []byte
		h.withProduct(t, func(p *product) {
			made = p.seal.Certificate().Raw
			if name := p.seal.Certificate().Subject.CommonName; !p.seal.SelfMade() ||
				name != "portal at portal.example.com" {
				t.Errorf("it is self-made: %v, by %q", p.seal.SelfMade(), name)
			}
		})
		key := newRSA(t, 2048)
		own := good(t, key)
		h.with(sealCert+"="+pemFile(t, own), sealKey+"="+pemFile(t, pkcs8(t, key))).withProduct(t, func(p *product) {
			if p.seal.SelfMade() || !bytes.Equal(p.seal.Certificate().Raw, own.Bytes) {
				t.Error("the configured key is not used")
			}
		})
		h.withProduct(t, func(p *product) {
			if !bytes.Equal(p.seal.Certificate().Raw, made) {
				t.Error("the self-made key is another one afterwards")
			}
		})
		if n := h.value(t, "SELECT count(*) FROM seal_keys"); n != "1" {
			t.Errorf("%s keys are stored", n)
		}
	})
}

func TestSealKeySurvivesRotationAndRestore(t *testing.T) {
	t.Parallel()
	h := newHome(t).keyed(1)
	var made []byte
	h.withProduct(t, func(p *product) { made = p.seal.Certificate().Raw })
	same := func(h home) {
		t.Helper()
		h.withProduct(t, func(p *product) {
			if !bytes.Equal(p.seal.Certificate().Raw, made) {
				t.Error("there is another key")
			}
		})
	}
	h.keyed(2, 1).asJSON(t, "", "secret", "rotate")
	same(h.keyed(2))
	file := filepath.Join(t.TempDir(), "copy.db")
	h.keyed(2).asJSON(t, "", "backup", file, "--with-key", "--json")
	there := newHome(t)
	there.asJSON(t, "", "restore", file, "--json")
	same(there)
}

func TestCertificateIsNamedAfterHostWhenItFits(t *testing.T) {
	t.Parallel()
	for base, want := range map[string]string{
		"":                                   "portal",
		"https://portal.example.com":         "portal at portal.example.com",
		"http://127.0.0.1:8080":              "portal at 127.0.0.1",
		"http://[::1]:8080":                  "portal at ::1",
		"https://" + strings.Repeat("a", 54): "portal at " + strings.Repeat("a", 54),
		"https://" + strings.Repeat("a", 55): "portal",
	} {
		if got := (&config{baseURL: base}).sealName(); got != want {
			t.Errorf("%q gives %q, want %q", base, got, want)
		}
	}
}

func TestSealCertificateExpiryIsAMetric(t *testing.T) {
	eachDatabase(t, func(t *testing.T, s *httpServer) {
		answer := httptest.NewRecorder()
		newObserved(s.server).handler().ServeHTTP(answer,
			httptest.NewRequestWithContext(t.Context(), http.MethodGet, "/metrics", nil))
		name, value := "portal_seal_certificate_expiry_timestamp_seconds", 0.0
		for line := range strings.Lines(answer.Body.String()) {
			if strings.HasPrefix(line, name+" ") {
				_, err := fmt.Sscanf(line, name+" %g", &value)
				orFail(t, err)
			}
		}
		if want := s.product.seal.Expires().Unix(); int64(value) != want {
			t.Errorf("it is %f, want %d", value, want)
		}
	})
}

func TestServerJobEmailsStaffAboutSealExpiry(t *testing.T) {
	key, now := newECDSA(t, elliptic.P256()), time.Now()
	cert := pemFile(t, certified(t, key, now.AddDate(-1, 0, 0), now.AddDate(0, 0, 20)))
	eachDatabase(t, func(t *testing.T, s *httpServer) {
		const told = "SELECT count(*) FROM mails WHERE subject LIKE 'Seal certificate expires on%'"
		eventually(t, "the staff is told", func() bool { return s.home.value(t, told) == "1" })
		if to := s.home.value(
			t,
			"SELECT recipient FROM mails WHERE subject LIKE 'Seal certificate%'",
		); to != demoStaff {
			t.Errorf("%s is told", to)
		}
		orFail(t, s.stop(t.Context()))
		again := s.again(t)
		orFail(t, again.product.sealNotices().TellOfExpiry(t.Context()))
		if n := again.home.value(t, told); n != "1" {
			t.Errorf("%s emails in all", n)
		}
	}, sealCert+"="+cert, sealKey+"="+pemFile(t, pkcs8(t, key)))
}

package main

import (
	"crypto"
	"crypto/x509"
	"encoding/pem"
	"errors"
	"fmt"
	"io/fs"
	"net/url"
	"os"
	"strings"
	"time"

	"portal/api/agreement/document/seal"
	"portal/api/agreement/sealing"
	"portal/db/servicestore"
)

// The variables with the files of the certificate and of the key that executed leases are sealed with.
const (
	sealCert = "PORTAL_SEAL_CERT"
	sealKey  = "PORTAL_SEAL_KEY"
)

// checkSeal takes both files or none. What it says repeats neither the values, which may be a key
// that stands where its path should, nor what is in the files.
func (c *config) checkSeal(certFile, keyFile string, say complain) {
	if certFile == "" && keyFile == "" {
		return
	}
	chain, wrongCert := readChain(certFile)
	key, wrongKey := readSealKey(keyFile)
	if wrongCert != nil {
		say(sealCert, "%s", wrongCert)
	}
	if wrongKey != nil {
		say(sealKey, "%s", wrongKey)
	}
	if wrongCert != nil || wrongKey != nil {
		return
	}
	own, is := chain[0].PublicKey.(interface{ Equal(crypto.PublicKey) bool })
	matches := is && own.Equal(key.Public())
	if !matches {
		say(sealCert, "doesn't match the key of %s: the file must begin with the certificate of that key, "+
			"followed by its issuers' certificates", sealKey)
	}
	// Of a key alone, so that a key that cannot be used is told beside a certificate of another one.
	if err := seal.CheckKey(key.Public()); err != nil {
		say(sealKey, "can't be used (%s): it must be an RSA key of 2,048 to 8,192 bits or an ECDSA key on P-256",
			strings.TrimPrefix(err.Error(), "seal: "))
		return
	}
	if !matches {
		return
	}
	var err error
	if c.seal, err = seal.New(key, chain...); err != nil {
		say(sealCert, "can't be used (%s): set it to the certificate of %s and its issuers' certificates only",
			strings.TrimPrefix(err.Error(), "seal: "), sealKey)
	}
}

// readChain reads the certificates of a file, at least one.
func readChain(file string) (chain []*x509.Certificate, err error) {
	if file == "" {
		return nil, fmt.Errorf("is required with %s: the PEM file of the key's certificate", sealKey)
	}
	blocks, err := readPEM(file, "the PEM file of the key's certificate", func(kind string) bool {
		return kind == "CERTIFICATE"
	})
	if err != nil {
		return nil, err
	}
	if len(blocks) == 0 {
		return nil, errors.New("names a file without a PEM certificate: it must have a block BEGIN CERTIFICATE")
	}
	for i, b := range blocks {
		c, err := x509.ParseCertificate(b.Bytes)
		if err != nil {
			return nil, fmt.Errorf("names a file whose certificate %d can't be read (%w): "+
				"get it again from its issuer", i+1, err)
		}
		chain = append(chain, c)
	}
	return chain, nil
}

// readSealKey reads the first private key of a file.
func readSealKey(file string) (crypto.Signer, error) {
	if file == "" {
		return nil, fmt.Errorf("is required with %s: the PEM file of the certificate's private key", sealCert)
	}
	blocks, err := readPEM(file, "the PEM file of the private key", func(kind string) bool {
		return strings.HasSuffix(kind, "PRIVATE KEY")
	})
	if err != nil {
		return nil, err
	}
	if len(blocks) == 0 {
		return nil, errors.New("names a file without a PEM private key: it must have a block BEGIN PRIVATE KEY, " +
			"BEGIN RSA PRIVATE KEY or BEGIN EC PRIVATE KEY")
	}
	b := blocks[0]
	if b.Type == "ENCRYPTED PRIVATE KEY" || b.Headers["DEK-Info"] != "" {
		return nil, errors.New("names a file whose key has a passphrase: " +
			"decrypt it with openssl pkey, into a file that only the service can read")
	}
	key, known := parseKey(b)
	if !known {
		return nil, errors.New("names a file whose key can't be read: it must be PKCS #8, PKCS #1 or EC")
	}
	signer, is := key.(crypto.Signer)
	if !is {
		return nil, fmt.Errorf("names a file with a %T, which can't sign: "+
			"it must be an RSA key of 2,048 to 8,192 bits or an ECDSA key on P-256", key)
	}
	return signer, nil
}

// parseKey reads a private key by what its block says that it is.
func parseKey(b *pem.Block) (key any, known bool) {
	var err error
	switch b.Type {
	case "PRIVATE KEY":
		key, err = x509.ParsePKCS8PrivateKey(b.Bytes)
	case "RSA PRIVATE KEY":
		key, err = x509.ParsePKCS1PrivateKey(b.Bytes)
	case "EC PRIVATE KEY":
		key, err = x509.ParseECPrivateKey(b.Bytes)
	default:
		return nil, false
	}
	return key, err == nil // which is not told: it is about the key's content
}

// readPEM reads the blocks of a file that are wanted.
func readPEM(file, what string, wanted func(kind string) bool) (blocks []*pem.Block, err error) {
	if strings.Contains(file, "-----BEGIN") {
		return nil, fmt.Errorf("must be the path of %s, not its content", what)
	}
	text, err := os.ReadFile(file)
	if err != nil {
		if failed, is := errors.AsType[*fs.PathError](err); is {
			err = failed.Err // without the path
		}
		return nil, fmt.Errorf("can't be read (%w): set it to the path of %s, and let the service read it", err, what)
	}
	for {
		var b *pem.Block
		if b, text = pem.Decode(text); b == nil {
			return blocks, nil
		}
		if wanted(b.Type) {
			blocks = append(blocks, b)
		}
	}
}

// sealDates says what is wrong with the dates of the configured certificate, "" for nothing. A server that
// runs goes on when it ends, and so do commands that need no database, health above all.
func (c *config) sealDates(now time.Time) string {
	const form = "January 2, 2006, 15:04 UTC"
	if c.seal == nil {
		return ""
	}
	switch cert := c.seal.Certificate(); {
	case now.After(cert.NotAfter):
		return fmt.Sprintf("%s has a certificate that expired on %s: set %s and %s to the files of a new one, "+
			"or to nothing, and the service creates its own",
			sealCert, cert.NotAfter.UTC().Format(form), sealCert, sealKey)
	case now.Before(cert.NotBefore):
		return fmt.Sprintf("%s has a certificate that is not valid before %s: set it to one that is valid now, "+
			"or correct the clock of this machine", sealCert, cert.NotBefore.UTC().Format(form))
	}
	return ""
}

// longestName is the most that a common name may have (ub-common-name of RFC 5280).
const longestName = 64

// sealName is what a certificate says that the service makes.
func (c *config) sealName() string {
	const service = "portal"
	u, err := url.Parse(c.baseURL)
	if err != nil || u.Hostname() == "" {
		return service
	}
	if name := service + " at " + u.Hostname(); len(name) <= longestName {
		return name
	}
	return service
}

// sealNotices tells the staff that the certificate ends.
func (p *product) sealNotices() *sealing.Notices {
	return &sealing.Notices{Key: p.seal, Store: servicestore.ForSealNotices(p.DB), Post: p.Mail, Now: time.Now}
}

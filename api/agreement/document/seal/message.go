package seal

import (
	"bytes"
	"crypto"
	"crypto/ecdsa"
	"crypto/rand"
	"crypto/rsa"
	"crypto/sha256"
	"crypto/x509"
	"encoding/asn1"
	"errors"
	"fmt"
	"math/big"
)

// The object identifiers of RFC 5652, RFC 5035, RFC 5754 and RFC 5758.
var (
	oidData               = asn1.ObjectIdentifier{1, 2, 840, 113549, 1, 7, 1}
	oidSignedData         = asn1.ObjectIdentifier{1, 2, 840, 113549, 1, 7, 2}
	oidContentType        = asn1.ObjectIdentifier{1, 2, 840, 113549, 1, 9, 3}
	oidMessageDigest      = asn1.ObjectIdentifier{1, 2, 840, 113549, 1, 9, 4}
	oidSigningCertificate = asn1.ObjectIdentifier{1, 2, 840, 113549, 1, 9, 16, 2, 47}
	oidSHA256             = asn1.ObjectIdentifier{2, 16, 840, 1, 101, 3, 4, 2, 1}
	oidRSA                = asn1.ObjectIdentifier{1, 2, 840, 113549, 1, 1, 1}
	oidECDSAWithSHA256    = asn1.ObjectIdentifier{1, 2, 840, 10045, 4, 3, 2}
)

// contentInfo is a signed message (RFC 5652, section 3).
type contentInfo struct {
	Type    asn1.ObjectIdentifier
	Content signedData `asn1:"explicit,tag:0"`
}

type signedData struct {
	Version      int
	Digests      []algorithm `asn1:"set"`
	Encapsulated struct{ Type asn1.ObjectIdentifier }
	Certificates asn1.RawValue // [0] IMPLICIT SET OF Certificate
	Signers      []signer      `asn1:"set"`
}

type algorithm struct {
	Algorithm  asn1.ObjectIdentifier
	Parameters asn1.RawValue `asn1:"optional"`
}

type signer struct {
	Version     int
	Certificate struct {
		Issuer asn1.RawValue
		Serial *big.Int
	}
	Digest     algorithm
	Attributes asn1.RawValue // [0] IMPLICIT SET OF attribute
	Algorithm  algorithm
	Signature  []byte
}

type attribute struct {
	Type   asn1.ObjectIdentifier
	Values []asn1.RawValue `asn1:"set"`
}

// signingCertificate is the hash of the certificate that is signed with (RFC 5035, section 3).
type signingCertificate struct{ Certificates []struct{ Hash []byte } }

// message is the signature of a hash, in DER.
func (s *Sealer) message(digest []byte) ([]byte, error) {
	signed, err := attributes(s.certs[0], digest)
	if err != nil {
		return nil, err
	}
	hash := sha256.Sum256(signed)
	signature, err := s.key.Sign(rand.Reader, hash[:], crypto.SHA256)
	if err != nil {
		return nil, fmt.Errorf("seal: %w", err)
	}
	return assemble(s.certs, signed, signature)
}

// attributes are what is signed: the hash of the file, and of the certificate.
func attributes(cert *x509.Certificate, digest []byte) ([]byte, error) {
	own := sha256.Sum256(cert.Raw)
	var all []attribute
	for _, a := range []struct {
		kind  asn1.ObjectIdentifier
		value any
	}{
		{oidContentType, oidData},
		{oidMessageDigest, digest},
		{oidSigningCertificate, signingCertificate{[]struct{ Hash []byte }{{own[:]}}}},
	} {
		value, err := asn1.Marshal(a.value)
		if err != nil {
			return nil, err
		}
		all = append(all, attribute{a.kind, []asn1.RawValue{{FullBytes: value}}})
	}
	return asn1.MarshalWithParams(all, "set")
}

// assemble puts a message together.
func assemble(certs []*x509.Certificate, signed, signature []byte) ([]byte, error) {
	own := certs[0]
	var raw []byte
	for _, c := range certs {
		raw = append(raw, c.Raw...)
	}
	digest := algorithm{Algorithm: oidSHA256}
	m := contentInfo{Type: oidSignedData, Content: signedData{Version: 1, Digests: []algorithm{digest}}}
	m.Content.Encapsulated.Type = oidData
	m.Content.Certificates = asn1.RawValue{
		Class:      asn1.ClassContextSpecific,
		Tag:        0,
		IsCompound: true,
		Bytes:      raw,
	}
	s := signer{
		Version:   1,
		Digest:    digest,
		Algorithm: algorithm{Algorithm: oidECDSAWithSHA256},
		Signature: signature,
	}
	if own.PublicKeyAlgorithm == x509.RSA {
		s.Algorithm = algorithm{oidRSA, asn1.NullRawValue}
	}
	s.Certificate.Issuer, s.Certificate.Serial = asn1.RawValue{FullBytes: own.RawIssuer}, own.SerialNumber
	var set asn1.RawValue
	if _, err := asn1.Unmarshal(signed, &set); err != nil {
		return nil, err
	}
	s.Attributes = asn1.RawValue{
		Class:      asn1.ClassContextSpecific,
		Tag:        0,
		IsCompound: true,
		Bytes:      set.Bytes,
	}
	m.Content.Signers = []signer{s}
	return asn1.Marshal(m)
}

// verifyMessage checks the signature of a hash, behind which zeros fill the room that is left. The message
// has to be the very one that assemble makes, so that no byte of it is free.
func verifyMessage(padded, digest []byte) (*x509.Certificate, error) {
	var m contentInfo
	rest, err := asn1.Unmarshal(padded, &m)
	if err != nil || len(m.Content.Signers) != 1 || len(bytes.Trim(rest, "\x00")) > 0 {
		return nil, errors.New("seal: the signature is damaged")
	}
	certs, err := x509.ParseCertificates(m.Content.Certificates.Bytes)
	if err != nil || len(certs) == 0 {
		return nil, errors.New("seal: the certificate is damaged")
	}
	signed, err := attributes(certs[0], digest)
	if err != nil {
		return nil, err
	}
	s := &m.Content.Signers[0]
	again, err := assemble(certs, signed, s.Signature)
	if err != nil || !bytes.Equal(again, padded[:len(padded)-len(rest)]) {
		return nil, errors.New("seal: the file is not the one that was sealed")
	}
	if err := CheckKey(certs[0].PublicKey); err != nil {
		return nil, err
	}
	hash, good := sha256.Sum256(signed), false
	switch public := certs[0].PublicKey.(type) {
	case *rsa.PublicKey:
		good = rsa.VerifyPKCS1v15(public, crypto.SHA256, hash[:], s.Signature) == nil
	case *ecdsa.PublicKey:
		good = ecdsa.VerifyASN1(public, hash[:], s.Signature)
	}
	if !good {
		return nil, errors.New("seal: the signature is wrong")
	}
	return certs[0], nil
}

// Package seal puts a digital signature of the service on a PDF that package pdf has rendered, and
// verifies it: PAdES-B-B (ETSI EN 319 142-1), which readers of PDF show and check. Every byte of the file
// is covered, so that none can be changed unnoticed.
//
// It knows nothing of where its key comes from; that is package sealing.
package seal

import (
	"bytes"
	"crypto"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/rsa"
	"crypto/sha256"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/hex"
	"errors"
	"fmt"
	"math/big"
	"regexp"
	"strconv"
	"strings"
	"time"
	"unicode/utf16"
)

// Sealer seals with one key and the certificate that goes with it.
type Sealer struct {
	key   crypto.Signer
	certs []*x509.Certificate // of the key, and those that vouch for it
	room  int                 // that a signature takes, in bytes
}

// The sizes of RSA keys, in bits. To verify with a key of a million bits takes hours, and whoever sends a file
// chooses its key.
const (
	shortestRSA = 2048
	longestRSA  = 8192
)

// mostSeal is how long a signature with its certificates is at most, in bytes.
const mostSeal = 128 << 10

// New makes a sealer of a key, its certificate, and the certificates that vouch for that. The key is RSA of
// 2,048 to 8,192 bits or ECDSA with the curve P-256. It signs something, so that a key which cannot is found.
func New(key crypto.Signer, certs ...*x509.Certificate) (*Sealer, error) {
	if len(certs) == 0 {
		return nil, errors.New("seal: there is no certificate")
	}
	own, is := certs[0].PublicKey.(interface{ Equal(crypto.PublicKey) bool })
	if !is || !own.Equal(key.Public()) {
		return nil, errors.New("seal: the certificate is not one of the key")
	}
	if err := CheckKey(key.Public()); err != nil {
		return nil, err
	}
	s := &Sealer{key: key, certs: certs}
	message, err := s.message(make([]byte, sha256.Size))
	if err == nil && 2*len(message) > mostSeal {
		err = fmt.Errorf("seal: the certificates take %d bytes, the most is %d", len(message), mostSeal/2)
	}
	if err != nil {
		return nil, err
	}
	s.room = len(message) + spare
	return s, nil
}

// CheckKey refuses a key that nothing is sealed with: all but RSA of 2,048 to 8,192 bits and ECDSA with P-256.
func CheckKey(key crypto.PublicKey) error {
	switch public := key.(type) {
	case *rsa.PublicKey:
		if bits := public.N.BitLen(); bits < shortestRSA || bits > longestRSA {
			return fmt.Errorf("seal: the RSA key has %d bits, want 2,048 to 8,192", bits)
		}
	case *ecdsa.PublicKey:
		if public.Curve != elliptic.P256() {
			return fmt.Errorf("seal: the key is on the curve %s, want P-256", public.Curve.Params().Name)
		}
	default:
		return fmt.Errorf("seal: cannot sign with a %T, want RSA or ECDSA", public)
	}
	return nil
}

// spare is what a signature may be longer than another one by the same key, in bytes.
const spare = 64

// Certificate is the one of the key.
func (s *Sealer) Certificate() *x509.Certificate { return s.certs[0] }

// Expires is when the certificate stops to be good.
func (s *Sealer) Expires() time.Time { return s.certs[0].NotAfter }

// SelfMade makes a key with a certificate of its own that is good for ten years. Readers of PDF see that
// nothing was changed, and that nobody else vouches for the name.
func SelfMade(name string, now time.Time) (*ecdsa.PrivateKey, *x509.Certificate, error) {
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		return nil, nil, err
	}
	number := make([]byte, 16)
	_, _ = rand.Read(number) // never fails
	number[0] = number[0]&0x7f | 1
	c := &x509.Certificate{
		SerialNumber:          new(big.Int).SetBytes(number),
		Subject:               pkix.Name{CommonName: name},
		NotBefore:             now.Add(-time.Hour),
		NotAfter:              now.AddDate(10, 0, 0),
		KeyUsage:              x509.KeyUsageDigitalSignature | x509.KeyUsageContentCommitment,
		BasicConstraintsValid: true,
	}
	der, err := x509.CreateCertificate(rand.Reader, c, c, key.Public(), key)
	if err != nil {
		return nil, nil, err
	}
	cert, err := x509.ParseCertificate(der)
	return key, cert, err
}

// Words are what a seal says of itself.
type Words struct {
	Name   string // who seals
	Reason string
	At     time.Time
}

const emptyRange = "[0 0000000000 0000000000 0000000000]"

// Seal signs a PDF that package pdf has rendered. It is appended to, and what stood before stays as it was.
func (s *Sealer) Seal(content []byte, w Words) ([]byte, error) {
	f, err := read(content)
	if err != nil {
		return nil, fmt.Errorf("seal: %w", err)
	}
	room := s.room
	signature, field := f.size, f.size+1
	f.write(f.page, f.pageText+fmt.Sprintf("\n/Annots [%d 0 R]", field))
	f.write(f.root, f.rootText+fmt.Sprintf("\n/Version /1.7\n/AcroForm <</Fields [%d 0 R] /SigFlags 3>>", field))
	start := f.write(
		signature,
		fmt.Sprintf(
			"/Type /Sig /Filter /Adobe.PPKLite /SubFilter /ETSI.CAdES.detached\n/Name %s\n/Reason %s\n/M "+
				"(D:%sZ)\n/ByteRange %s\n/Contents <%s>",
			text(w.Name),
			text(w.Reason),
			w.At.UTC().Format("20060102150405"),
			emptyRange,
			strings.Repeat("00", room),
		),
	)
	f.write(field, fmt.Sprintf(
		"/Type /Annot /Subtype /Widget /FT /Sig /T (Seal)\n/V %d 0 R /P %d 0 R\n/Rect [0 0 0 0] /F 132",
		signature, f.page))
	f.finish()

	b := f.Bytes()
	from := start + bytes.Index(b[start:], []byte("/Contents <")) + len("/Contents ")
	to := from + 2*room + 2
	at := start + bytes.Index(b[start:], []byte(emptyRange))
	copy(b[at:], fmt.Sprintf("[0 %010d %010d %010d]", from, to, len(b)-to))
	message, err := s.message(sum(b, from, to))
	if err != nil {
		return nil, err
	}
	if len(message) > room {
		return nil, fmt.Errorf("seal: the signature takes %d bytes, and there is room for %d", len(message), room)
	}
	hex.Encode(b[from+1:], message)
	return b, nil
}

// sum is the hash of a file without what lies between two places.
func sum(b []byte, from, to int) []byte {
	h := sha256.New()
	h.Write(b[:from])
	h.Write(b[to:])
	return h.Sum(nil)
}

var byteRange = regexp.MustCompile(`/ByteRange \[0 (\d{10}) (\d{10}) (\d{10})\]\n/Contents <`)

// Verify checks the last seal of a PDF, and tells whose it is. It fails where a byte of the file is not as
// it was sealed. Whether the certificate is to be trusted is up to the caller.
func Verify(content []byte) (*x509.Certificate, error) {
	all := byteRange.FindAllSubmatchIndex(content, -1)
	if len(all) == 0 {
		return nil, errors.New("seal: the file has none")
	}
	found := all[len(all)-1]
	var at [3]int
	for i := range at {
		at[i], _ = strconv.Atoi(string(content[found[2+2*i]:found[3+2*i]])) // ten digits
	}
	from, to := at[0], at[1]
	if from != found[1]-1 || to <= from || to-from > 2*mostSeal || to > len(content) ||
		at[2] != len(content)-to || content[to-1] != '>' {
		return nil, errors.New("seal: it does not cover the whole file")
	}
	digits := content[from+1 : to-1]
	message := make([]byte, len(digits)/2)
	if _, err := hex.Decode(message, digits); err != nil || hex.EncodeToString(message) != string(digits) {
		return nil, errors.New("seal: the signature is damaged")
	}
	return verifyMessage(message, sum(content, from, to))
}

// file is a PDF that is appended to.
type file struct {
	bytes.Buffer
	size               int // number of the first object that is free
	root, page         int // numbers of the catalog and of the first page
	rootText, pageText string
	info               string // reference of the metadata
	before             int    // where the table of objects stands so far
	places             [][2]int
}

var (
	trailer = regexp.MustCompile(
		`(?s)\ntrailer\n<<\n/Size (\d+)\n/Root (\d+) 0 R\n/Info (\d+ 0 R)\n(?:/XRefStm \d+\n)?>>\nstartxref\n(\d+)\n%%EOF\n?$`,
	)
	table = regexp.MustCompile(`^xref\n0 (\d+)\n`)
	pages = regexp.MustCompile(`/Pages (\d+) 0 R`)
	kids  = regexp.MustCompile(`/Kids \[(\d+) 0 R`)
)

// read finds the objects of a PDF that a seal changes.
func read(content []byte) (*file, error) {
	found := trailer.FindSubmatch(content[max(0, len(content)-512):])
	if found == nil {
		return nil, errors.New("the file does not end as those that package pdf renders")
	}
	f := &file{info: string(found[3])}
	f.Write(content)
	f.size, _ = strconv.Atoi(string(found[1]))
	f.root, _ = strconv.Atoi(string(found[2]))
	f.before, _ = strconv.Atoi(string(found[4]))
	var err error
	if f.rootText, err = f.object(f.root); err != nil {
		return nil, err
	}
	tree, err := f.object(number(pages, f.rootText))
	if err != nil {
		return nil, err
	}
	f.page = number(kids, tree)
	if f.pageText, err = f.object(f.page); err != nil {
		return nil, err
	}
	if strings.Contains(f.pageText, "/Annots") || strings.Contains(f.rootText, "/AcroForm") {
		return nil, errors.New("the file has annotations or a seal already")
	}
	return f, nil
}

// number is the one that a pattern finds, 0 for none.
func number(pattern *regexp.Regexp, s string) (n int) {
	if found := pattern.FindStringSubmatch(s); found != nil {
		n, _ = strconv.Atoi(found[1])
	}
	return n
}

const xrefLine = 20 // bytes

// object is what stands within the outer brackets of an object.
func (f *file) object(n int) (string, error) {
	b := f.Bytes()
	head := table.FindSubmatch(b[min(f.before, len(b)):])
	if head == nil {
		return "", errors.New("the file has no table of objects where it says")
	}
	line := f.before + len(head[0]) + n*xrefLine
	if size, _ := strconv.Atoi(string(head[1])); n < 1 || n >= size || line+xrefLine > len(b) {
		return "", fmt.Errorf("the object %d is not in the table", n)
	}
	at, _ := strconv.Atoi(string(b[line : line+10]))
	if at >= len(b) {
		return "", fmt.Errorf("the object %d is not in the file", n)
	}
	body, _, ends := strings.Cut(string(b[at:]), "\nendobj")
	body, begins := strings.CutPrefix(body, fmt.Sprintf("%d 0 obj\n<<", n))
	body, closed := strings.CutSuffix(body, ">>")
	if !ends || !begins || !closed {
		return "", fmt.Errorf("the object %d is none that is known", n)
	}
	return strings.TrimSpace(body), nil
}

// write appends an object, and tells where.
func (f *file) write(n int, body string) (at int) {
	at = f.Len()
	f.places = append(f.places, [2]int{n, at})
	fmt.Fprintf(f, "%d 0 obj\n<<%s>>\nendobj\n", n, body)
	return at
}

// finish appends the table of the objects that were written.
func (f *file) finish() {
	at, id := f.Len(), sha256.Sum256(f.Bytes())
	f.WriteString("xref\n")
	for _, p := range f.places {
		fmt.Fprintf(f, "%d 1\n%010d 00000 n \n", p[0], p[1])
	}
	fmt.Fprintf(f,
		"trailer\n<<\n/Size %d\n/Root %d 0 R\n/Info %s\n/Prev %d\n/ID [<%x> <%x>]\n>>\nstartxref\n%d\n%%%%EOF\n",
		f.size+2, f.root, f.info, f.before, id[:16], id[:16], at)
}

// text is a string of a PDF, in UTF-16, which holds every character.
func text(s string) string {
	b := []byte{0xfe, 0xff}
	for _, u := range utf16.Encode([]rune(s)) {
		b = append(b, byte(u>>8), byte(u))
	}
	return fmt.Sprintf("<%x>", b)
}

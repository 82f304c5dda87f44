package sealing_test

import (
	"bytes"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/x509"
	"crypto/x509/pkix"
	"math/big"
	"strings"
	"sync"
	"testing"
	"time"

	"portal/api/agreement/document"
	"portal/api/agreement/document/documenttest"
	"portal/api/agreement/document/pdf"
	"portal/api/agreement/document/seal"
	"portal/api/agreement/sealing"
	"portal/api/secret"
	"portal/db"
	"portal/db/dbtest"
	"portal/db/servicestore"
)

const day = 24 * time.Hour

// fixture is a service that seals, on a day that a test can move.
type fixture struct {
	*dbtest.Fixture
	box *secret.Box
	now time.Time
}

func onBoth(t *testing.T, test func(*fixture)) {
	dbtest.Both(t, func(t *testing.T, d *db.DB) {
		test(&fixture{dbtest.NewFixture(t, d), boxOf(t, 1), dbtest.Now})
	})
}

// boxOf is a box with a key of one byte repeated.
func boxOf(t *testing.T, key byte) *secret.Box {
	t.Helper()
	box, err := secret.NewBox(bytes.Repeat([]byte{key}, secret.KeySize))
	if err != nil {
		t.Fatal(err)
	}
	return box
}

func (f *fixture) clock() time.Time { return f.now }

func (f *fixture) config() sealing.Config {
	return sealing.Config{
		Store: servicestore.NewSealKeys(f.DB),
		Box:   f.box,
		Now:   f.clock,
		Name:  "portal at portal.example.com",
	}
}

func (f *fixture) open() *sealing.Key {
	f.Helper()
	k, err := sealing.Open(f.Context(), f.config())
	f.OK(err)
	return k
}

// stored is the latest key of the table.
func (f *fixture) stored() sealing.StoredKey {
	f.Helper()
	k, err := servicestore.NewSealKeys(f.DB).LatestKey(f.Context())
	f.OK(err)
	return k
}

// keys is how many keys are in the table.
func (f *fixture) keys() string {
	f.Helper()
	return f.Text("count(*)", "seal_keys")
}

// seals expects a key to seal a lease with its certificate.
func (f *fixture) seals(k *sealing.Key) {
	f.Helper()
	content, err := pdf.Render(document.Compose(documenttest.Terms("TX")), f.now)
	f.OK(err)
	sealed, err := k.Seal(content, seal.Words{Name: "Portal", Reason: "All parties have signed", At: f.now})
	f.OK(err)
	by, err := seal.Verify(sealed)
	f.OK(err)
	f.Want(by.Equal(k.Certificate()), "it is sealed by %s", by.Subject)
}

// configured is a key with a certificate that ends at a moment.
func (f *fixture) configured(ends time.Time) *seal.Sealer {
	f.Helper()
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	f.OK(err)
	c := &x509.Certificate{
		SerialNumber: big.NewInt(7),
		Subject:      pkix.Name{CommonName: "Harbor Lane Rentals"},
		NotBefore:    f.now.AddDate(-1, 0, 0),
		NotAfter:     ends,
	}
	der, err := x509.CreateCertificate(rand.Reader, c, c, key.Public(), key)
	f.OK(err)
	certificate, err := x509.ParseCertificate(der)
	f.OK(err)
	sealer, err := seal.New(key, certificate)
	f.OK(err)
	return sealer
}

func TestKeyIsCreatedOnceAndReused(t *testing.T) {
	onBoth(t, func(f *fixture) {
		first := f.open()
		f.Want(first.SelfMade(), "it is not said to be self-made")
		f.Same(first.Certificate().Subject.CommonName, "portal at portal.example.com")
		f.Want(first.Expires().Equal(f.now.AddDate(10, 0, 0)), "it ends %s", first.Expires())
		f.seals(first)
		again := f.open()
		f.Want(again.Certificate().Equal(first.Certificate()) && again.SelfMade(), "there is another key")
		f.seals(again)
		f.Same(f.keys(), "1")
	})
}

func TestConcurrentNodesShareOneKey(t *testing.T) {
	onBoth(t, func(f *fixture) {
		for _, want := range []string{"1", "2"} { // on an empty table, and when the key is renewed
			opened, failed := make([]*sealing.Key, 8), make([]error, 8)
			var all sync.WaitGroup
			for i := range opened {
				all.Go(func() { opened[i], failed[i] = sealing.Open(f.Context(), f.config()) })
			}
			all.Wait()
			for i, k := range opened {
				f.OK(failed[i])
				f.Want(k.Certificate().Equal(opened[0].Certificate()), "node %d has another key", i)
			}
			f.Same(f.keys(), want)
			f.now = f.now.AddDate(10, 0, 0)
		}
	})
}

func TestKeyIsRenewed30DaysBeforeExpiryAndOldKeyIsKept(t *testing.T) {
	onBoth(t, func(f *fixture) {
		first := f.open()
		before := f.stored()
		f.now = first.Expires().Add(-30*day - time.Second)
		f.Want(f.open().Certificate().Equal(first.Certificate()), "it is renewed early")
		f.now = first.Expires().Add(-30 * day)
		renewed := f.open()
		f.Want(!renewed.Certificate().Equal(first.Certificate()), "it is not renewed")
		f.Want(renewed.Expires().Equal(f.now.AddDate(10, 0, 0)), "the new one ends %s", renewed.Expires())
		f.Same(f.stored().ID, before.ID+1)
		f.Same(f.keys(), "2")
		f.Raw("DELETE FROM seal_keys WHERE id = 2")
		f.Same(f.stored(), before)
	})
}

func TestKeyIsEncryptedInDatabase(t *testing.T) {
	onBoth(t, func(f *fixture) {
		f.open()
		stored := f.stored()
		der, err := f.box.Open(sealing.KeyPurpose, stored.PrivateKey)
		f.OK(err)
		private, err := x509.ParsePKCS8PrivateKey([]byte(der))
		f.OK(err)
		number, err := private.(*ecdsa.PrivateKey).Bytes()
		f.OK(err)
		f.Want(!bytes.Contains(stored.PrivateKey, []byte(der)) && !bytes.Contains(stored.PrivateKey, number),
			"the column holds the key as it is")
		_, err = x509.ParsePKCS8PrivateKey(stored.PrivateKey)
		f.Refused(err, "the column as PKCS #8")

		f.box = boxOf(f.T, 2)
		_, err = sealing.Open(f.Context(), f.config())
		f.Refused(err, "another key of the service")
		f.Want(strings.Contains(err.Error(), "PORTAL_SECRET_KEY"), "it does not say what to do: %v", err)
		f.Same(f.keys(), "1")
	})
}

func TestConfiguredKeyIsUsedAndNoneIsCreated(t *testing.T) {
	onBoth(t, func(f *fixture) {
		c := f.config()
		c.Configured = f.configured(f.now.Add(day)) // near its end
		k, err := sealing.Open(f.Context(), c)
		f.OK(err)
		f.Want(!k.SelfMade() && k.Certificate().Equal(c.Configured.Certificate()), "another key is used")
		f.seals(k)
		f.Same(f.keys(), "0")
	})
}

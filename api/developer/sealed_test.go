package developer

import (
	"bytes"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"strings"
	"testing"

	"github.com/klauspost/compress/flate"
	"github.com/klauspost/compress/s2"

	"portal/api/secret"
)

func TestDeflatedExchangeIsStillReadable(t *testing.T) {
	t.Parallel()
	box, err := secret.NewBox(bytes.Repeat([]byte{7}, secret.KeySize))
	if err != nil {
		t.Fatal(err)
	}
	sent := Sent{Target: "/x", Request: SentMessage{Body: []byte(`{"city":"Town"}`), Size: 15}}
	want := sent.exchange()
	packed := bytes.NewBuffer([]byte{exchangeDeflated})
	if err := flate.StatelessDeflate(packed, want.encode(nil), true, []byte(exchangeWords)); err != nil {
		t.Fatal(err)
	}
	got, err := openExchange(box, box.Seal(ExchangePurpose, packed.String()))
	if err != nil || got.Target != want.Target || got.Request.Body != want.Request.Body {
		t.Errorf("%+v, %v", got, err)
	}
}

// wordsBehind are the words without the names of fields, of which more may come.
func wordsBehind() []byte {
	all := exchangeDict().Bytes()
	_, n := binary.Uvarint(all)
	return all[n+len(exchangeFields):]
}

func TestExchangeDictionaryIsFrozen(t *testing.T) {
	t.Parallel()
	const want = "9392f0bece1973279f0bdd73a6775c19e54152768c1112cdb9f06109f5724ac8"
	sum := sha256.Sum256(append([]byte{0}, wordsBehind()...))
	if hex.EncodeToString(sum[:]) != want {
		t.Errorf("what was sealed cannot be read any more: the words are %x", sum)
	}
}

func TestExchangeSealedBeforeNewFieldIsStillReadable(t *testing.T) {
	t.Parallel()
	lines := strings.SplitAfter(exchangeFields, "\n")
	for _, later := range []int{0, 1, len(lines) / 2, len(lines) - 1} {
		before := strings.Join(lines[later:], "")
		words := append([]byte(before), wordsBehind()...)
		// The first begins where the words do, which takes the least.
		for _, plain := range []string{exchangeWords[:200], exchangeFields,
			`{"object":"lease","account":null,"city":"Town"}`} {
			packed := s2.MakeDictManual(words, uint16(len(before))).Encode(nil, []byte(plain))
			got, err := unpackExchange(string(append([]byte{exchangeS2}, packed...)))
			if err != nil || string(got) != plain {
				t.Fatalf("with %d fields less: %q, %v", later, got, err)
			}
		}
	}
}

func TestCorruptExchangeIsError(t *testing.T) {
	t.Parallel()
	for _, packed := range []string{
		"", "\x00", "\x03abc", string([]byte{exchangeS2}), string([]byte{exchangeS2}) + "\xff\xff\xff\xff\x0f",
		string([]byte{exchangeS2}) + strings.Repeat("\x05", 9),
	} {
		if plain, err := unpackExchange(packed); err == nil {
			t.Errorf("%q is read as %q", packed, plain)
		}
	}
}

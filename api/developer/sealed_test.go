package developer

import (
	"bytes"
	"strings"
	"testing"

	"github.com/klauspost/compress/flate"

	"portal/api/secret"
)

func TestAnExchangeThatWasDeflatedIsStillRead(t *testing.T) {
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

func TestADamagedExchangeIsAnError(t *testing.T) {
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

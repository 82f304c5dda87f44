package pdf

import (
	"bytes"
	"testing"
	"time"

	"portal/api/agreement/document"
	"portal/api/agreement/document/documenttest"
)

func TestRenderingDoesNotModifyFonts(t *testing.T) {
	t.Parallel()
	if _, err := Render(document.Compose(documenttest.Terms("TX")), time.Unix(0, 0)); err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(regular(), mustRead("NotoSans-Regular.ttf")) ||
		!bytes.Equal(bold(), mustRead("NotoSans-Bold.ttf")) {
		t.Error("the next document is made of fonts that this one has changed")
	}
}

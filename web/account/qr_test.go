package account_test

import (
	"fmt"
	"image"
	"image/color"
	"image/draw"
	"strings"
	"testing"

	goqr "github.com/piglig/go-qr"
	"golang.org/x/net/html"

	"portal/web/pagetest"
)

// pixels are how many a module of a code has on a side.
const pixels = 4

func TestAuthenticatorQRCodeMatchesLink(t *testing.T) {
	t.Parallel()
	n := pagetest.NewAccountPages(t)
	// The longer the address, the more modules the code has.
	for _, name := range []string{"a", "dana.o'hara+portal", strings.Repeat("long", 16)} {
		r := n.SignUp(name + "@example.com")
		page := pagetest.Parse(t, r.Get("/settings/security/app").Body.String())
		var link string
		for _, to := range pagetest.Hrefs(page) {
			if strings.HasPrefix(to, "otpauth://totp/") {
				link = to
			}
		}
		if link == "" {
			t.Fatalf("%s: the page links to no app", name)
		}
		if read, err := goqr.Decode(picture(t, find(t, page, "svg", "qr"))); err != nil || read != link {
			t.Errorf("%s: the code reads as %q (%v), the link is %q", name, read, err, link)
		}
	}
}

// picture draws the runs of a code as a browser does.
func picture(t *testing.T, svg *html.Node) image.Image {
	t.Helper()
	var size int
	if _, err := fmt.Sscanf(pagetest.Attr(svg, "viewBox")+pagetest.Attr(svg, "viewbox"), "0 0 %d", &size); err != nil {
		t.Fatal(err)
	}
	var path string
	for n := range svg.Descendants() {
		path += pagetest.Attr(n, "d")
	}
	img := image.NewGray(image.Rect(0, 0, size*pixels, size*pixels))
	draw.Draw(img, img.Bounds(), image.White, image.Point{}, draw.Src)
	for run := range strings.SplitSeq(strings.TrimSuffix(path, "z"), "z") {
		var x, y, width, back int
		if _, err := fmt.Sscanf(run, "M%d %dh%dv1h-%d", &x, &y, &width, &back); err != nil || back != width {
			t.Fatalf("a run is %q: %v", run, err)
		}
		draw.Draw(
			img,
			image.Rect(x*pixels, y*pixels, (x+width)*pixels, (y+1)*pixels),
			image.NewUniform(color.Black),
			image.Point{},
			draw.Src,
		)
	}
	return img
}

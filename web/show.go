package web

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"net/http"
	"time"

	"github.com/a-h/templ"
	"github.com/labstack/echo/v4"

	"portal/static"
	"portal/views"
)

const kindHTML = "text/html; charset=utf-8"

// frame is what surrounds the page at a path.
func frame(path, title, about string) views.Frame {
	return views.Frame{
		Title: title,
		About: about,
		Style: static.URL("style.css"),
		Icon:  static.URL("icon.svg"),
		Here:  path,
	}
}

// show answers with a page, drawn whole before its first byte leaves.
func show(c echo.Context, status int, page templ.Component) error {
	var b bytes.Buffer
	if err := page.Render(context.WithoutCancel(c.Request().Context()), &b); err != nil {
		return err
	}
	if status != http.StatusOK {
		c.Response().Header().Set("Cache-Control", "no-store")
		return c.Blob(status, kindHTML, b.Bytes())
	}
	return send(c, kindHTML, b.Bytes())
}

// send answers with a public document that a browser may keep but asks for anew
// each time, since it names the style sheet of this build.
func send(c echo.Context, kind string, body []byte) error {
	sum := sha256.Sum256(body)
	h := c.Response().Header()
	h.Set("Cache-Control", "no-cache")
	h.Set("ETag", `"`+hex.EncodeToString(sum[:8])+`"`)
	return serve(c, kind, body)
}

func serve(c echo.Context, kind string, body []byte) error {
	c.Response().Header().Set("Content-Type", kind)
	http.ServeContent(c.Response(), c.Request(), "", time.Time{}, bytes.NewReader(body))
	return nil
}

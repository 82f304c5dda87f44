package web

import (
	"github.com/labstack/echo/v4"

	"portal/static"
)

// file answers with an embedded file. Its address holds a hash of what is in it,
// so a browser may keep it for ever.
func (p Pages) file(c echo.Context) error {
	f, ok := static.Named(c.Param("*"))
	if !ok {
		return p.NotFound(c)
	}
	c.Response().Header().Set("Cache-Control", "public, max-age=31536000, immutable")
	return serve(c, f.Type, f.Body)
}

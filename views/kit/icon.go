package kit

import (
	"sync"

	"portal/static"
)

var allIcons = sync.OnceValue(func() string { return static.URL("icons.svg") + "#" })

// sprite is the address of an icon within the file of all icons (Lucide's names).
func sprite(name string) string { return allIcons() + name }

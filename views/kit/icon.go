package kit

import "portal/static"

// sprite is the address of an icon within the file of all icons (Lucide's names).
func sprite(name string) string { return static.URL("icons.svg") + "#" + name }

package kit

import "portal/static"

var allIcons = static.URL("icons.svg") + "#"

// sprite is the address of an icon within the file of all icons (Lucide's names).
func sprite(name string) string { return allIcons + name }

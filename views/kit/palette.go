package kit

// PaletteGroup is what the palette offers of a kind.
type PaletteGroup struct {
	Title string
	Items []PaletteItem
}

// PaletteItem is a place that the palette leads to.
type PaletteItem struct {
	Icon string
	Name string
	Note string // what it is, "" where the name says it
	Path string
}

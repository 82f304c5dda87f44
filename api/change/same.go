package change

// Same reports whether two optional values are equal, be it that both are absent.
func Same[T comparable](a, b *T) bool {
	return a == b || a != nil && b != nil && *a == *b
}

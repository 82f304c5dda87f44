package list

// Sort is an order of a list that people read. The zero value is that of Query.
type Sort string

// Sorts are orders as a form names them.
func Sorts(all ...Sort) []string {
	names := make([]string, len(all))
	for i, s := range all {
		names[i] = string(s)
	}
	return names
}

package list

import (
	"strconv"

	"portal/api/texts"
)

// Most is how many records a count counts at most.
const Most = 1000

// Count is how many records there are, as far as they were counted.
type Count struct {
	N    int
	More bool // there are more than N
}

// CountOf is a count of rows that were read with one row more than Most.
func CountOf(rows int) Count {
	if rows > Most {
		return Count{N: Most, More: true}
	}
	return Count{N: rows}
}

// Words are the count as people read it: "97", "1,000+".
func (c Count) Words() string {
	if c.More {
		return texts.Grouped(strconv.Itoa(c.N)) + "+"
	}
	return texts.Grouped(strconv.Itoa(c.N))
}

// Counts are how many records of each status there are.
type Counts[S ~string] map[S]Count

// Of is how many records have one of the statuses, or any status where none is given.
func (c Counts[S]) Of(statuses ...S) (sum Count) {
	if len(statuses) == 0 {
		for _, n := range c {
			sum = sum.plus(n)
		}
	}
	for _, s := range statuses {
		sum = sum.plus(c[s])
	}
	return sum
}

func (c Count) plus(d Count) Count {
	n, more := c.N+d.N, c.More || d.More
	return Count{N: min(n, Most), More: more || n > Most}
}

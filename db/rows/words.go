package rows

import (
	"cmp"
	"context"
	"slices"
	"strconv"
	"strings"

	"portal/api/access"
	"portal/api/searchtext"
	"portal/db"
)

// A search is for words that each begin a word of a record. The words of a record stand in
// its column search_text, and in a table of their own, which triggers keep (migration
// search_words). Where one of the words that are asked for is rare, the records that have it
// are looked up in that table and then judged; where all of them are common, the records
// are read in the order of the list until a page is full.

// fewWords is how many words of a portfolio may begin with a term for their records to be
// looked up. To sort so many ids takes some milliseconds; where there are more, a page is
// usually full after a thousand of 100,000 records.
const fewWords = 2000

// countedTerms is how many of the terms of a search are counted, the longest first.
const countedTerms = 3

// candidates is how many records are judged by one query at most, by a statement that stays
// prepared. The first query judges no more than fill a page, for which PostgreSQL looks up
// their ids even where it has no statistics yet.
var candidates = []int{10, 30, 100}

// Vocabulary is the table of the words of a kind of records.
type Vocabulary struct {
	Table, Record, Records string
	Few                    int64 // instead of fewWords, 0 for that
}

// query is that of the records that have a word.
func (v Vocabulary) query() string {
	return "SELECT " + v.Record + " FROM " + v.Table + " WHERE portfolio_id = $1"
}

// hasTerm reports whether a word of a record begins with a term; the argument is a space and the term.
// PostgreSQL assumes hasTerm matches most rows and keeps list order; with LIKE it would sort the portfolio.
const hasTerm = "replace(search_text, ?, '') <> search_text"

// narrowing is how lists of a database are narrowed down.
type narrowing struct{ inOrder bool } // whether all of them are read in their order

// ReadInOrder has all lists of a database read in their order, however rare a word is and however few rows
// pass, so that both ways can be compared.
func ReadInOrder(d *db.DB) { db.Beside[narrowing](d).inOrder = true }

// rare is how many words are looked up by a search at most.
func rare(d *db.DB, v Vocabulary) int64 {
	if db.Beside[narrowing](d).inOrder {
		return -1
	}
	return cmp.Or(v.Few, fewWords)
}

// Found reads a list narrowed by a search, with one row more than its limit.
func Found[T any](
	ctx context.Context,
	d *db.DB,
	in access.Portfolio,
	v Vocabulary,
	search string,
	l *Listing,
	read func(db.Scan, *T) error,
) ([]T, error) {
	if search == "" {
		return Rows(ctx, d, l, read)
	}
	terms := searchtext.Terms(search)
	if len(terms) == 0 {
		return []T{}, nil
	}
	for _, term := range terms {
		l.Filter(hasTerm, " "+term)
	}
	rarest, err := Rarest(ctx, d, in, terms, v)
	switch {
	case err != nil:
		return nil, err
	case rarest[0].None:
		return []T{}, nil
	case rarest[0].Rare:
		return among(ctx, d, in, v, rarest[0].Word, l, read)
	}
	return Rows(ctx, d, l, read)
}

// Searched narrows filters by a search. The records of a rare word are looked up; those of common ones
// pass too often to be counted before they are read.
func Searched(
	ctx context.Context, d *db.DB, in access.Portfolio, v Vocabulary, search string,
) (func(Filter) Filter, error) {
	terms := searchtext.Terms(search)
	switch {
	case search == "":
		return func(f Filter) Filter { return f }, nil
	case len(terms) == 0:
		return func(Filter) Filter { return Filter{None: true} }, nil
	}
	rarest, err := Rarest(ctx, d, in, terms, v)
	switch {
	case err != nil:
		return nil, err
	case rarest[0].None:
		return func(Filter) Filter { return Filter{None: true} }, nil
	}
	term, is := rarest[0].Word, rarest[0].Rare
	return func(f Filter) Filter {
		narrow := f.Narrow
		if f.All, f.Walks = !is, !is; is {
			f.Lookup, f.Facets = "", false
		}
		f.Narrow = func(l *Listing) {
			if is {
				l.FoundIn("id", v.query(), "word", term, term+last)
			}
			narrow(l)
			for _, t := range terms {
				l.Where(hasTerm, " "+t)
			}
		}
		return f
	}, nil
}

// WithTerms are the ids of the newest records of each vocabulary that have all terms.
func WithTerms(
	ctx context.Context, d *db.DB, in access.Portfolio, terms []string, most int, vocabularies ...Vocabulary,
) ([][]string, error) {
	ids := make([][]string, len(vocabularies))
	rarest, err := Rarest(ctx, d, in, terms, vocabularies...)
	for i := 0; i < len(vocabularies) && err == nil; i++ {
		ids[i], err = withTerms(ctx, d, in, vocabularies[i], terms, rarest[i], most)
	}
	return ids, err
}

func withTerms(
	ctx context.Context, d *db.DB, in access.Portfolio, v Vocabulary, terms []string, rarest Term, most int,
) ([]string, error) {
	switch {
	case rarest.None:
		return nil, nil
	case rarest.Rare && len(terms) == 1:
		return having(ctx, d, in, v, rarest.Word, "~", most, true)
	}
	if !rarest.Rare {
		leave, err := enterWalk(ctx, d, in.ID)
		if err != nil {
			return nil, err
		}
		defer leave()
	}
	l := NewListing(d, most, in.ID)
	l.SQL.WriteString("SELECT id FROM " + v.Records + " WHERE portfolio_id = $1")
	if rarest.Rare {
		l.FoundIn("id", v.query(), "word", rarest.Word, rarest.Word+last)
	}
	for _, t := range terms {
		l.Where(hasTerm, " "+t)
	}
	return IDs(ctx, d, l)
}

// Term is the one of some terms that the fewest words of a portfolio begin with.
type Term struct {
	Word string
	Rare bool // they are few enough to be looked up
	None bool // there are none
}

// Rarest are the rarest terms, one of each vocabulary.
func Rarest(
	ctx context.Context, d *db.DB, in access.Portfolio, terms []string, vocabularies ...Vocabulary,
) ([]Term, error) {
	longest := slices.SortedStableFunc(slices.Values(terms), func(a, b string) int { return len(b) - len(a) })
	longest = longest[:min(len(longest), countedTerms)]
	args, numbers := []any{in.ID}, make([]int64, len(longest)*len(vocabularies))
	counts, into := make([]string, 0, len(numbers)), make([]any, 0, len(numbers))
	for _, t := range longest {
		args = append(args, t, t+last)
	}
	for _, v := range vocabularies {
		for i := range longest {
			counts = append(counts, "(SELECT count(*) FROM (SELECT 1 FROM "+v.Table+
				" WHERE portfolio_id = $1 AND word >= $"+strconv.Itoa(2*i+2)+" AND word < $"+strconv.Itoa(2*i+3)+
				" LIMIT "+strconv.FormatInt(rare(d, v)+1, 10)+") AS w)")
			into = append(into, &numbers[len(into)])
		}
	}
	if _, err := d.One(ctx, "SELECT "+strings.Join(counts, ", "), args, into...); err != nil {
		return nil, err
	}
	rarest := make([]Term, len(vocabularies))
	for i, v := range vocabularies {
		of := numbers[i*len(longest):][:len(longest)]
		fewest := slices.Min(of)
		few := fewest <= rare(d, v)
		rarest[i] = Term{Word: longest[slices.Index(of, fewest)], Rare: few, None: few && fewest == 0}
	}
	return rarest, nil
}

// last is above all that can follow a term in a word.
const last = "\U0010FFFF"

// among reads a list of the records that have a word which begins with a term.
func among[T any](
	ctx context.Context,
	d *db.DB,
	in access.Portfolio,
	v Vocabulary,
	term string,
	l *Listing,
	read func(db.Scan, *T) error,
) ([]T, error) {
	all, position, most := []T{}, l.Args[1].(string), roomFor(l.Limit+1)
	for {
		ids, err := having(ctx, d, in, v, term, position, most, l.Newest)
		if err != nil || len(ids) == 0 {
			return all, err
		}
		position = ids[len(ids)-1]
		more, err := chosen(ctx, d, l, ids, read)
		all = append(all, more...)
		if err != nil || len(all) > l.Limit || len(ids) < most {
			return all[:min(len(all), l.Limit+1)], err
		}
		most = slices.Max(candidates)
	}
}

// roomFor is the least number of candidates that has room for n, or the largest.
func roomFor(n int) int {
	for _, room := range candidates {
		if n <= room {
			return room
		}
	}
	return slices.Max(candidates)
}

// chosen reads the given records that pass the list's filters, in the order of ids. The query has
// no ORDER BY and no LIMIT: with them PostgreSQL would read the whole list in its order and skip the
// other records.
func chosen[T any](ctx context.Context, d *db.DB, l *Listing, ids []string, read func(db.Scan, *T) error) ([]T, error) {
	query, args := those(l, ids)
	have := make(map[string]*T, len(ids))
	err := d.Each(ctx, query, args, func(scan db.Scan) error {
		row, id := new(T), ""
		err := read(func(into ...any) error {
			err := scan(into...)
			id = *into[0].(*string) // as in all lists
			return err
		}, row)
		have[id] = row
		return err
	})
	var rows []T
	for _, id := range ids {
		if row, is := have[id]; is {
			rows = append(rows, *row)
		}
	}
	return rows, err
}

// having are the ids behind a position of the records that have a word which begins with a
// term, at most so many.
func having(
	ctx context.Context, d *db.DB, in access.Portfolio, v Vocabulary, term, position string, most int, newest bool,
) (ids []string, err error) {
	behind, order := ">", ""
	if newest {
		behind, order = "<", " DESC"
	}
	query := "SELECT DISTINCT " + v.Record + `
		FROM ` + v.Table + `
		WHERE portfolio_id = $1 AND word >= $2 AND word < $3 AND ` + v.Record + " " + behind + ` $4
		ORDER BY ` + v.Record + order + `
		LIMIT ` + strconv.Itoa(most)
	err = d.EachPlanned(ctx, query, []any{in.ID, term, term + last, position}, func(scan db.Scan) error {
		ids = append(ids, "")
		return scan(&ids[len(ids)-1])
	})
	return ids, err
}

// those is the query for those of some records that the list has.
func those(l *Listing, ids []string) (query string, args []any) {
	room := roomFor(len(ids))
	args = slices.Clone(l.Args)
	for i := range room {
		args = append(args, ids[min(i, len(ids)-1)])
	}
	return l.SQL.String() + " AND id IN (" + db.Placeholders(len(l.Args), room) + ")", args
}

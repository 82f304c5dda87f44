package db

import (
	"database/sql"
	"fmt"
	"reflect"

	"zombiezen.com/go/sqlite"

	"portal/api/clock"
	"portal/api/money"
)

// scan copies the columns of the present row. The types that records are full of
// are met without reflection.
func (s *statement) scan(dest ...any) error {
	for i, d := range dest {
		switch d := d.(type) {
		case *string:
			*d = s.ColumnText(i)
		case **string:
			*d = optional(s, i, s.ColumnText)
		case *int:
			*d = int(s.ColumnInt64(i))
		case **int:
			*d = optional(s, i, s.ColumnInt)
		case *int64:
			*d = s.ColumnInt64(i)
		case *bool:
			*d = s.ColumnInt64(i) != 0
		case *clock.Time:
			*d = clock.Time(s.ColumnInt64(i))
		case **clock.Time:
			*d = optional(s, i, func(i int) clock.Time { return clock.Time(s.ColumnInt64(i)) })
		case *clock.Date:
			*d = clock.Date(s.ColumnInt64(i))
		case **clock.Date:
			*d = optional(s, i, func(i int) clock.Date { return clock.Date(s.ColumnInt64(i)) })
		case *money.Cents:
			*d = money.Cents(s.ColumnInt64(i))
		case **money.Cents:
			*d = optional(s, i, func(i int) money.Cents { return money.Cents(s.ColumnInt64(i)) })
		default:
			if err := s.scanOther(i, d); err != nil {
				return fmt.Errorf("column %d: %w", i+1, err)
			}
		}
	}
	return nil
}

func optional[T any](s *statement, i int, read func(int) T) *T {
	if s.ColumnIsNull(i) {
		return nil
	}
	v := read(i)
	return &v
}

func (s *statement) scanOther(i int, dest any) error {
	if d, ok := dest.(*[]byte); ok {
		*d = s.bytes(i)
		return nil
	}
	if d, ok := dest.(sql.Scanner); ok {
		return d.Scan(s.value(i))
	}
	v := reflect.ValueOf(dest).Elem()
	if v.Kind() == reflect.Pointer {
		if s.ColumnIsNull(i) {
			v.SetZero()
			return nil
		}
		v.Set(reflect.New(v.Type().Elem()))
		v = v.Elem()
	}
	switch v.Kind() {
	case reflect.String:
		v.SetString(s.ColumnText(i))
	case reflect.Int, reflect.Int32, reflect.Int64:
		v.SetInt(s.ColumnInt64(i))
	default:
		return fmt.Errorf("cannot scan into %T", dest)
	}
	return nil
}

func (s *statement) value(i int) any {
	switch s.ColumnType(i) {
	case sqlite.TypeText:
		return s.ColumnText(i)
	case sqlite.TypeInteger:
		return s.ColumnInt64(i)
	case sqlite.TypeBlob:
		return s.bytes(i)
	default:
		return nil
	}
}

func (s *statement) bytes(i int) []byte {
	if s.ColumnIsNull(i) {
		return nil
	}
	b := make([]byte, s.ColumnLen(i))
	s.ColumnBytes(i, b)
	return b
}

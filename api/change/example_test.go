package change_test

import (
	"context"
	"errors"
	"fmt"

	"portal/api/change"
)

// lineStore is a store of lines. A transaction that fails leaves them as they were.
type lineStore struct{ lines []string }

func (n *lineStore) Atomically(ctx context.Context, do func(context.Context) error) error {
	before := n.lines
	err := do(ctx)
	if err != nil {
		n.lines = before
	}
	return err
}

// A preview runs the write itself, in a transaction that is rolled back. What cannot be
// rolled back, such as an email, is left out.
func ExampleDryRun() {
	n := &lineStore{}
	add := func(ctx context.Context, line string) error {
		if line == "" {
			return errors.New("a line is empty")
		}
		n.lines = append(n.lines, line)
		if !change.IsDryRun(ctx) {
			fmt.Println("mailed:", line)
		}
		return nil
	}
	err := change.DryRun(context.Background(), n, func(ctx context.Context) error { return add(ctx, "rent due") })
	fmt.Println(len(n.lines), err)
	err = change.DryRun(context.Background(), n, func(ctx context.Context) error { return add(ctx, "") })
	fmt.Println(len(n.lines), err)
	err = n.Atomically(context.Background(), func(ctx context.Context) error { return add(ctx, "rent due") })
	fmt.Println(len(n.lines), err)
	// Output:
	// 0 <nil>
	// 0 a line is empty
	// mailed: rent due
	// 1 <nil>
}

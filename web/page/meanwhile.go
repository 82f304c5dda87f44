package page

// Meanwhile begins something, and is what waits for it. A panic of it is one of the wait.
func Meanwhile[T any](do func() (T, error)) (wait func() (T, error)) {
	type outcome struct {
		value    T
		err      error
		panicked any
	}
	done := make(chan outcome, 1)
	go func() {
		var o outcome
		defer func() {
			o.panicked = recover()
			done <- o
		}()
		o.value, o.err = do()
	}()
	return func() (T, error) {
		o := <-done
		if o.panicked != nil {
			panic(o.panicked)
		}
		return o.value, o.err
	}
}

// Both does two things beside each other. The error is that of the first, where it has one.
func Both[A, B any](first func() (A, error), second func() (B, error)) (a A, b B, err error) {
	wait := Meanwhile(second)
	if a, err = first(); err == nil {
		b, err = wait()
	}
	return a, b, err
}

package developer

import (
	"strconv"
	"strings"

	"portal/api/webhook"
	"portal/web/page"
)

// retryingWords says how many deliveries are retried, "" for none.
func retryingWords(n int) string {
	switch {
	case n == 0:
		return ""
	case n == 1:
		return "1 delivery"
	case n >= webhook.MostRetrying:
		return strconv.Itoa(webhook.MostRetrying) + " deliveries or more"
	}
	return strconv.Itoa(n) + " deliveries"
}

// response is what came of the last attempt that ended: zero where none has.
type response struct {
	code    int    // status, 0 where no answer came
	problem string // what went wrong, "" where it was acknowledged
}

// responseView is what the last attempt was answered, or why it was not: a problem is a
// code, a colon and a sentence, of which people read the sentence.
func responseView(code *int, problem *string) response {
	view := response{}
	if code != nil {
		view.code = *code
	}
	if problem != nil {
		_, sentence, coded := strings.Cut(*problem, ": ")
		if !coded {
			sentence = *problem
		}
		view.problem, _ = page.Readable(sentence)
	}
	return view
}

package developer

import (
	"strconv"
	"strings"

	"portal/api/webhook"
	views "portal/views/developer"
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

// responseView is what the last attempt was answered, or why it was not: a problem is a
// code, a colon and a sentence, of which people read the sentence.
func responseView(code *int, problem *string) views.Response {
	view := views.Response{}
	if code != nil {
		view.Code = *code
	}
	if problem != nil {
		_, sentence, coded := strings.Cut(*problem, ": ")
		if !coded {
			sentence = *problem
		}
		view.Error, _ = page.Readable(sentence)
	}
	return view
}

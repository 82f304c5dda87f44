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

// responseWords are what the latest attempt was answered, or why it was not, "" where there was none: a problem
// is a code, a colon and a sentence, of which people read the sentence.
func responseWords(code *int, problem *string) (words string) {
	if problem != nil {
		_, sentence, coded := strings.Cut(*problem, ": ")
		if !coded {
			sentence = *problem
		}
		words, _ = page.Readable(sentence)
	}
	if code != nil && *code != 0 {
		words = strings.TrimSpace(strconv.Itoa(*code) + " " + words)
	}
	return words
}

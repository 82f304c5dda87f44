package triage

import (
	"bytes"
	"context"
	_ "embed"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"slices"
	"time"
)

// LLM asks a language model behind an OpenAI-compatible endpoint for a second opinion.
type LLM struct {
	URL   string // up to /chat/completions
	Model string
	Key   string // "" where the endpoint wants none
}

// An answer takes at most llmTime; of it at most llmBytes are read.
const (
	llmTime  = 3 * time.Second
	llmBytes = 64 << 10
)

// Opinion is what a language model makes of a text.
type Opinion struct {
	Category string `json:"category"`
	Priority string `json:"priority"`
}

// llmClient follows no redirect and no proxy of the environment: the text of a tenant
// goes to the configured address and nowhere else.
var llmClient = &http.Client{
	Timeout:       llmTime,
	Transport:     &http.Transport{ForceAttemptHTTP2: true, IdleConnTimeout: time.Minute},
	CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
}

// Ask asks for an opinion on a text. Whatever is not one category and one priority of
// ours is an error, and so is an answer that does not come within three seconds. No
// error holds the key.
func (l *LLM) Ask(ctx context.Context, text string) (Opinion, error) {
	ctx, cancel := context.WithTimeout(ctx, llmTime)
	defer cancel()
	request, err := l.request(ctx, text)
	if err != nil {
		return Opinion{}, err
	}
	response, err := llmClient.Do(request)
	if err != nil {
		return Opinion{}, fmt.Errorf("ask the language model: %w", err)
	}
	defer response.Body.Close() //nolint:errcheck // read to its end or not wanted
	if response.StatusCode != http.StatusOK {
		return Opinion{}, fmt.Errorf("the language model answered %s", response.Status)
	}
	body, err := io.ReadAll(io.LimitReader(response.Body, llmBytes))
	if err != nil {
		return Opinion{}, fmt.Errorf("read the language model's answer: %w", err)
	}
	return opinionOf(body)
}

type message struct {
	Role    string `json:"role"`
	Content string `json:"content"`
}

func (l *LLM) request(ctx context.Context, text string) (*http.Request, error) {
	body, err := json.Marshal(map[string]any{
		"model": l.Model, "temperature": 0, "max_tokens": 100,
		"response_format": map[string]string{"type": "json_object"},
		"messages":        []message{{"system", briefing}, {"user", text}},
	})
	if err != nil {
		return nil, err
	}
	r, err := http.NewRequestWithContext(ctx, http.MethodPost, l.URL+"/chat/completions", bytes.NewReader(body))
	if err != nil {
		return nil, err
	}
	r.Header.Set("Content-Type", "application/json")
	if l.Key != "" {
		r.Header.Set("Authorization", "Bearer "+l.Key)
	}
	return r, nil
}

// briefing is RUBRIC in short.
//
//go:embed briefing.txt
var briefing string

var errNoOpinion = errors.New("the language model's answer is not a category and a priority")

// opinionOf reads an answer and holds it to our labels.
func opinionOf(body []byte) (o Opinion, err error) {
	var answer struct {
		Choices []struct {
			Message message `json:"message"`
		} `json:"choices"`
	}
	if err := json.Unmarshal(body, &answer); err != nil || len(answer.Choices) == 0 {
		return o, errNoOpinion
	}
	if err := json.Unmarshal([]byte(answer.Choices[0].Message.Content), &o); err != nil {
		return Opinion{}, errNoOpinion
	}
	if !slices.Contains(Categories, o.Category) || !slices.Contains(Priorities, o.Priority) {
		return Opinion{}, errNoOpinion
	}
	return o, nil
}

package main

import (
	"bytes"
	"crypto/rand"
	"fmt"
	"io"
	"mime/multipart"
	"net/http"
	"net/http/cookiejar"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"portal/api/portfolio/upload"
)

// mostGrowth is how much more memory many uploads at once may take than none, in bytes.
const mostGrowth = 150 << 20

func TestConcurrentUploadsUseLittleMemory(t *testing.T) {
	t.Parallel()
	rolls := map[string][]byte{"with the most units": denseRoll()}
	if proving {
		rolls["usual"] = usualRoll()
	}
	for name, roll := range rolls {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := newHome(t).serve(t)
			u := newUploader(t, s)
			if status := u.send(roll[:64<<10]); status != http.StatusSeeOther { // fills what every request needs
				t.Fatalf("the first upload: %d", status)
			}
			before, grown, statuses := s.grows(t, 24, func() int { return u.send(roll) })
			t.Logf("%d MB before, %d MB more at most, answers %v", before>>20, grown>>20, statuses)
			if grown > mostGrowth {
				t.Errorf("%d MB more, want at most %d", grown>>20, mostGrowth>>20)
			}
			for _, status := range statuses {
				if !slices.Contains([]int{
					http.StatusSeeOther, http.StatusConflict, http.StatusServiceUnavailable,
				}, status) {
					t.Errorf("an upload was answered %d", status)
				}
			}
			if !slices.Contains(statuses, http.StatusSeeOther) {
				t.Error("no upload was taken")
			}
		})
	}
}

// grows is how much more memory the process takes at most, in bytes, while so many requests are sent at once, and
// how they are answered.
func (s *service) grows(t *testing.T, n int, send func() int) (before, grown int, statuses []int) {
	t.Helper()
	before = s.anonymous(t)
	stop, peak := make(chan struct{}), make(chan int)
	go s.watch(t, stop, peak)
	statuses = make([]int, n)
	var all sync.WaitGroup
	for i := range statuses {
		all.Go(func() { statuses[i] = send() })
	}
	all.Wait()
	close(stop)
	return before, <-peak - before, statuses
}

// TestConcurrentLargeBodiesUseLittleMemory sends messages of almost 1 MiB with one key.
func TestConcurrentLargeBodiesUseLittleMemory(t *testing.T) {
	t.Parallel()
	s := newHome(t).serve(t)
	body := `{"jsonrpc":"2.0","id":1,"method":"ping","params":{"text":"` + strings.Repeat("x", 1<<20-200) + `"}}`
	send := func() int {
		r, err := http.NewRequestWithContext(
			t.Context(),
			http.MethodPost,
			s.vars["PORTAL_URL"]+"/mcp",
			strings.NewReader(body),
		)
		if err != nil {
			t.Error(err)
			return 0
		}
		r.Header.Set("Authorization", "Bearer "+s.vars["PORTAL_TEST_KEY"])
		r.Header.Set("Content-Type", "application/json")
		answer, err := http.DefaultClient.Do(r)
		if err != nil {
			t.Error(err)
			return 0
		}
		defer answer.Body.Close()
		if retry := answer.Header.Get(
			"Retry-After",
		); (answer.StatusCode == http.StatusServiceUnavailable) != (retry != "") {
			t.Errorf("%s with Retry-After %q", answer.Status, retry)
		}
		return answer.StatusCode
	}
	if status := send(); status != http.StatusOK {
		t.Fatalf("the first message: %d", status)
	}
	before, grown, statuses := s.grows(t, 150, send)
	counts := map[int]int{}
	for _, status := range statuses {
		counts[status]++
	}
	t.Logf("%d MB before, %d MB more at most, answers %v", before>>20, grown>>20, counts)
	if grown > mostGrowth {
		t.Errorf("%d MB more, want at most %d", grown>>20, mostGrowth>>20)
	}
	if counts[http.StatusOK]+counts[http.StatusServiceUnavailable] != len(statuses) || counts[http.StatusOK] < 50 {
		t.Errorf("answers %v", counts)
	}
}

// usualRoll is a file of the largest size as a landlord has it.
func usualRoll() []byte {
	var b bytes.Buffer
	b.WriteString(
		"street_address,city,state,unit_number,tenant_first_name,tenant_last_name,tenant_email,lease_start,monthly_rent\n",
	)
	for i := 0; b.Len() < upload.MaxSize-200; i++ {
		fmt.Fprintf(&b,
			"%d Oak Street,Austin,TX,%d,Dana,Whitfield %d,dana.whitfield.%d@example.com,2026-01-01,1200\n",
			i/10+1, i%10+1, i, i)
	}
	return b.Bytes()
}

// denseRoll is a file of the largest size with as many units and texts as fit into it.
func denseRoll() []byte {
	var b bytes.Buffer
	b.WriteString("street_address,city,state,unit_number,tenant_first_name,tenant_last_name,lease_start,monthly_rent\n")
	for i := 0; b.Len() < upload.MaxSize-100; i++ {
		fmt.Fprintf(&b, "%x A,B,TX,%x,C%x,D%x,2026-01-01,1\n", i, i, i, i)
	}
	return b.Bytes()
}

// anonymous is the memory of the process and of its own that no file backs, in bytes.
func (p *process) anonymous(t *testing.T) int {
	t.Helper()
	all := anonymousOf(t, strconv.Itoa(p.Process.Pid))
	if all == 0 {
		t.Error("no RssAnon")
	}
	lists, _ := filepath.Glob(fmt.Sprintf("/proc/%d/task/*/children", p.Process.Pid))
	for _, list := range lists {
		text, _ := os.ReadFile(list)
		for pid := range strings.FieldsSeq(string(text)) {
			all += anonymousOf(t, pid)
		}
	}
	return all
}

// anonymousOf is that memory of one process, 0 where it has ended.
func anonymousOf(t *testing.T, pid string) int {
	t.Helper()
	text, err := os.ReadFile("/proc/" + pid + "/status")
	if err != nil {
		return 0
	}
	kilobytes := 0
	for line := range strings.Lines(string(text)) {
		if rest, is := strings.CutPrefix(line, "RssAnon:"); is {
			_, err = fmt.Sscan(rest, &kilobytes)
		}
	}
	if err != nil {
		t.Errorf("no RssAnon: %v", err)
	}
	return kilobytes << 10
}

// watch tells the most memory that the process had until the stop.
func (p *process) watch(t *testing.T, stop <-chan struct{}, peak chan<- int) {
	most := 0
	for tick := time.NewTicker(5 * time.Millisecond); ; {
		most = max(most, p.anonymous(t))
		select {
		case <-stop:
			tick.Stop()
			peak <- most
			return
		case <-tick.C:
		}
	}
}

// uploader is somebody who is signed in and uploads.
type uploader struct {
	*testing.T
	client *http.Client
	base   string
	token  string
}

func newUploader(t *testing.T, s *service) *uploader {
	t.Helper()
	jar, err := cookiejar.New(nil)
	orFail(t, err)
	u := &uploader{T: t, base: s.vars["PORTAL_URL"], client: &http.Client{
		Jar:           jar,
		Transport:     &http.Transport{},
		Timeout:       2 * time.Minute,
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	}}
	t.Cleanup(u.client.CloseIdleConnections)
	u.token = u.tokenOf("/sign-in")
	response, err := u.client.PostForm(u.base+"/sign-in", url.Values{
		"token": {u.token}, "email": {demoLandlord}, "password": {s.vars["PORTAL_DEMO_PASSWORD"]},
	})
	orFail(t, err)
	response.Body.Close()
	if response.StatusCode != http.StatusSeeOther {
		t.Fatalf("signing in: %d", response.StatusCode)
	}
	u.token = u.tokenOf("/test/import")
	return u
}

// tokenOf is the token of the forms of a page.
func (u *uploader) tokenOf(path string) string {
	u.Helper()
	response, err := u.client.Get(u.base + path)
	orFail(u.T, err)
	defer response.Body.Close()
	text, err := io.ReadAll(response.Body)
	orFail(u.T, err)
	found := formToken.FindSubmatch(text)
	if found == nil {
		u.Fatalf("%s has no form: %d", path, response.StatusCode)
	}
	return string(found[1])
}

// send uploads a file and tells the status; 0 where there was no answer.
func (u *uploader) send(roll []byte) int {
	var head, tail bytes.Buffer
	w := multipart.NewWriter(&head)
	_ = w.WriteField("token", u.token)
	_ = w.WriteField("once", rand.Text())
	_, _ = w.CreateFormFile("file", "roll.csv")
	fmt.Fprintf(&tail, "\r\n--%s--\r\n", w.Boundary())
	size := int64(head.Len() + len(roll) + tail.Len())
	body := io.MultiReader(&head, bytes.NewReader(roll), &tail)
	request, err := http.NewRequestWithContext(u.Context(), http.MethodPost, u.base+"/test/import", body)
	if err != nil {
		u.Error(err)
		return 0
	}
	request.ContentLength = size
	request.Header.Set("Content-Type", w.FormDataContentType())
	response, err := u.client.Do(request)
	if err != nil {
		u.Error(err)
		return 0
	}
	defer response.Body.Close()
	if _, err := io.Copy(io.Discard, response.Body); err != nil {
		u.Error(err)
	}
	if response.StatusCode == http.StatusServiceUnavailable && response.Header.Get("Retry-After") == "" {
		u.Error("503 without Retry-After")
	}
	return response.StatusCode
}

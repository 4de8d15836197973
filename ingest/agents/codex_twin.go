package agents

import (
	"crypto/sha256"
	"encoding/hex"
	"slices"
	"strings"
	"unicode"
)

// codexSource is one of the places where a rollout repeats the same words.
type codexSource uint8

const (
	fromEvent     codexSource = iota // event_msg
	fromItem                         // response_item
	fromCompleted                    // event_msg of kind item_completed
	fromTask                         // the last words that task_complete repeats
	codexSources
)

// codexTwin counts how often each place has said a text in the present turn,
// and how often it was taken. A text is new when one place has said it more
// often than it was taken, whichever place comes first.
type codexTwin struct {
	Key   string            `json:"k"`
	Taken int               `json:"n"`
	Said  [codexSources]int `json:"c"`
}

// twin counts one mention of key. It returns the number among equals in the
// turn and whether this mention is the first of its twins.
func (d *codexDecoder) twin(key string, from codexSource) (n int, first bool) {
	t := d.s.twin(key)
	t.Said[from]++
	if from == fromTask {
		first = t.Taken == 0
	} else {
		first = t.Said[from] > t.Taken
	}
	if first {
		t.Taken++
	}
	return t.Taken, first
}

// fresh reports whether one more mention would be the first of its twins.
func (d *codexDecoder) fresh(key string, from codexSource) bool {
	t := d.s.twin(key)
	return t.Said[from]+1 > t.Taken
}

func (s *codexState) twin(key string) *codexTwin {
	for i := len(s.Twins) - 1; i >= 0; i-- {
		if s.Twins[i].Key == key {
			return &s.Twins[i]
		}
	}
	if len(s.Twins) >= codexTwinsMax {
		s.Twins = slices.Delete(s.Twins, 0, 1)
	}
	s.Twins = append(s.Twins, codexTwin{Key: key})
	return &s.Twins[len(s.Twins)-1]
}

// codexHash is equal for texts that differ in white space only: twins are
// joined from their parts in different ways.
func codexHash(text string) string {
	h := sha256.New()
	var buf [512]byte
	n := 0
	for i := 0; i < len(text); i++ {
		c := text[i]
		if c <= ' ' {
			continue
		}
		if n == len(buf) {
			h.Write(buf[:])
			n = 0
		}
		buf[n] = c
		n++
	}
	h.Write(buf[:n])
	sum := h.Sum(buf[:0])
	return hex.EncodeToString(sum[:8])
}

// codexBlank reports whether a text holds nothing to see.
func codexBlank(text string) bool {
	return strings.IndexFunc(text, func(r rune) bool { return !unicode.IsSpace(r) }) < 0
}

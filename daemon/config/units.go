package config

import (
	"fmt"
	"math"
	"strconv"
	"strings"
	"time"
)

// Duration is a time span written as "365d", "12h", "90m" or "1y"; "0" is
// none.
type Duration struct {
	time.Duration
	text *string // as it stands in the file, until it is checked
}

// UnmarshalText notes the text. It is read later, where the line is known.
func (d *Duration) UnmarshalText(text []byte) error {
	d.text = new(string(text))
	return nil
}

func (d *Duration) settle() (err error) {
	if d.text != nil {
		d.Duration, err = ParseDuration(*d.text)
		d.text = nil
	}
	return err
}

// ParseDuration reads "365d", "2w", "1y" (365 days) and what
// [time.ParseDuration] reads; not negative ones.
func ParseDuration(s string) (time.Duration, error) {
	bad := fmt.Errorf(`%q is no time span; write one like "365d", "12h" or "0"`, s)
	units := map[byte]time.Duration{'d': 24 * time.Hour, 'w': 7 * 24 * time.Hour, 'y': 365 * 24 * time.Hour}
	if s == "" {
		return 0, bad
	}
	if unit, ok := units[s[len(s)-1]]; ok {
		n, err := strconv.ParseFloat(s[:len(s)-1], 64)
		if err != nil || n < 0 || n*float64(unit) >= math.MaxInt64 || math.IsNaN(n) {
			return 0, bad
		}
		return time.Duration(n * float64(unit)), nil
	}
	d, err := time.ParseDuration(s)
	if err != nil || d < 0 {
		return 0, bad
	}
	return d, nil
}

// Size is a number of bytes written as "256MiB", "1.5GB", "4096"; "0" is none.
type Size struct {
	Bytes int64
	text  *string // as it stands in the file, until it is checked
}

// UnmarshalText notes the text. It is read later, where the line is known.
func (s *Size) UnmarshalText(text []byte) error {
	s.text = new(string(text))
	return nil
}

func (s *Size) settle() (err error) {
	if s.text != nil {
		s.Bytes, err = ParseSize(*s.text)
		s.text = nil
	}
	return err
}

// ParseSize reads a number of bytes with a unit: B, KB, MB, GB, TB are powers
// of 1,000, KiB, MiB, GiB, TiB and K, M, G, T powers of 1,024. Case does not
// matter.
func ParseSize(s string) (int64, error) {
	bad := fmt.Errorf(`%q is no size; write one like "256MiB" or "0"`, s)
	number := strings.TrimRight(strings.ToLower(s), "bikmgt ")
	unit := strings.TrimSpace(strings.ToLower(s)[len(number):])
	factor := 1.0
	if unit != "" && unit != "b" {
		power := strings.IndexByte("kmgt", unit[0])
		base := 1024.0
		switch unit[1:] {
		case "", "ib":
		case "b":
			base = 1000
		default:
			return 0, bad
		}
		if power < 0 {
			return 0, bad
		}
		factor = math.Pow(base, float64(power+1))
	}
	n, err := strconv.ParseFloat(number, 64)
	if err != nil || n < 0 || n*factor >= math.MaxInt64 || math.IsNaN(n) {
		return 0, bad
	}
	return int64(n * factor), nil
}

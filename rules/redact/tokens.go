package redact

// webToken finds a JSON web token.
func webToken(s string, at, done int) (span, bool) {
	if at > done && wordBefore(s, at, done) {
		return span{}, false
	}
	i, dots := at, 0
	var parts [3]int
	for ; i < len(s) && (wordBytes[s[i]] || s[i] == '.' || s[i] == '='); i++ {
		if s[i] == '.' {
			if dots++; dots > 4 {
				break
			}
			continue
		}
		if dots < 3 {
			parts[dots]++
		}
	}
	for i > at && s[i-1] == '.' {
		i--
	}
	if dots < 1 || parts[0] < 10 || parts[1] < 10 || dots >= 2 && parts[1] == 0 {
		return span{}, false
	}
	return span{at, i, "jwt"}, true
}

// telegramToken finds the token of a Telegram bot: digits, then :AA.
func telegramToken(s string, at, done int) (span, bool) {
	from := at
	for from > done && s[from-1] >= '0' && s[from-1] <= '9' {
		from--
	}
	end := at + 1
	for end < len(s) && wordBytes[s[end]] {
		end++
	}
	if n := at - from; n < 8 || n > 10 || end-at-1 < 35 || end-at-1 > 36 {
		return span{}, false
	}
	return span{from, end, "telegram-token"}, true
}

// terraformToken finds a token of Terraform Cloud: 14 bytes, .atlasv1., 60 or more.
func terraformToken(s string, at, done int) (span, bool) {
	from := at
	for from > done && alnumBytes[s[from-1]] && at-from < 14 {
		from--
	}
	end := at + len(".atlasv1.")
	for end < len(s) && base64Bytes[s[end]] {
		end++
	}
	if at-from < 14 || end-at < 60 {
		return span{}, false
	}
	return span{from, end, "terraform-token"}, true
}

// mailchimpKey finds 32 hexadecimal digits before -us and a number.
func mailchimpKey(s string, at, done int) (span, bool) {
	from := at
	for from > done && hexBytes[s[from-1]] {
		from--
	}
	end := at + len("-us")
	for end < len(s) && s[end] >= '0' && s[end] <= '9' {
		end++
	}
	if at-from != 32 || end == at+len("-us") || end-at > 5 {
		return span{}, false
	}
	return span{from, end, "mailchimp-key"}, true
}

package redact

import "strings"

// A class is a set of bytes.
type class [256]bool

// The classes of the bytes that keys consist of.
var (
	hexBytes    = bytesOf("0123456789abcdef")
	upperBytes  = bytesOf("0-9A-Z")
	alnumBytes  = bytesOf("0-9A-Za-z")
	wordBytes   = bytesOf("0-9A-Za-z_-")
	dottedBytes = bytesOf("0-9A-Za-z_.-")
	base64Bytes = bytesOf("0-9A-Za-z+/=_-")
	fullBytes   = bytesOf("0-9A-Za-z+/=_.~%:-")
)

// bytesOf returns the class of the bytes of a set; x-y stands for a range
// where x and y are digits or letters.
func bytesOf(set string) *class {
	c := &class{}
	for i := 0; i < len(set); i++ {
		if i+2 < len(set) && set[i+1] == '-' {
			for b := int(set[i]); b <= int(set[i+2]); b++ {
				c[b] = true
			}
			i += 2
			continue
		}
		c[set[i]] = true
	}
	return c
}

// A format is a key that is known by how it begins.
type format struct {
	kind   string
	prefix string
	body   *class
	min    int  // bytes of the body
	max    int  // 0: any more
	free   bool // may stand within a word: nothing else looks like it
}

// formats of keys. The kind is what is told in their place.
var formats = []format{
	{"aws-access-key", "AKIA", upperBytes, 16, 16, false},
	{"aws-access-key", "ASIA", upperBytes, 16, 16, false},
	{"aws-access-key", "ABIA", upperBytes, 16, 16, false},
	{"aws-access-key", "ACCA", upperBytes, 16, 16, false},
	{"aws-bedrock-key", "ABSKQmVkcm9ja0FQSUtleS", base64Bytes, 40, 0, true},
	{"github-token", "ghp_", alnumBytes, 36, 0, true},
	{"github-token", "gho_", alnumBytes, 36, 0, true},
	{"github-token", "ghu_", alnumBytes, 36, 0, true},
	{"github-token", "ghs_", alnumBytes, 36, 0, true},
	{"github-token", "ghr_", alnumBytes, 36, 0, true},
	{"github-token", "github_pat_", wordBytes, 22, 0, true},
	{"gitlab-token", "glpat-", dottedBytes, 20, 0, true},
	{"gitlab-token", "gldt-", dottedBytes, 20, 0, false},
	{"gitlab-token", "glrt-", dottedBytes, 20, 0, false},
	{"gitlab-token", "glcbt-", dottedBytes, 20, 0, false},
	{"gitlab-token", "glptt-", dottedBytes, 20, 0, false},
	{"gitlab-token", "glft-", dottedBytes, 20, 0, false},
	{"gitlab-token", "glsoat-", dottedBytes, 20, 0, false},
	{"gitlab-token", "glagent-", dottedBytes, 20, 0, false},
	{"gitlab-token", "gloas-", dottedBytes, 20, 0, false},
	{"gitlab-token", "glimt-", dottedBytes, 20, 0, false},
	{"gitlab-token", "GR1348941", wordBytes, 20, 0, false},
	{"anthropic-key", "sk-ant-", wordBytes, 20, 0, true},
	{"openai-key", "sk-proj-", wordBytes, 20, 0, true},
	{"openai-key", "sk-svcacct-", wordBytes, 20, 0, true},
	{"openai-key", "sk-admin-", wordBytes, 20, 0, true},
	{"openrouter-key", "sk-or-", wordBytes, 20, 0, false},
	{"api-key", "sk-", wordBytes, 20, 0, false},
	{"google-api-key", "AIza", wordBytes, 35, 35, false},
	{"google-token", "ya29.", wordBytes, 20, 0, false},
	{"google-secret", "GOCSPX-", wordBytes, 28, 0, true},
	{"stripe-key", "sk_live_", alnumBytes, 16, 0, false},
	{"stripe-key", "sk_test_", alnumBytes, 16, 0, false},
	{"stripe-key", "rk_live_", alnumBytes, 16, 0, false},
	{"stripe-key", "rk_test_", alnumBytes, 16, 0, false},
	{"stripe-secret", "whsec_", base64Bytes, 24, 0, false},
	{"slack-token", "xoxb-", wordBytes, 20, 0, false},
	{"slack-token", "xoxp-", wordBytes, 20, 0, false},
	{"slack-token", "xoxa-", wordBytes, 20, 0, false},
	{"slack-token", "xoxr-", wordBytes, 20, 0, false},
	{"slack-token", "xoxs-", wordBytes, 20, 0, false},
	{"slack-token", "xoxc-", wordBytes, 20, 0, false},
	{"slack-token", "xoxd-", fullBytes, 20, 0, false},
	{"slack-token", "xoxe-", wordBytes, 20, 0, false},
	{"slack-token", "xoxe.xox", wordBytes, 20, 0, false},
	{"slack-token", "xapp-", wordBytes, 20, 0, false},
	{"slack-webhook", "hooks.slack.com/services/", bytesOf("0-9A-Za-z/"), 20, 0, true},
	{"slack-webhook", "hooks.slack.com/workflows/", bytesOf("0-9A-Za-z/"), 20, 0, true},
	{"discord-webhook", "discord.com/api/webhooks/", bytesOf("0-9A-Za-z/_-"), 40, 0, true},
	{"discord-webhook", "discordapp.com/api/webhooks/", bytesOf("0-9A-Za-z/_-"), 40, 0, true},
	{"teams-webhook", "webhook.office.com/webhookb2/", bytesOf("0-9A-Za-z/@_-"), 40, 0, true},
	{"zapier-webhook", "hooks.zapier.com/hooks/catch/", bytesOf("0-9A-Za-z/"), 10, 0, true},
	{"sendgrid-key", "SG.", dottedBytes, 60, 0, false},
	{"npm-token", "npm_", alnumBytes, 36, 0, true},
	{"pypi-token", "pypi-AgE", wordBytes, 40, 0, true},
	{"huggingface-token", "hf_", alnumBytes, 30, 0, false},
	{"huggingface-token", "api_org_", alnumBytes, 30, 0, false},
	{"digitalocean-token", "dop_v1_", hexBytes, 64, 0, true},
	{"digitalocean-token", "doo_v1_", hexBytes, 64, 0, true},
	{"digitalocean-token", "dor_v1_", hexBytes, 64, 0, true},
	{"shopify-token", "shpat_", hexBytes, 32, 0, true},
	{"shopify-token", "shpss_", hexBytes, 32, 0, true},
	{"shopify-token", "shpca_", hexBytes, 32, 0, true},
	{"shopify-token", "shppa_", hexBytes, 32, 0, true},
	{"square-token", "sq0atp-", wordBytes, 22, 0, false},
	{"square-token", "sq0csp-", wordBytes, 40, 0, false},
	{"square-token", "EAAAE", wordBytes, 55, 0, false},
	{"mailgun-key", "key-", hexBytes, 32, 32, false},
	{"sendinblue-key", "xkeysib-", wordBytes, 64, 0, false},
	{"age-secret-key", "AGE-SECRET-KEY-1", upperBytes, 40, 0, true},
	{"databricks-token", "dapi", bytesOf("0123456789abcdef-"), 32, 34, false},
	{"supabase-key", "sbp_", hexBytes, 40, 0, true},
	{"supabase-key", "sb_secret_", wordBytes, 20, 0, true},
	{"vercel-token", "vercel_blob_rw_", wordBytes, 20, 0, true},
	{"vercel-token", "vcp_", alnumBytes, 40, 0, false},
	{"netlify-token", "nfp_", alnumBytes, 36, 0, false},
	{"cloudflare-key", "v1.0-", bytesOf("0123456789abcdef-"), 100, 0, false},
	{"heroku-key", "HRKU-", wordBytes, 30, 0, false},
	{"newrelic-key", "NRAK-", upperBytes, 27, 0, false},
	{"newrelic-key", "NRII-", wordBytes, 32, 0, false},
	{"newrelic-key", "NRJS-", hexBytes, 19, 0, false},
	{"sentry-token", "sntrys_", base64Bytes, 40, 0, true},
	{"sentry-token", "sntryu_", hexBytes, 64, 0, true},
	{"linear-key", "lin_api_", alnumBytes, 32, 0, true},
	{"linear-key", "lin_oauth_", alnumBytes, 32, 0, true},
	{"notion-token", "ntn_", alnumBytes, 40, 0, false},
	{"notion-token", "secret_", alnumBytes, 43, 43, false},
	{"atlassian-token", "ATATT3", base64Bytes, 60, 0, false},
	{"atlassian-token", "ATCTT3", base64Bytes, 60, 0, false},
	{"bitbucket-token", "ATBB", base64Bytes, 28, 0, false},
	{"docker-token", "dckr_pat_", wordBytes, 20, 0, true},
	{"docker-token", "dckr_oat_", wordBytes, 20, 0, true},
	{"fly-token", "fo1_", wordBytes, 40, 0, false},
	{"fly-token", "fm1r_", base64Bytes, 60, 0, false},
	{"fly-token", "fm1a_", base64Bytes, 60, 0, false},
	{"fly-token", "fm2_", base64Bytes, 60, 0, false},
	{"grafana-token", "glsa_", wordBytes, 32, 0, true},
	{"grafana-token", "glc_", base64Bytes, 32, 0, false},
	{"vault-token", "hvs.", wordBytes, 24, 0, false},
	{"vault-token", "hvb.", wordBytes, 24, 0, false},
	{"vault-token", "hvr.", wordBytes, 24, 0, false},
	{"postman-key", "PMAK-", bytesOf("0123456789abcdef-"), 50, 0, false},
	{"doppler-token", "dp.pt.", alnumBytes, 40, 0, false},
	{"doppler-token", "dp.st.", dottedBytes, 40, 0, false},
	{"doppler-token", "dp.ct.", alnumBytes, 40, 0, false},
	{"doppler-token", "dp.sa.", alnumBytes, 40, 0, false},
	{"doppler-token", "dp.scim.", alnumBytes, 40, 0, false},
	{"doppler-token", "dp.audit.", alnumBytes, 40, 0, false},
	{"pulumi-token", "pul-", hexBytes, 40, 40, false},
	{"rubygems-key", "rubygems_", hexBytes, 48, 0, true},
	{"figma-token", "figd_", wordBytes, 38, 0, false},
	{"hubspot-token", "pat-na1-", bytesOf("0123456789abcdef-"), 36, 0, false},
	{"hubspot-token", "pat-eu1-", bytesOf("0123456789abcdef-"), 36, 0, false},
	{"planetscale-token", "pscale_tkn_", dottedBytes, 32, 0, true},
	{"planetscale-token", "pscale_pw_", dottedBytes, 32, 0, true},
	{"planetscale-token", "pscale_oauth_", dottedBytes, 32, 0, true},
	{"groq-key", "gsk_", alnumBytes, 40, 0, false},
	{"xai-key", "xai-", alnumBytes, 40, 0, false},
	{"replicate-token", "r8_", alnumBytes, 37, 0, false},
	{"perplexity-key", "pplx-", alnumBytes, 40, 0, false},
	{"tavily-key", "tvly-", wordBytes, 28, 0, false},
	{"nvidia-key", "nvapi-", wordBytes, 40, 0, false},
	{"langsmith-key", "lsv2_pt_", wordBytes, 36, 0, false},
	{"langsmith-key", "lsv2_sk_", wordBytes, 36, 0, false},
	{"elevenlabs-key", "sk_", hexBytes, 48, 48, false},
	{"tailscale-key", "tskey-", wordBytes, 20, 0, false},
	{"1password-token", "ops_eyJ", base64Bytes, 60, 0, true},
	{"circleci-token", "CCIPAT_", wordBytes, 40, 0, false},
	{"buildkite-token", "bkua_", hexBytes, 40, 0, false},
	{"sonar-token", "sqp_", hexBytes, 40, 40, false},
	{"sonar-token", "squ_", hexBytes, 40, 40, false},
	{"sonar-token", "sqa_", hexBytes, 40, 40, false},
	{"artifactory-key", "AKCp", alnumBytes, 60, 0, false},
	{"artifactory-token", "cmVmdGtu", alnumBytes, 50, 0, false},
	{"razorpay-key", "rzp_live_", alnumBytes, 14, 0, false},
	{"easypost-key", "EZAK", alnumBytes, 50, 0, false},
	{"flutterwave-key", "FLWSECK", wordBytes, 20, 0, false},
	{"shippo-token", "shippo_live_", hexBytes, 40, 0, true},
	{"typeform-token", "tfp_", dottedBytes, 40, 0, false},
	{"prefect-key", "pnu_", alnumBytes, 36, 0, false},
	{"contentful-token", "CFPAT-", wordBytes, 40, 0, false},
	{"readme-key", "rdme_", alnumBytes, 60, 0, false},
	{"facebook-token", "EAACEdEose0cBA", alnumBytes, 20, 0, false},
	{"adafruit-key", "aio_", alnumBytes, 28, 28, false},
	{"clojars-token", "CLOJARS_", hexBytes, 60, 0, true},
	{"sourcegraph-token", "sgp_", wordBytes, 40, 0, false},
	{"ssh-private-key", "b3BlbnNzaC1rZXktdjE", base64Bytes, 60, 0, true},
}

// probe is how many bytes more than the least are looked at to judge a key.
// What may be rejected is never read to its end: a text of beginnings alone
// would be read over and over.
const probe = 128

// rule returns the rule that looks for the format.
func (f format) rule() rule {
	return func(s string, at, done int) (span, bool) {
		if !f.free && at > 0 && wordBefore(s, at, done) {
			return span{}, false
		}
		from := at + len(f.prefix)
		if f.kind == "api-key" && (strings.HasPrefix(s[from:], "ssh-") || strings.HasPrefix(s[from:], "ecdsa-")) {
			return span{}, false // key types of OpenSSH
		}
		end, n := f.read(s[:min(len(s), from+f.min+probe)], from)
		if n < f.min || f.max > 0 && n > f.max || dull(s[from:end], f.body == upperBytes) {
			return span{}, false
		}
		if n > f.min {
			end, _ = f.read(s, from)
		}
		return span{at, end, f.kind}, true
	}
}

// wordBefore reports whether a word goes on at at. An escape (\n, %3D) before
// it is no word.
func wordBefore(s string, at, done int) bool {
	c := s[at-1]
	if at <= done || !alnumBytes[c] && c != '_' {
		return false
	}
	if at >= 2 && s[at-2] == '\\' && strings.IndexByte("nrt", c) >= 0 {
		return false
	}
	return at < 3 || s[at-3] != '%' || !alnumBytes[s[at-2]]
}

// read returns where the body ends that begins at s[i:], and its length
// without what joins its pieces.
func (f *format) read(s string, i int) (end, n int) {
	end = i
	for i < len(s) {
		if f.body[s[i]] {
			i, n = i+1, n+1
			end = i
			continue
		}
		next := joint(s, i, n < f.min)
		if next < 0 || next >= len(s) || !f.body[s[next]] {
			break
		}
		i = next
	}
	for n > f.min && end > 0 && strings.IndexByte(".-=%:", s[end-1]) >= 0 && s[end-1] != '=' {
		end, n = end-1, n-1 // the end of a sentence
	}
	return end, n
}

// joint returns where a key goes on whose pieces are quoted apart ("a"+"b",
// 'a”b') or, while it is too short, wrapped over lines; -1 where it ends.
func joint(s string, i int, short bool) int {
	if !short {
		return -1
	}
	j := i
	quoted := false
	if j < len(s) && (s[j] == '"' || s[j] == '\'' || s[j] == '`') {
		quoted = true
		j++
	}
	if !quoted {
		switch {
		case strings.HasPrefix(s[j:], "\\\n"):
			return j + 2
		case s[j] == '\n':
			return j + 1
		case strings.HasPrefix(s[j:], "\r\n"):
			return j + 2
		}
		return -1
	}
	for k := 0; j < len(s) && k < 8; k++ {
		switch s[j] {
		case ' ', '\n', '\t', '+', '.', '&', '\\':
			j++
			continue
		case '"', '\'', '`':
			return j + 1
		}
		break
	}
	return -1
}

// dull reports whether a key's body is a stand-in: one letter over and over,
// or words. Keys in capitals alone may well be without a digit.
func dull(body string, capitals bool) bool {
	digits, upper, lower, marks := 0, 0, 0, 0
	var seen [256]bool
	kinds := 0
	for i := 0; i < len(body); i++ {
		c := body[i]
		if !seen[c] {
			seen[c] = true
			kinds++
		}
		switch {
		case c >= '0' && c <= '9':
			digits++
		case c >= 'A' && c <= 'Z':
			upper++
		case c >= 'a' && c <= 'z':
			lower++
		default:
			marks++
		}
	}
	if kinds < 3 {
		return true
	}
	if digits > 0 || capitals {
		return false
	}
	return upper == 0 || lower == 0 || marks > len(body)/10
}

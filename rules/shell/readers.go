package shell

import "strings"

// always are commands that only read (or print, wait, test), whatever their
// arguments.
var always = set(`
ls cat head tail wc grep egrep fgrep zgrep zcat bzcat xzcat rg ag ack less more nl cut tr uniq comm diff diff3 colordiff
delta cmp stat file du df tree pwd whoami id groups hostname uname which whereis type printenv echo printf true false :
test [ [[ sleep basename dirname realpath readlink md5 md5sum sha1sum sha256sum sha512sum shasum b2sum cksum sum xxd od hexdump
strings column paste join fold fmt expand unexpand seq rev tac tsort ps top htop pgrep pstree lsof netstat ss uptime free
lscpu nproc lsblk lsusb lspci lsmod history man help info apropos whatis exa eza bat batcat locate ldd nm objdump
readelf otool size tokei cloc scc base64 base32 iconv dig nslookup host cal arch getconf tput stty tty locale w who last lastlog
numfmt shuf look zdiff vmstat iostat dmesg getent sw_vers system_profiler jobs compgen ulimit umask times read mapfile
readarray glow mdcat hyperfine ffprobe identify exiftool jless gron fx htmlq xmllint xpath pup csvlook csvstat csvcut
dir findstr where ver chcp systeminfo tasklist path vol
write-output write-host out-string out-null out-host out-default  measure-object measure-command select-object select-string
select-xml sort-object group-object compare-object format-table format-list format-wide format-hex convertfrom-json
convertto-json convertfrom-csv convertto-csv join-path split-path resolve-path convert-path test-path test-connection start-sleep
write-verbose write-debug write-warning write-error write-information gci gc sls select measure ft fl
`)

// stateful are commands that change nothing but the shell that runs them.
var stateful = set(`popd pop-location dirs export unset shopt trap wait exit return break continue shift alias unalias hash disown
local declare readonly typeset getopts setopt unsetopt source . set-strictmode set-variable new-variable setlocal endlocal rem`)

// noises say nothing about the work where something else in the line does.
var noises = set("echo printf true false : sleep clear test [ write-output write-host start-sleep out-null wait")

// filters are what a command's output is shortened with; at the end of a
// pipeline they do not belong to its subject.
var filters = set(`tail head grep egrep fgrep rg ag cat less more sed wc sort uniq nl tee cut tr select-string select-object out-string out-host
out-null select sls findstr measure-object format-table format-list true`)

// sub holds the subcommands of a tool that only read. A word with a slash
// stands for two: "stash/list". A word that ends in a slash stands for the
// tool's subcommand alone.
var subReaders = map[string]string{
	"kubectl":      "get describe logs top explain version api-resources api-versions cluster-info config/view config/get-contexts config/current-context auth/can-i auth/whoami diff events options rollout/status rollout/history",
	"oc":           "get describe logs top explain version api-resources whoami status projects config/view diff events",
	"helm":         "list ls get status history show search template version env repo/list dependency/list",
	"docker":       "ps logs images inspect version info top stats port diff history search events image/ls image/list image/inspect image/history container/ls container/list container/inspect container/logs container/top container/stats volume/ls volume/inspect network/ls network/inspect system/df system/info compose/ps compose/logs compose/config compose/images compose/ls compose/top compose/version context/ls context/show context/inspect buildx/ls buildx/inspect buildx/version manifest/inspect",
	"gh":           "pr/view pr/list pr/diff pr/checks pr/status issue/view issue/list issue/status run/view run/list run/watch repo/view repo/list release/view release/list workflow/view workflow/list auth/status auth/token search label/list gist/view gist/list cache/list secret/list variable/list variable/get ruleset/list ruleset/view ruleset/check project/list project/view project/item-list project/field-list extension/list extension/search org/list status version browse/ attestation/verify",
	"glab":         "mr/view mr/list mr/diff issue/view issue/list ci/view ci/list ci/status ci/trace repo/view release/view release/list auth/status",
	"hub":          "ci-status issue/ pr/list pr/show release/",
	"npm":          "ls list ll la view info show v outdated search root prefix bin config/get config/list get help whoami explain why fund ping doctor pkg/get dist-tag/ls owner/ls access/list query",
	"pnpm":         "ls list ll why outdated view info root bin audit licenses config/get config/list store/path",
	"yarn":         "list info why outdated npm/info config/get config/list workspaces/list workspaces/info bin",
	"bun":          "pm/ls pm/bin pm/cache pm/hash outdated why info",
	"pip":          "list show freeze check index search config/list config/get debug inspect",
	"uv":           "pip/list pip/show pip/freeze pip/tree pip/check tree python/list python/find python/dir tool/list tool/dir cache/dir version",
	"poetry":       "show env/info env/list check about",
	"conda":        "list info search env/list config/show",
	"cargo":        "tree metadata search info locate-project pkgid read-manifest verify-project version",
	"rustup":       "show which doc toolchain/list target/list component/list",
	"go":           "list doc version help mod/graph mod/why mod/verify env",
	"brew":         "list ls info search config doctor outdated deps leaves desc uses home cat formulae casks",
	"apt":          "list show search policy depends rdepends",
	"apt-cache":    "show search policy depends rdepends madison stats pkgnames",
	"snap":         "list info find version",
	"systemctl":    "status list-units list-unit-files list-timers is-active is-enabled is-failed show cat get-default",
	"launchctl":    "list print",
	"terraform":    "show output version providers state/list state/show graph workspace/list workspace/show",
	"tofu":         "show output version providers state/list state/show graph workspace/list workspace/show",
	"tmux":         "ls list-sessions list-windows list-panes list-keys capture-pane capturep display-message show-options has-session has info",
	"adb":          "devices logcat version",
	"xcrun":        "simctl/list --find --show-sdk-path",
	"xcode-select": "-p --print-path",
	"defaults":     "read read-type domains find",
	"mise":         "ls list current where which tasks/ls tasks/ tasks/info env doctor version settings/ls config/ls outdated",
	"just":         "--list -l --summary --show --dump --evaluate --variables",
	"task":         "--list -l --list-all -a --summary",
	"make":         "-n --dry-run -p --print-data-base -q",
	"nvm":          "ls list current version which ls-remote",
	"act":          "-l --list",
	"bd":           "show list ready search status blocked stats info dep/tree dep/list comments/list label/list where version",
	"flyctl":       "status logs info releases apps/list secrets/list",
	"fly":          "status logs info releases apps/list secrets/list",
	"vercel":       "ls list inspect logs whoami env/ls domains/ls",
	"netlify":      "status sites:list env:list",
	"heroku":       "logs ps config apps releases info status",
	"supabase":     "status projects/list functions/list migration/list",
	"stripe":       "logs version",
	"jj":           "log status st diff show op/log file/list file/show bookmark/list",
	"hg":           "log status diff cat branches tags id summary heads annotate",
	"svn":          "log status diff info cat list ls blame",
	"ip":           "addr a route r link l neigh n rule",
	"plutil":       "-p -lint",
	"crontab":      "-l",
	"dotnet":       "--info --list-sdks --list-runtimes list nuget/list",
	"bundle":       "list show info outdated check config platform",
	"gem":          "list search info environment env which contents dependency outdated",
	"composer":     "show info outdated licenses why depends search diagnose validate status",
}

// alike tools take the subcommands of another one.
var alike = map[string]string{
	"podman": "docker", "nerdctl": "docker", "pip3": "pip", "k": "kubectl", "kubectl.exe": "kubectl", "gmake": "make",
	"docker-compose": "docker compose", "mamba": "conda", "micromamba": "conda", "apt-get": "apt", "corepack": "npm",
}

// doers are commands that act however much one of their arguments reads like
// "list" or "status".
var doers = set(`mkdir rmdir touch cp mv rm ln chmod chown chgrp install dd mkfifo mktemp truncate shred kill pkill killall tar zip unzip gzip gunzip
bzip2 xz zstd curl wget scp rsync ssh sftp ftp nc telnet python python2 python3 node deno ruby perl php lua bash sh zsh fish tsx ts-node java
psql mysql sqlite3 redis-cli mongosh mongo make just task rake open code vim vi nano emacs patch sed awk gawk tee xargs split csplit
su passwd useradd usermod mount umount reboot shutdown service crontab at eval exec go cargo npm pnpm yarn bun npx bunx git gh docker dotnet
del erase move copy xcopy robocopy ren rename md rd remove-item new-item set-content add-content copy-item move-item rename-item
invoke-expression iex invoke-webrequest iwr invoke-restmethod irm start-process stop-process expand-archive compress-archive out-file clear-content
vercel netlify terraform tofu kubectl helm pip pip3 uv poetry mvn gradle gradlew bundle composer mix cabal stack zig nix apt apt-get brew`)

// readingVerbs are subcommands that only read in any tool that has them.
var readingVerbs = set("list ls show status view describe info search help version logs inspect")

// actingVerbs are subcommands behind which "list" is a name.
var actingVerbs = set("add create delete remove rm set unset update edit run exec start stop restart install uninstall new init open close send push pull save put post move copy rename apply eval do")

// goTools are the commands of `go tool`.
var goTools = set("addr2line asm buildid cgo compile cover covdata dist doc fix link nm objdump pack pprof test2json trace vet")

// reads reports whether a command only reads.
func reads(name string, args []string, runner string) bool {
	if runner != "" && (name == "test" || name == "type" || name == "help") {
		return false // a script of that name
	}
	if always[name] || asksHelp(args) {
		return true
	}
	if reads, known := special(name, args); known {
		return reads
	}
	if other, ok := alike[name]; ok {
		if name, sub, two := strings.Cut(other, " "); two {
			args = append([]string{name, sub}, args[1:]...)
		}
		name, _, _ = strings.Cut(other, " ")
	}
	if subs, ok := subReaders[name]; ok {
		return readingSub(subs, args)
	}
	if strings.Contains(name, "-") {
		if verb, noun, _ := strings.Cut(name, "-"); noun != "" && (verb == "get" || verb == "find" || verb == "show" || verb == "test") && cmdlet(args[0]) {
			return true
		}
	}
	if doers[name] {
		return false
	}
	return !strings.ContainsAny(args[0], `/.\$`) && readingVerb(args)
}

// readingVerb reports whether a tool that is not known is asked to read:
// `tool status`, `tool branch list`.
func readingVerb(args []string) bool {
	words := operands(args[1:])
	if len(words) > 0 && readingVerbs[words[0]] {
		return true
	}
	return len(words) > 1 && readingVerbs[words[1]] && !actingVerbs[words[0]]
}

// cmdlet reports whether a word is written like a PowerShell cmdlet: Get-Item.
func cmdlet(word string) bool {
	return word != "" && word[0] >= 'A' && word[0] <= 'Z'
}

// asksHelp reports whether a command only tells about itself.
func asksHelp(args []string) bool {
	for i, a := range args[1:] {
		switch a {
		case "--help":
			return true
		case "--version", "-V", "-version", "version":
			if len(args) == 2 {
				return true
			}
		case "-v", "-h":
			if len(args) == 2 {
				return true
			}
		case "--":
			return false
		}
		if i > 20 {
			break
		}
	}
	return false
}

// readingSub reports whether the subcommand of args is one of subs.
func readingSub(subs string, args []string) bool {
	var first string
	for i, a := range args[1:] {
		flag := strings.HasPrefix(a, "-") || strings.HasPrefix(a, "+")
		if first == "" {
			if has(subs, a) {
				return true
			}
			if flag || assignment(a) || i > 0 && strings.HasPrefix(args[i], "-") && !strings.Contains(subs, a+"/") {
				continue // a flag or its value
			}
			first = a
			continue
		}
		if flag {
			continue
		}
		return has(subs, first+"/"+a)
	}
	return first != "" && has(subs, first+"/")
}

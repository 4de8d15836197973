package shell

import (
	"strings"

	"github.com/kmemd/kmemd/store/fact"
)

// releases are the steps of version control, release and deployment: by tool,
// its subcommand and what it is. "*" stands for the tool without a subcommand,
// "sub/sub" for two words.
var releases = map[string]map[string]string{
	"git":              {"commit": "commit", "push": "push", "merge": "merge", "rebase": "merge", "tag": "tag", "revert": "commit", "cherry-pick": "commit", "am": "commit"},
	"hg":               {"commit": "commit", "ci": "commit", "push": "push", "merge": "merge", "tag": "tag"},
	"svn":              {"commit": "commit", "ci": "commit"},
	"jj":               {"commit": "commit", "git/push": "push", "describe": "commit"},
	"gh":               {"pr/create": "pr", "pr/merge": "pr", "pr/ready": "pr", "pr/close": "pr", "pr/reopen": "pr", "release/create": "release", "release/upload": "release", "release/edit": "release"},
	"glab":             {"mr/create": "pr", "mr/merge": "pr", "release/create": "release"},
	"hub":              {"pull-request": "pr", "release/create": "release"},
	"az":               {"repos/pr": "pr", "webapp/up": "deploy", "webapp/deploy": "deploy", "functionapp/deploy": "deploy"},
	"npm":              {"publish": "release", "version": "tag"},
	"pnpm":             {"publish": "release", "deploy": "deploy"},
	"yarn":             {"publish": "release", "npm/publish": "release"},
	"bun":              {"publish": "release"},
	"lerna":            {"publish": "release", "version": "tag"},
	"changeset":        {"publish": "release", "version": "tag"},
	"np":               {"*": "release"},
	"semantic-release": {"*": "release"},
	"standard-version": {"*": "tag"},
	"release-it":       {"*": "release"},
	"vsce":             {"publish": "release"},
	"cargo":            {"publish": "release", "release": "release"},
	"goreleaser":       {"release": "release", "*": "release"},
	"twine":            {"upload": "release"},
	"uv":               {"publish": "release"},
	"poetry":           {"publish": "release"},
	"flit":             {"publish": "release"},
	"hatch":            {"publish": "release"},
	"gem":              {"push": "release"},
	"dotnet":           {"nuget/push": "release"},
	"mvn":              {"deploy": "release", "release:perform": "release", "release:prepare": "release"},
	"gradle":           {"publish": "release", "publishPlugins": "release"},
	"docker":           {"push": "release", "compose/push": "release", "stack/deploy": "deploy"},
	"podman":           {"push": "release"},
	"helm":             {"push": "release", "upgrade": "deploy", "install": "deploy", "rollback": "deploy"},
	"kubectl":          {"apply": "deploy", "replace": "deploy", "rollout/restart": "deploy", "rollout/undo": "deploy", "set/image": "deploy"},
	"oc":               {"apply": "deploy", "rollout/restart": "deploy"},
	"kustomize":        {},
	"terraform":        {"apply": "deploy", "destroy": "deploy"},
	"tofu":             {"apply": "deploy", "destroy": "deploy"},
	"terragrunt":       {"apply": "deploy", "destroy": "deploy"},
	"pulumi":           {"up": "deploy", "destroy": "deploy"},
	"cdk":              {"deploy": "deploy", "destroy": "deploy"},
	"sam":              {"deploy": "deploy"},
	"serverless":       {"deploy": "deploy"},
	"sls":              {"deploy": "deploy"},
	"vercel":           {"deploy": "deploy", "promote": "deploy", "rollback": "deploy", "*": "deploy"},
	"netlify":          {"deploy": "deploy"},
	"fly":              {"deploy": "deploy"},
	"flyctl":           {"deploy": "deploy"},
	"wrangler":         {"deploy": "deploy", "publish": "deploy", "pages/deploy": "deploy"},
	"firebase":         {"deploy": "deploy"},
	"gcloud":           {"run/deploy": "deploy", "app/deploy": "deploy", "functions/deploy": "deploy", "builds/submit": "deploy"},
	"aws":              {"cloudformation/deploy": "deploy", "ecs/update-service": "deploy", "lambda/update-function-code": "deploy"},
	"railway":          {"up": "deploy", "deploy": "deploy"},
	"kamal":            {"deploy": "deploy"},
	"cap":              {"production": "deploy", "staging": "deploy"},
	"skaffold":         {"run": "deploy", "deploy": "deploy"},
	"supabase":         {"db/push": "deploy", "functions/deploy": "deploy"},
	"prisma":           {"migrate/deploy": "deploy"},
	"eb":               {"deploy": "deploy"},
	"gh-pages":         {"*": "deploy"},
	"surge":            {"*": "deploy"},
	"mike":             {"deploy": "deploy"},
	"ansible-playbook": {"*": "deploy"},
	"deployctl":        {"deploy": "deploy"},
	"argocd":           {"app/sync": "deploy"},
	"flux":             {"reconcile": "deploy"},
}

// released returns the step of version control, release or deployment that a
// command is, if it is one.
func released(name string, args []string) kind {
	subs, ok := releases[name]
	if !ok || rehearses(args) {
		return kind{}
	}
	sub, git := "", ""
	if name == "git" {
		sub, git = gitStep(args)
	} else {
		sub, git = subStep(subs, args)
	}
	if git == "" {
		return kind{}
	}
	k := kind{class: fact.ClassVCS, group: name, git: git}
	if sub != "" {
		k.group += " " + sub
	}
	return k
}

func gitStep(args []string) (sub, git string) {
	sub, rest, _ := gitCommand(args)
	git = releases["git"][sub]
	if git == "" || contains(rest, "--abort") || contains(rest, "--quit") || sub == "push" && contains(rest, "-n") ||
		sub == "tag" && gitTagReads(rest) || sub == "am" && gitReads(args) || sub == "rebase" && gitReads(args) {
		return "", ""
	}
	return sub, git
}

// subStep finds the subcommand of args among subs: the first operand, or the
// first two.
func subStep(subs map[string]string, args []string) (sub, git string) {
	first := ""
	for i, a := range args[1:] {
		if strings.HasPrefix(a, "-") || assignment(a) || i > 0 && strings.HasPrefix(args[i], "-") && first == "" && subs[a] == "" && subs["*"] == "" {
			continue
		}
		if first != "" {
			if git = subs[first+"/"+a]; git != "" {
				return first + " " + a, git
			}
			return "", ""
		}
		if git = subs[a]; git != "" {
			return a, git
		}
		first = a
	}
	if first == "" {
		return "", subs["*"]
	}
	return "", ""
}

// rehearses reports whether a command only shows what it would do.
func rehearses(args []string) bool {
	for _, a := range args {
		if strings.HasPrefix(a, "--dry-run") && a != "--dry-run=false" && a != "--dry-run=none" || a == "--snapshot" {
			return true
		}
	}
	return false
}

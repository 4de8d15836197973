package lang

import "strings"

// endings are the file name endings that make a word a path.
var endings = set(strings.Fields(`
	go mod sum work py pyi pyx js ts tsx jsx mjs cjs mts cts rs rb rake gemspec java kt kts swift c h cc cpp cxx hpp hh
	cs fs fsx vb php scala sbt clj cljs edn ex exs erl hrl hs ml mli lua pl pm r jl dart zig nim cr v sv vhd d m mm
	sh bash zsh fish ps1 psm1 psd1 bat cmd sql html htm xhtml css scss sass less styl vue svelte astro
	json jsonc json5 jsonl ndjson yaml yml toml ini cfg conf cnf env properties xml xsd xsl csv tsv parquet
	md mdx rst txt adoc tex bib org lock lockb proto graphql gql prisma thrift avsc tf tfvars hcl nomad
	gradle sln csproj vbproj fsproj vcxproj props targets xaml resx razor cshtml plist pbxproj storyboard xib entitlements
	svg png jpg jpeg gif webp avif ico bmp pdf ipynb wasm wat log patch diff template tmpl tpl j2 jinja erb ejs hbs
	haml slim snap service socket timer nix cmake mk mak am ac in sol vy cairo glsl wgsl hlsl vert frag s asm el lisp scm
	rkt vim awk bzl bazel star feature http rest editorconfig gitignore dockerignore example sample bak orig rej db sqlite
	sqlite3 zip gz tar tgz bz2 xz zst woff woff2 ttf otf mp3 mp4 wav webm po pot strings arb dockerfile containerfile
	pem crt cer key pub jar war whl deb rpm msi exe dll so dylib wxs nsi iss spec rules cue rego dhall txtar golden
	snapshot fixture map min webmanifest http har dot mmd puml drawio xlsx docx pptx code-workspace code-snippets`)...)

// bareNames are names of files that have no ending.
var bareNames = set("Makefile", "makefile", "GNUmakefile", "Dockerfile", "Containerfile", "LICENSE", "LICENCE", "README",
	"CHANGELOG", "CHANGES", "CONTRIBUTING", "CODEOWNERS", "NOTICE", "AUTHORS", "COPYING", "VERSION", "Gemfile", "Rakefile",
	"Procfile", "Jenkinsfile", "Vagrantfile", "Justfile", "justfile", "Caddyfile", "Brewfile", "Pipfile", "Podfile",
	"Fastfile", "Appfile", "Guardfile", "Tiltfile", "Earthfile", "Berksfile", "Cartfile", "Dangerfile", "Taskfile",
	"BUILD", "WORKSPACE", "Kconfig", "Kbuild", "gradlew", "mvnw",
	".env", ".gitignore", ".gitattributes", ".gitmodules", ".gitkeep", ".dockerignore", ".npmrc", ".npmignore", ".nvmrc",
	".editorconfig", ".eslintrc", ".eslintignore", ".prettierrc", ".prettierignore", ".babelrc", ".stylelintrc",
	".bashrc", ".bash_profile", ".zshrc", ".zprofile", ".profile", ".vimrc", ".tool-versions", ".python-version",
	".ruby-version", ".node-version", ".rspec", ".rubocop", ".pylintrc", ".flake8", ".coveragerc", ".htaccess",
	".clang-format", ".clang-tidy", ".bazelrc", ".yarnrc", ".swiftlint", ".mailmap", ".cursorrules", ".clinerules",
	".goosehints", ".aiderignore", ".envrc")

// products are names of products that look like files.
var products = set("node.js", "next.js", "vue.js", "nuxt.js", "react.js", "express.js", "three.js", "d3.js", "chart.js",
	"ember.js", "backbone.js", "alpine.js", "nest.js", "angular.js", "discord.js", "socket.io", "asp.net", "p5.js",
	"moment.js", "day.js", "require.js", "video.js", "solid.js", "deno.js", "bun.js", "core.js", "web3.js", "ethers.js",
	"handlebars.js", "mermaid.js", "preact.js", "electron.js", "knockout.js")

const maxPath = 400 // bytes

// isPath reports whether a word of prose, quotes and punctuation removed, names
// a file. spaces allows blanks in it: it stood in quotes.
func isPath(s string, spaces bool) bool {
	if len(s) < 2 || len(s) > maxPath || strings.Contains(s, "://") || strings.HasPrefix(s, "www.") {
		return false
	}
	for i := 0; i < len(s); i++ {
		switch c := s[i]; {
		case c < ' ', c == 0x7F, c == '*', c == '<', c == '>', c == '|', c == '"', c == '`', c == '?', c == ';', c == '=':
			return false
		case c == ' ' && !spaces:
			return false
		}
	}
	rooted := isRooted(s)
	name := s[strings.LastIndexAny(s, `/\`)+1:]
	if hasEnding(name) {
		return !products[strings.ToLower(s)] && (rooted || !spaces || !isProse(s))
	}
	if spaces && strings.Contains(s, " ") {
		return false
	}
	if bareNames[name] || strings.HasPrefix(name, ".env.") {
		return true
	}
	// "/users" is rather a route, "/etc/hosts" a file.
	return rooted && strings.ContainsAny(strings.TrimLeft(s, `./\~`), `/\`) && strings.Trim(s, `./\~`) != ""
}

// isRooted reports whether a path begins where a file system or a directory
// does: with a slash, a dot, the home directory or a drive.
func isRooted(s string) bool {
	switch {
	case strings.HasPrefix(s, "/"), strings.HasPrefix(s, "./"), strings.HasPrefix(s, "../"), strings.HasPrefix(s, "~/"),
		strings.HasPrefix(s, `.\`), strings.HasPrefix(s, `..\`), strings.HasPrefix(s, `\\`):
		return true
	}
	return hasDrive(s)
}

// hasDrive reports whether a path begins with a drive letter.
func hasDrive(s string) bool {
	return len(s) > 2 && s[1] == ':' && (s[2] == '\\' || s[2] == '/') && ('a' <= s[0]|0x20 && s[0]|0x20 <= 'z')
}

// hasEnding reports whether a file name has one of endings.
func hasEnding(name string) bool {
	at := strings.LastIndexByte(name, '.')
	if at < 0 || at == len(name)-1 || len(name)-at > 16 {
		return false
	}
	ending := name[at+1:]
	if at == 0 {
		return bareNames[name]
	}
	if len(ending) == 1 && (at == 1 || ending[0] < 'a') {
		return false // "e.g", "U.S"
	}
	return endings[ending] || endings[strings.ToLower(ending)]
}

// isProse reports whether quoted words that end like a file name are rather a
// sentence.
func isProse(s string) bool { return strings.Count(s, " ") > 3 }

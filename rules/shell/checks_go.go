package shell

// goChecks are the checks of Go.
var goChecks = map[string]check{
	"go":             {subs: "test build vet fmt fix", values: goValues, narrow: "-run -skip -short -bench -fuzz -list", all: "./... ... all", target: true},
	"gofmt":          {bare: true, all: ". ./", values: "-r", target: true},
	"gofumpt":        {bare: true, all: ". ./", target: true},
	"goimports":      {bare: true, all: ". ./", values: "-local", target: true},
	"gci":            {subs: "write diff print list", all: ". ./"},
	"golangci-lint":  {subs: "run fmt", bare: true, values: "-c --config -E -D --timeout -p --out-format --enable --disable --issues-exit-code --max-same-issues --build-tags", narrow: "--new --new-from-rev --new-from-patch --new-from-merge-base --disable-all --enable-only --default -n", all: "./... ..."},
	"staticcheck":    {bare: true, all: "./... ...", values: "-checks -f", target: true},
	"errcheck":       {bare: true, all: "./..."},
	"revive":         {bare: true, values: "-config -formatter", all: "./..."},
	"gosec":          {bare: true, all: "./..."},
	"govulncheck":    {bare: true, all: "./..."},
	"deadcode":       {bare: true, all: "./..."},
	"nilaway":        {bare: true, all: "./..."},
	"modernize":      {bare: true, all: "./..."},
	"fieldalignment": {bare: true, all: "./..."},
	"gotestsum":      {bare: true, values: "--format --junitfile -f", narrow: "-run --run", all: "./...", extra: true},
	"ginkgo":         {bare: true, narrow: "--focus --skip -focus --label-filter --focus-file", all: "./...", values: "-p --procs"},
	"gotest":         {bare: true, all: "./...", narrow: "-run"},
}

package agents

import (
	"strings"

	"github.com/kmemd/kmemd/ingest/event"
)

// codexActions says what Codex's own tools do.
var codexActions = map[string]event.Action{
	"exec_command": event.Exec, "shell_command": event.Exec, "shell": event.Exec, "container.exec": event.Exec,
	"unified_exec": event.Exec, "local_shell": event.Exec, "write_stdin": event.Exec, "exec": event.Exec,
	"apply_patch": event.Write, "image_generation": event.Quiet,
	"web_search": event.Search, "web__run": event.Search, "web.run": event.Search,
	"view_image": event.Read, "tool_search": event.Read, "list_mcp_resources": event.Read,
	"list_mcp_resource_templates": event.Read, "read_mcp_resource": event.Read, "wait": event.Read,
	"grep_files": event.Read, "read_file": event.Read, "list_dir": event.Read, "get_goal": event.Read,
	"get_context_remaining": event.Read, "get_memory": event.Read, "read_memories": event.Read,
	"list_agents": event.Quiet, "wait_agent": event.Quiet, "close_agent": event.Quiet, "resume_agent": event.Quiet,
	"send_input": event.Quiet, "send_message": event.Quiet, "followup_task": event.Quiet,
	"interrupt_agent": event.Quiet, "assign_task": event.Quiet,
	"spawn_agent": event.Agent, "spawn_agents_on_csv": event.Agent, "spawn": event.Agent,
	"update_plan": event.Quiet, "request_user_input": event.Quiet, "create_goal": event.Quiet,
	"update_goal": event.Quiet, "request_permissions": event.Quiet, "request_plugin_install": event.Quiet,
}

// codexAction says what a tool does. One that is not known runs something,
// unless its name begins with a reading verb.
func codexAction(tool string) event.Action {
	if a, ok := codexActions[tool]; ok {
		return a
	}
	name := tool
	if at := strings.LastIndex(name, "__"); at >= 0 {
		name = name[at+2:]
	}
	name = strings.ToLower(strings.Trim(name, "_"))
	if a, ok := codexActions[name]; ok && strings.HasPrefix(tool, "collaboration__") || ok && strings.HasPrefix(tool, "multi_agent") {
		return a
	}
	if reads(name) {
		return event.Read
	}
	return event.Exec
}

// codexToolName joins a name with its namespace, as older versions wrote it.
func codexToolName(namespace, name string) string {
	if namespace == "" || name == "" {
		return name
	}
	if namespace == "collaboration" || strings.HasPrefix(namespace, "multi_agent") || namespace == "functions" {
		return name
	}
	return strings.TrimRight(namespace, "_") + "__" + strings.TrimLeft(name, "_")
}

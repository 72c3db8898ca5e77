#!/bin/sh
# A Claude Code project, from nothing to the first pattern. Run it in an empty folder.
set -eu

# Writes hooks into .claude/settings.local.json. Everything else in that file stays as it is.
npx rsi-loop install claude

# Claude Code calls the hook after each tool. These are three such calls, by hand.
for session in monday tuesday wednesday; do
  echo "{\"session_id\":\"$session\",\"hook_event_name\":\"PostToolUseFailure\",\"tool_name\":\"Bash\",\"error\":\"Exit code 127: pnpm: command not found\"}" |
    npx rsi-loop hook claude --store rsi_data --no-background
done

# At the end of a session, the hook does this in the background.
npx rsi-loop watch rsi_data/hooks/inbox --store rsi_data --once --settle 0

npx rsi-loop analyze rsi_data
npx rsi-loop uninstall claude

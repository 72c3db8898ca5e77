/** Lines of a transcript, as a story of what a user said and an agent did. */
export type Event =
  | { readonly user: string }
  | { readonly says: string }
  | { readonly runs: string; readonly prints: string; readonly fails?: true }
  | { readonly edits: string }
  | { readonly refused: string; readonly saying?: string }
  | { readonly todos: readonly (readonly [string, string])[] };

/** Writes the story as a transcript of Claude Code. */
export function transcript(session: string, events: readonly Event[]): string {
  let count = 0;
  const rows = events.flatMap((event) => {
    const id = `call-${++count}`;
    const at = { sessionId: session, timestamp: new Date(Date.UTC(2026, 0, 5, 9, count)).toISOString() };
    const user = (content: unknown) => ({ ...at, type: 'user', message: { role: 'user', content } });
    const agent = (block: object) => ({
      ...at,
      type: 'assistant',
      message: { id: `m${count}`, model: 'some-model', role: 'assistant', content: [block] },
    });
    const call = (name: string, input: object) => agent({ type: 'tool_use', id, name, input });
    const result = (content: string, failed = false) =>
      user([{ type: 'tool_result', tool_use_id: id, content, is_error: failed }]);
    if ('user' in event) return [user(event.user)];
    if ('says' in event) return [agent({ type: 'text', text: event.says })];
    if ('edits' in event) return [call('Edit', { file_path: event.edits }), result('The file has been updated.')];
    if ('todos' in event) {
      const todos = event.todos.map(([content, status]) => ({ content, status }));
      return [call('TodoWrite', { todos }), result('Todos have been modified')];
    }
    if ('refused' in event) {
      const said = event.saying === undefined ? '' : ` To tell you how to proceed, the user said:\n${event.saying}`;
      return [
        call('Bash', { command: event.refused }),
        result(`The user doesn't want to proceed with this tool use.${said}`, true),
      ];
    }
    return [call('Bash', { command: event.runs }), result(event.prints, event.fails)];
  });
  return rows.map((row) => JSON.stringify(row)).join('\n');
}

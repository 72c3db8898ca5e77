/** Writes session transcripts in the form Claude Code gives them, for tests and benchmarks. */
export type Row = Readonly<Record<string, unknown>>;

export class Transcript {
  readonly rows: Row[] = [];
  private readonly session: string;
  private readonly startMs: number;
  private seconds = 0;
  private count = 0;

  constructor(session: string, startMs = Date.UTC(2026, 4, 5, 12)) {
    this.session = session;
    this.startMs = startMs;
  }

  get text(): string {
    return `${this.rows.map((row) => JSON.stringify(row)).join('\n')}\n`;
  }

  wait(seconds: number): this {
    this.seconds += seconds;
    return this;
  }

  prompt(text: string): this {
    return this.add('user', { role: 'user', content: text });
  }

  /** One line of an answer; the lines of one answer share `id` and each repeat its usage. */
  answer(id: string, block: Row, options: { readonly output?: number; readonly sidechain?: boolean } = {}): this {
    const usage = {
      input_tokens: 10,
      cache_creation_input_tokens: 20,
      cache_read_input_tokens: 70,
      output_tokens: options.output ?? 5,
    };
    const message = { id, type: 'message', role: 'assistant', model: 'claude-sonnet-9', content: [block], usage };
    return this.add('assistant', message, { isSidechain: options.sidechain === true });
  }

  call(id: string, tool: string, options: { readonly message?: string; readonly sidechain?: boolean } = {}): this {
    return this.answer(options.message ?? `msg_${id}`, { type: 'tool_use', id, name: tool, input: { a: 1 } }, options);
  }

  result(id: string, content: unknown, options: { readonly error?: boolean; readonly detail?: unknown } = {}): this {
    const block = { type: 'tool_result', tool_use_id: id, content, ...(options.error && { is_error: true }) };
    return this.add('user', { role: 'user', content: [block] }, { toolUseResult: options.detail ?? { stdout: '' } });
  }

  add(type: string, message: Row | undefined, extra: Row = {}): this {
    this.count++;
    this.rows.push({
      parentUuid: null,
      isSidechain: false,
      userType: 'external',
      cwd: '/home/ada/project',
      sessionId: this.session,
      version: '2.1.0',
      type,
      ...(message && { message }),
      uuid: `uuid-${this.session}-${this.count}`,
      timestamp: new Date(this.startMs + this.seconds * 1000).toISOString(),
      ...extra,
    });
    this.seconds++;
    return this;
  }
}

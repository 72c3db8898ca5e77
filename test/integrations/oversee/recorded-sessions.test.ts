import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ProgressWatch, type WatchedCall } from 'rsi-loop/oversee';
import { describe, expect, it } from 'vitest';

const samples = join(import.meta.dirname, '../../../../shared/data/traces');

interface Content {
  readonly type?: string;
  readonly id?: string;
  readonly name?: string;
  readonly input?: unknown;
  readonly tool_use_id?: string;
  readonly content?: unknown;
  readonly is_error?: boolean;
}

/** Tool calls of a transcript of Claude Code, in the order of their results. */
function callsOf(file: string): readonly WatchedCall[] {
  const asked = new Map<string, Content>();
  return readFileSync(file, 'utf8')
    .split('\n')
    .filter(Boolean)
    .flatMap((line): readonly Content[] => {
      const { message } = JSON.parse(line) as { readonly message?: { readonly content?: unknown } };
      return Array.isArray(message?.content) ? (message.content as readonly Content[]) : [];
    })
    .flatMap((part): readonly WatchedCall[] => {
      if (part.type === 'tool_use' && part.id !== undefined) asked.set(part.id, part);
      const use = part.type === 'tool_result' ? asked.get(part.tool_use_id ?? '') : undefined;
      if (!use) return [];
      const tool = use.name ?? 'tool';
      const error = part.is_error ? { error: JSON.stringify(part.content) } : {};
      return [{ tool, input: use.input, result: part.content, ...error }];
    });
}

/** Tool calls of a rollout of Codex. */
function codexCalls(file: string): readonly WatchedCall[] {
  const asked = new Map<string, { readonly name?: string; readonly arguments?: string }>();
  return readFileSync(file, 'utf8')
    .split('\n')
    .filter(Boolean)
    .flatMap((line): readonly WatchedCall[] => {
      const { payload = {} } = JSON.parse(line) as { readonly payload?: Record<string, unknown> };
      const id = String(payload.call_id);
      if (payload.type === 'function_call') asked.set(id, payload);
      const call = payload.type === 'function_call_output' ? asked.get(id) : undefined;
      return call ? [{ tool: call.name ?? 'tool', input: call.arguments, result: payload.output }] : [];
    });
}

function files(folder: string): readonly string[] {
  const found = readdirSync(join(samples, folder), { recursive: true, encoding: 'utf8' });
  return found.filter((name) => name.endsWith('.jsonl')).map((name) => join(samples, folder, name));
}

describe.skipIf(!existsSync(samples))('recorded sessions of coding agents', () => {
  it.each([
    ['claude-code', callsOf, 50],
    ['codex', codexCalls, 30],
  ] as const)('of %s are never stopped', (folder, read, atLeast) => {
    const sessions = files(folder).map(read);
    expect(sessions.flat().length).toBeGreaterThan(atLeast);
    for (const calls of sessions) {
      const watch = new ProgressWatch(0);
      const steps = calls.map((call, index) => watch.add(call, index)?.step);
      expect(steps).not.toContain('stop');
      expect(steps).not.toContain('notify');
    }
  });
});

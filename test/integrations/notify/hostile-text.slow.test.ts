import { marked } from 'marked';
import { RSILoop } from 'rsi-loop';
import { type NotifyTarget, notifier } from 'rsi-loop/notify';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { desktopCommand } from '../../../integrations/notify/desktop.js';
import { HOSTILE_TEXTS } from './hostile-names.js';
import { type Receiver, receive } from './receiver.js';

const KINDS = ['slack', 'discord', 'teams', 'webhook', 'email'] as const;
let receivers: ReadonlyMap<(typeof KINDS)[number], Receiver>;

/** Sends one alert per text to real servers of every kind: the text is task, message, tool and model of a pattern. */
beforeAll(async () => {
  receivers = new Map(await Promise.all(KINDS.map(async (kind) => [kind, await receive()] as const)));
  const mail = { from: 'rsi@example.com', to: ['me@example.com'] };
  const targets = [...receivers].map(
    ([kind, { url }]) => ({ kind, url, ...(kind === 'email' && mail) }) as NotifyTarget,
  );
  for (const text of HOSTILE_TEXTS) {
    const loop = new RSILoop();
    loop.sources.attach(notifier({ targets }));
    for (let call = 0; call < 30; call++) {
      const failed = call % 2 === 0;
      const where = { model: failed ? text : 'other', tool: text };
      loop.observer.recordSimple(text, { ...where, ...(failed ? { success: false, error: text } : { success: true }) });
    }
    await loop.runCycle();
    await loop.close();
  }
}, 120_000);

afterAll(async () => {
  for (const receiver of receivers.values()) await receiver.close();
});

interface Text {
  readonly type: string;
  readonly text: string;
}

/** Bodies that the services receive. The tests below compare the other members. */
interface Bodies {
  readonly slack: { readonly text: string; readonly blocks: readonly { readonly type: string; readonly text: Text }[] };
  readonly discord: { readonly content: string };
  readonly teams: {
    readonly type: string;
    readonly attachments: readonly {
      readonly contentType: string;
      readonly content: {
        readonly actions?: unknown;
        readonly body: readonly { readonly type: string; readonly inlines: readonly Text[] }[];
      };
    }[];
  };
  readonly webhook: { readonly title: string; readonly lines: readonly string[] };
  readonly email: Readonly<Record<'from' | 'subject' | 'text' | 'html', string>> & { readonly to: readonly string[] };
}

function bodiesOf<Kind extends keyof Bodies>(kind: Kind): readonly Bodies[Kind][] {
  const received = receivers.get(kind)?.received ?? [];
  expect(received.length).toBe(HOSTILE_TEXTS.length);
  return received.map(({ body }) => body as Bodies[Kind]); // a wrong shape fails the test that reads it
}

/** Returns the texts in a value, at any depth. */
function textsIn(value: unknown): readonly string[] {
  if (typeof value === 'string') return [value];
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(textsIn) : [];
}

/** Expects that Markdown with all extensions of GitHub is nothing but text and line breaks. */
function expectPlain(text: string): void {
  const types = new Set<string>();
  marked.walkTokens(marked.lexer(text, { gfm: true, breaks: true }), ({ type }) => void types.add(type));
  expect(
    [...types].filter((type) => !['paragraph', 'text', 'br', 'space'].includes(type)),
    text,
  ).toEqual([]);
  expect(text).not.toMatch(
    /[@<>[\]`*~|\\]|:\/\/|\/\/|&#?\w+;|:\w+:|\{\{|\$\{|www\.|\b(?:mailto|javascript|data|tel):/i,
  );
  expect(text.replaceAll('\n', ' ')).not.toMatch(/[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/u);
  expect(text).not.toMatch(/[\p{L}\p{N}]\.\p{L}{2}/u);
}

describe('200 hostile texts', () => {
  it('reach Slack as plain text, without mention or link', () => {
    for (const { text, blocks, ...rest } of bodiesOf('slack')) {
      expectPlain(text.replaceAll('&amp;', '&'));
      expect(rest).toEqual({ mrkdwn: false, link_names: false, unfurl_links: false, unfurl_media: false });
      for (const block of blocks) {
        expect(block).toEqual({ type: block.type, text: { type: 'plain_text', text: block.text.text, emoji: false } });
        expectPlain(block.text.text);
        expect(block.text.text.length).toBeLessThanOrEqual(block.type === 'header' ? 150 : 3_000);
      }
    }
  });

  it('reach Discord without mention, link or markup', () => {
    for (const { content, ...rest } of bodiesOf('discord')) {
      expectPlain(content);
      expect(content.length).toBeLessThanOrEqual(2_000);
      expect(rest).toEqual({ allowed_mentions: { parse: [] }, flags: 4 });
    }
  });

  it('reach Teams as text runs, which have no Markdown', () => {
    for (const { type, attachments } of bodiesOf('teams')) {
      expect(type).toBe('message');
      const [{ contentType, content } = expect.fail()] = attachments;
      expect(contentType).toBe('application/vnd.microsoft.card.adaptive');
      expect(content.actions).toBeUndefined();
      for (const { type, inlines } of content.body) {
        expect(type).toBe('RichTextBlock');
        for (const inline of inlines) {
          expect(inline.type).toBe('TextRun');
          expectPlain(inline.text);
        }
      }
    }
  });

  it('reach a webhook as plain text in every field', () => {
    for (const body of bodiesOf('webhook'))
      for (const text of textsIn(body)) if (text !== 'rsi-alert/1') expectPlain(text);
  });

  it('reach e-mail without a tag or a header of their own', () => {
    for (const { from, to, subject, text, html } of bodiesOf('email')) {
      expect({ from, to }).toEqual({ from: 'rsi@example.com', to: ['me@example.com'] });
      expect(subject).not.toMatch(/[\r\n]/);
      for (const one of [subject, text]) expectPlain(one);
      expect(html.replace(/<\/?(?:p|strong)>/g, '')).not.toMatch(/[<>"']|&(?!#\d+;)/);
    }
  });

  it('are arguments of desktop programs, never options or script', () => {
    for (const { title, lines } of bodiesOf('webhook')) {
      const message = { kind: 'note', atMs: 0, title, lines } as const;
      const linux = desktopCommand(message, 'linux');
      expect(linux.args.slice(0, 2)).toEqual(['--app-name=rsi', '--']);
      expect(linux.args).toHaveLength(4);
      const mac = desktopCommand(message, 'darwin');
      expect(mac.args.slice(-3)).toEqual(['--', title, mac.args.at(-1)]);
      const windows = desktopCommand(message, 'win32');
      expect(windows.args).toEqual(desktopCommand({ ...message, title: 'x', lines: [] }, 'win32').args);
      expect(windows.environment?.RSI_ALERT_TITLE).toBe(title);
    }
  });
});

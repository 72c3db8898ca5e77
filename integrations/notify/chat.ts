import type { Message } from './message.js';
import type { NotifyTarget } from './notify-options.js';

const MAX_DISCORD = 1_900;
/** Discord flag: shows no previews of links. */
const SUPPRESS_EMBEDS = 4;

/** Returns the body of a message for a service. Recorded text in it is already neutral. */
export function bodyFor(target: Exclude<NotifyTarget, { kind: 'desktop' }>, message: Message): object {
  switch (target.kind) {
    case 'slack':
      return slackBody(message);
    case 'discord':
      return discordBody(message);
    case 'teams':
      return teamsBody(message);
    case 'email':
      return emailBody(target, message);
    case 'webhook':
      return { format: 'rsi-alert/1', ...message, text: plainMessage(message) };
    default:
      return target satisfies never;
  }
}

/** Joins title, lines and link as plain text. */
export function plainMessage({ title, lines, link }: Message): string {
  return [title, ...lines, ...(link === undefined ? [] : [link])].join('\n');
}

/** Blocks of plain text, in which Slack finds no markup. `text` is what a phone previews. */
function slackBody(message: Message): object {
  const { title, lines, link } = message;
  const plain = (text: string) => ({ type: 'plain_text', text, emoji: false });
  const escaped = plainMessage({ ...message, lines: lines.slice(0, 2), ...(link !== undefined && { link: '' }) });
  return {
    text: escaped.trim().replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;'),
    ...{ mrkdwn: false, link_names: false, unfurl_links: false, unfurl_media: false },
    blocks: [
      { type: 'header', text: plain(title) },
      ...(lines.length > 0 ? [{ type: 'section', text: plain(lines.join('\n').slice(0, 2_900)) }] : []),
      ...(link === undefined
        ? []
        : [{ type: 'actions', elements: [{ type: 'button', text: plain('Open'), url: link }] }]),
    ],
  };
}

function discordBody({ title, lines, link }: Message): object {
  const content = [title, ...lines].join('\n').slice(0, MAX_DISCORD);
  return {
    content: link === undefined ? content : `${content}\n<${link}>`,
    allowed_mentions: { parse: [] },
    flags: SUPPRESS_EMBEDS,
  };
}

/** Card for a Teams workflow. Text runs, unlike text blocks, have no Markdown. */
function teamsBody({ title, lines, link }: Message): object {
  const paragraph = (text: string, style: object = {}) => ({
    type: 'RichTextBlock',
    inlines: [{ type: 'TextRun', text, ...style }],
  });
  const content = {
    $schema: 'http://adaptivecards.io/schemas/adaptive-card.json',
    ...{ type: 'AdaptiveCard', version: '1.4', fallbackText: title, msteams: { width: 'Full' } },
    body: [paragraph(title, { weight: 'Bolder', size: 'Medium' }), ...lines.map((line) => paragraph(line))],
    ...(link !== undefined && { actions: [{ type: 'Action.OpenUrl', title: 'Open', url: link }] }),
  };
  const contentType = 'application/vnd.microsoft.card.adaptive';
  return { type: 'message', summary: title, attachments: [{ contentType, contentUrl: null, content }] };
}

function emailBody({ from, to }: Extract<NotifyTarget, { kind: 'email' }>, message: Message): object {
  const { title, lines, link } = message;
  const paragraphs = [`<p><strong>${html(title)}</strong></p>`, ...lines.map((line) => `<p>${html(line)}</p>`)];
  if (link !== undefined) paragraphs.push(`<p><a href="${html(link)}">Open</a></p>`);
  return { from, to, subject: `rsi: ${title}`, text: plainMessage(message), html: paragraphs.join('\n') };
}

function html(text: string): string {
  return text.replace(/[&<>"']/g, (sign) => `&#${sign.charCodeAt(0)};`);
}

import type { WriteStream } from 'node:tty';
import { styleText } from 'node:util';

type Style = Parameters<typeof styleText>[0];

/** Function that styles text, or returns it unchanged. Pad before painting: styles count as characters. */
export type Paint = (style: Style, text: string) => string;

/** Returns colours only for a terminal that supports them; `NO_COLOR` and `TERM=dumb` turn them off. */
export function paintFor(stream: WriteStream | NodeJS.WriteStream): Paint {
  const { NO_COLOR } = process.env;
  if (!stream.isTTY || NO_COLOR || !stream.hasColors()) return plainly;
  return (style, text) => styleText(style, text, { validateStream: false });
}

const plainly: Paint = (_style, text) => text;

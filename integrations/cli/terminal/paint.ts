import type { WriteStream } from 'node:tty';
import { styleText } from 'node:util';

type Style = Parameters<typeof styleText>[0];

/** Puts a style on text, or leaves it as it is. Pad before painting: styles count as characters. */
export type Paint = (style: Style, text: string) => string;

/** Colours only where the stream is a terminal that has them; `NO_COLOR` and `TERM=dumb` turn them off. */
export function paintFor(stream: WriteStream | NodeJS.WriteStream): Paint {
  const { NO_COLOR } = process.env;
  if (!stream.isTTY || NO_COLOR || !stream.hasColors()) return plainly;
  return (style, text) => styleText(style, text, { validateStream: false });
}

const plainly: Paint = (_style, text) => text;

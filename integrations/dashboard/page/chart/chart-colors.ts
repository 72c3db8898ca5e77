import type { ChartTone } from './chart-data.js';

/** Colours of the theme in use, for drawing on a canvas. */
export interface ChartColors {
  readonly text: string;
  readonly dim: string;
  readonly hairline: string;
  readonly ground: string;
  readonly font: string;
  readonly tones: Readonly<Record<ChartTone, string>>;
  /** The same colours with the contrast that text needs. */
  readonly texts: Readonly<Record<ChartTone, string>>;
}

export function chartColors(): ChartColors {
  const style = getComputedStyle(document.documentElement);
  const color = (name: string) => style.getPropertyValue(name).trim();
  return {
    text: color('--text'),
    dim: color('--dim'),
    hairline: color('--hairline'),
    ground: color('--ground'),
    font: `12px ${getComputedStyle(document.body).fontFamily}`,
    tones: {
      accent: color('--trial'),
      control: color('--control'),
      failing: color('--failing'),
      confirmed: color('--confirmed'),
    },
    texts: {
      accent: color('--trial-text'),
      control: color('--dim'),
      failing: color('--failing-text'),
      confirmed: color('--confirmed-text'),
    },
  };
}

/** Returns the colour with an opacity, for bands. */
export function translucent(hex: string, opacity: number): string {
  const byte = Math.round(opacity * 255);
  return `${hex}${byte.toString(16).padStart(2, '0')}`;
}

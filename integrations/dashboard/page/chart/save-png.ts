import { saveFile } from '../lib/save-file.js';
import { chartColors } from './chart-colors.js';

const TITLE_PX = 28;

/** Saves a chart with its title on the ground colour of the page. */
export function savePng(chart: HTMLCanvasElement, title: string): void {
  const ratio = devicePixelRatio;
  const canvas = document.createElement('canvas');
  canvas.width = chart.width;
  canvas.height = chart.height + TITLE_PX * ratio;
  const context = canvas.getContext('2d');
  if (!context) return;
  const { ground, text, font } = chartColors();
  context.fillStyle = ground;
  context.fillRect(0, 0, canvas.width, canvas.height);
  context.fillStyle = text;
  context.font = font.replace('12px', `600 ${13 * ratio}px`);
  context.fillText(title, 8 * ratio, 19 * ratio);
  context.drawImage(chart, 0, TITLE_PX * ratio);
  canvas.toBlob((blob) => {
    if (blob) saveFile(`${title.replace(/\W+/g, '-').toLowerCase()}.png`, blob);
  });
}

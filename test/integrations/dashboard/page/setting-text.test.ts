import { describe, expect, it } from 'vitest';
import { forecastText } from '../../../../integrations/dashboard/page/lib/sentences.js';
import { boundsText, settingText } from '../../../../integrations/dashboard/page/lib/setting-text.js';

const plain = (text: string) => text.replaceAll('\u00a0', ' ');

describe('the table of settings', () => {
  const ms = { min: 50, max: 600_000, unit: 'ms' };

  it.each([
    [{ 'claude-big': 0.95, 'gpt-mini': 0.05 }, 'claude-big 95 %, gpt-mini 5.0 %'],
    [['sonnet', 'haiku'], 'sonnet, haiku'],
    [[], 'none'],
    [{}, 'none'],
    [true, 'yes'],
    [false, 'no'],
    [10_000, '10,000'],
    [0.25, '0.25'],
    [0, '0'],
  ])('writes %j as %s, not as JSON', (value, text) => expect(plain(settingText({ value }))).toBe(text));

  it('says none for a 0 that means no limit', () => {
    expect(settingText({ value: 0, bounds: ms })).toBe('none');
    expect(settingText({ value: 0, bounds: { min: 0, max: 4, unit: 'attempts' } })).toBe('0');
  });

  it('says what a fix may set, also if that is nothing', () => {
    expect(boundsText(ms)).toBe('50 to 600,000 ms');
    expect(boundsText({ min: 0, max: 0, unit: 'attempts' })).toBe('nothing');
  });
});

describe('the forecast of a trial', () => {
  it('counts sessions if arms are drawn for sessions', () => {
    const forecast = { kind: 'testable', tasks: 4_381 } as const;
    expect(plain(forecastText({ forecast, unit: 'session' }))).toContain('4,381 sessions');
    expect(plain(forecastText({ forecast, unit: 'block' }))).toContain('4,381 tasks');
  });
});

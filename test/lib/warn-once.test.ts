import { RSILoop } from 'rsi-loop';
import { afterEach, expect, it, vi } from 'vitest';

afterEach(() => vi.restoreAllMocks());

it('prints an unhandled problem once per place as a process warning, and never one that is handled', () => {
  const warn = vi.spyOn(process, 'emitWarning').mockImplementation(() => {});
  const heard = new RSILoop();
  const problems: string[] = [];
  const stop = heard.on('problem', ({ where }) => problems.push(where));
  heard.observer.record({ nothing: 'that is an outcome' });
  expect(problems).toContain('observe');
  expect(warn).not.toHaveBeenCalled();
  stop();
  for (let count = 0; count < 200; count++) heard.observer.record({ nothing: `that is an outcome, ${count}` });
  expect(warn).toHaveBeenCalledOnce();
  expect(warn.mock.calls[0]?.[0]).toContain("handle these with loop.on('problem', ...)");
});

it('goes on where the platform refuses warnings', () => {
  vi.spyOn(process, 'emitWarning').mockImplementation(() => {
    throw new Error('no warnings here');
  });
  expect(() => new RSILoop().observer.record({ nothing: 1 })).not.toThrow();
});

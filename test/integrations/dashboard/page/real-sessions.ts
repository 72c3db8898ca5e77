import { existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { RSILoop } from 'rsi-loop';
import { FileStore } from 'rsi-loop/node';
import { importInto } from 'rsi-loop/sources/import';
import { FollowedFolder } from '../../../../integrations/cli/dashboard/followed-folder.js';
import { mountViews } from '../../../../integrations/dashboard/server/mount.js';
import { PageTests } from './browser.js';

/** Folder of transcripts of a coding agent: `RSI_SESSIONS`, or those beside the repository. */
export const SESSIONS = resolve(process.env.RSI_SESSIONS ?? '../shared/data/sessions');

/** Why tests on real sessions are skipped; undefined if they run. */
export const NO_SESSIONS =
  existsSync(SESSIONS) && readdirSync(SESSIONS).some((name) => /\.jsonl(\.gz)?$/.test(name))
    ? undefined
    : `no transcripts in ${SESSIONS}: set RSI_SESSIONS`;

/** A dashboard of real sessions, imported into a store of its own. */
export class RealSessions {
  private constructor(
    readonly tests: PageTests,
    /** Address of the page, and the one that signs in. */
    readonly url: string,
    readonly openUrl: string,
    private readonly source: FollowedFolder,
    private readonly folder: string,
  ) {}

  static async start(sessions = SESSIONS): Promise<RealSessions> {
    const folder = mkdtempSync(join(tmpdir(), 'rsi-real-'));
    const store = new FileStore(folder);
    await importInto(store, sessions, { findings: 'aside' });
    const loop = new RSILoop({ store, autoFix: false });
    await loop.ready();
    await loop.runCycle();
    await loop.close();
    const tests = await PageTests.start();
    const source = await FollowedFolder.open(folder);
    const { url, openUrl } = await tests.mount((assets) =>
      mountViews(source, { assets }, { onProblem: (message) => tests.errors.push(message) }),
    );
    return new RealSessions(tests, url, openUrl, source, folder);
  }

  /** Returns the screens that have something to show: a name, and the path of the page. */
  async screens(): Promise<readonly (readonly [name: string, path: string])[]> {
    const patterns = (await this.source.view('patterns', { range: 'all' }))?.patterns ?? [];
    const worst = [...patterns].sort((a, b) => b.impact.score - a.impact.score)[0];
    const session = (await this.source.view('sessions', {}))?.sessions.find(({ failures }) => failures > 1);
    const { remarks = [], waiting = [] } = (await this.source.view('review', {})) ?? {};
    const fix = [...waiting, ...remarks][0];
    const below = (screen: string, id = '') => `${screen}/${encodeURIComponent(id)}`;
    return [
      ['overview', ''],
      ['overview-all', '?range=all'],
      ['patterns', 'patterns'],
      ['patterns-all', 'patterns?range=all'],
      ['pattern', `${below('patterns', worst?.id)}?range=all`],
      ['sessions', 'sessions'],
      ['session', below('sessions', session?.id)],
      ['trials', 'trials'],
      ...(fix ? [['fix', below('trials', fix.id)] as const] : []),
      ['review', 'review'],
      ['models', 'models'],
      ['settings', 'settings'],
      ['ledger', 'ledger'],
      ['store', 'store'],
    ];
  }

  async close(): Promise<void> {
    await this.tests.close();
    await this.source.close();
    rmSync(this.folder, { recursive: true, force: true });
  }
}

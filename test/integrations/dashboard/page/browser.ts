import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import { createRequire } from 'node:module';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Browser, type BrowserContextOptions, chromium, type Page } from 'playwright-core';
import type { Dashboard } from '../../../../integrations/dashboard/server/mount.js';
import { buildDashboard } from '../../../../scripts/build-dashboard.js';
import { FixtureServer } from './fixture-server.js';
import type { Views } from './fixture-views.js';

const PLACES = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'];

/** Path of the installed browser, or undefined with the reason to skip. CI installs one. */
export const BROWSER = process.env.CHROMIUM ?? PLACES.find((place) => existsSync(place));
export const NO_BROWSER = BROWSER === undefined && process.env.CI === undefined;

/** A browser, and servers of the page as it is now. */
export class PageTests {
  readonly #browser: Browser;
  readonly #folder: string;
  readonly #servers: FixtureServer[] = [];
  readonly #real = new Set<() => Promise<void>>();
  /** Errors that a page threw or that its content security policy blocked. */
  readonly errors: string[] = [];

  private constructor(browser: Browser, folder: string) {
    this.#browser = browser;
    this.#folder = folder;
  }

  static async start(): Promise<PageTests> {
    if (BROWSER === undefined) throw new Error('no Chromium is installed: apt-get install chromium, or set CHROMIUM');
    const folder = mkdtempSync(join(tmpdir(), 'rsi-page-'));
    await buildDashboard(folder);
    return new PageTests(
      await chromium.launch({ executablePath: BROWSER, args: ['--no-sandbox', '--disable-lcd-text'] }),
      folder,
    );
  }

  async serve(views: Views, prefix = '/'): Promise<{ readonly server: FixtureServer; readonly url: string }> {
    const server = new FixtureServer(views, this.#folder, prefix);
    this.#servers.push(server);
    return { server, url: await server.listen() };
  }

  /** Serves a real dashboard with the page as it is now. Returns the address of the page and the one that signs in. */
  async mount(
    create: (assets: string) => Dashboard,
  ): Promise<{ readonly url: string; readonly openUrl: string; readonly close: () => Promise<void> }> {
    const dashboard = create(this.#folder);
    const server = createServer((request, response) => {
      if (!dashboard.handle(request, response)) response.writeHead(404).end();
    });
    await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
    const { port } = server.address() as AddressInfo; // it listens on a port
    const origin = `http://127.0.0.1:${port}`;
    const close = async () => {
      this.#real.delete(close);
      await dashboard.close();
      server.closeAllConnections();
      await new Promise((closed) => server.close(closed));
    };
    this.#real.add(close);
    return { url: `${origin}/`, openUrl: origin + dashboard.openPath, close };
  }

  async open(url: string, options: BrowserContextOptions = {}): Promise<Page> {
    const page = await this.#browser.newPage({ viewport: { width: 1_440, height: 900 }, ...options });
    page.on('pageerror', (error) => this.errors.push(`${error}`));
    page.on('console', (message) => {
      // The console also names failed requests, which some tests provoke.
      if (message.type() === 'error' && !message.text().startsWith('Failed to load')) this.errors.push(message.text());
    });
    await page.goto(url);
    return page;
  }

  async close(): Promise<void> {
    await this.#browser.close();
    for (const server of this.#servers) await server.close();
    for (const close of [...this.#real]) await close();
    rmSync(this.#folder, { recursive: true, force: true });
  }
}

/** Waits until the screen of the address is drawn, with every view that it shows. */
export async function drawn(page: Page): Promise<void> {
  await page.locator('main h1').first().waitFor();
  const busy = page.locator('main [aria-busy="true"]');
  while ((await busy.count()) > 0) await busy.first().waitFor({ state: 'detached' });
}

const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

/** Returns what axe-core finds wrong with the page as it is. */
export async function axeViolations(page: Page): Promise<readonly string[]> {
  await page.evaluate(AXE);
  return page.evaluate(async () => {
    const { axe } = globalThis as unknown as { axe: typeof import('axe-core') }; // the line above put it there
    const { violations } = await axe.run({ resultTypes: ['violations'] });
    return violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html.slice(0, 200)).join(' | ')}`);
  });
}

import { execFile } from 'node:child_process';
import { createReadStream, existsSync, readdirSync, readFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { extname, join } from 'node:path';
import { promisify } from 'node:util';
import { type Browser, chromium, type Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { axeViolations, BROWSER, NO_BROWSER } from '../integrations/dashboard/page/browser.js';
import { PAGES, ROOT } from './code-blocks.js';

const SITE = join(ROOT, '.site');
const TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript',
  '.css': 'text/css',
  '.png': 'image/png',
  '.svg': 'image/svg+xml',
};

/** Serves the built site as any web server for files does. */
async function serveSite(): Promise<{ readonly server: Server; readonly url: string }> {
  const server = createServer(({ url = '/' }, response) => {
    const path = decodeURIComponent(new URL(url, 'http://localhost').pathname);
    const file = join(SITE, path.endsWith('/') ? `${path}index.html` : path);
    if (!existsSync(file)) return response.writeHead(404).end();
    response.setHeader('content-type', TYPES[extname(file)] ?? 'application/octet-stream');
    return createReadStream(file).pipe(response);
  });
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  return { server, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` }; // it listens on a port
}

/** Returns the addresses on other machines from which a file of the site loads anything. Links may lead there. */
function loadedFrom(file: string, text: string): readonly string[] {
  const sources: Readonly<Record<string, RegExp>> = {
    '.html': /<(?:script|link|img|iframe|source|video)\b[^>]*?(?:src|href)="((?:https?:)?\/\/[^"]+)"/g,
    '.css': /(?:url\(|@import )["']?((?:https?:)?\/\/[^"')]+)/g,
  };
  const source = sources[extname(file)];
  return source ? [...text.matchAll(source)].map(([, address = '']) => address) : [];
}

let built: Promise<readonly string[]> | undefined;

/** Builds the site once, and returns its files. */
function builtSite(): Promise<readonly string[]> {
  built ??= promisify(execFile)('npm', ['run', '--silent', 'docs'], { cwd: ROOT, maxBuffer: 1e8 }).then(() =>
    readdirSync(SITE, { recursive: true, encoding: 'utf8' }).filter((file) => extname(file) !== ''),
  );
  return built;
}

/** Links of a page to this site. */
function linksOf(html: string): readonly string[] {
  const links = [...html.matchAll(/<a\b[^>]*? href="([^"]+)"/g)].map(([, link = '']) => link);
  return links.filter((link) => !/^(?:https?:|mailto:)/.test(link)).map((link) => link.replaceAll('&amp;', '&'));
}

describe('the documentation site', () => {
  const files: string[] = [];

  beforeAll(async () => {
    files.push(...(await builtSite()));
  }, 600_000);

  it('has each page of docs/, each example that a page links to, and each entry of the package', () => {
    const addresses = PAGES.filter((page) => page.startsWith('docs/')).map((page) =>
      page
        .replace(/^docs\/README\.md$/, 'pages.html')
        .replace(/^docs\//, '')
        .replace(/README\.md$/, 'index.html')
        .replace(/\.md$/, '.html'),
    );
    const entries = ['api/rsi-loop.html', 'api/rsi-loop/clients/fetch.html', 'api/rsi-loop/bench.html'];
    const expected = [...addresses, ...entries, 'examples/quickstart.ts.html'];
    expect(expected.filter((address) => !files.includes(address))).toEqual([]);
  });

  it('loads nothing from another machine', () => {
    const loaded = files.flatMap((file) => loadedFrom(file, readFileSync(join(SITE, file), 'utf8')));
    expect(loaded).toEqual([]);
    expect(loadedFrom('a.html', '<link rel="x" href="https://a.b/c"><a href="https://d.e/">')).toEqual([
      'https://a.b/c',
    ]);
  });

  it('has no link that leads nowhere', () => {
    const pages = files.filter((file) => file.endsWith('.html'));
    const texts = new Map(pages.map((page) => [`/${page}`, readFileSync(join(SITE, page), 'utf8')]));
    const broken = [...texts].flatMap(([page, text]) =>
      linksOf(text).filter((link) => {
        const { pathname, hash } = new URL(link, `http://site${page}`);
        const target = texts.get(pathname.endsWith('/') ? `${pathname}index.html` : pathname);
        const id = decodeURIComponent(hash.slice(1));
        return target === undefined ? !existsSync(join(SITE, pathname)) : id !== '' && !target.includes(`id="${id}"`);
      }),
    );
    expect([...new Set(broken)]).toEqual([]);
  });

  it('holds no path of the machine that built it', () => {
    expect(files.filter((file) => readFileSync(join(SITE, file), 'utf8').includes(ROOT))).toEqual([]);
  });
});

describe.skipIf(NO_BROWSER)('the documentation site in a browser without a network', { timeout: 120_000 }, () => {
  let browser: Browser;
  let site: Awaited<ReturnType<typeof serveSite>>;
  const outside: string[] = [];
  const errors: string[] = [];

  async function open(path: string, width: number, colorScheme: 'light' | 'dark' = 'light'): Promise<Page> {
    const page = await browser.newPage({ viewport: { width, height: 800 }, colorScheme, reducedMotion: 'reduce' });
    page.on('pageerror', (error) => errors.push(`${path}: ${error}`));
    await page.route('**/*', (route) => {
      const address = route.request().url();
      if (address.startsWith(site.url)) return route.continue();
      outside.push(address);
      return route.abort();
    });
    await page.goto(site.url + path, { waitUntil: 'load' });
    return page;
  }

  beforeAll(async () => {
    await builtSite();
    site = await serveSite();
    browser = await chromium.launch({ executablePath: BROWSER ?? '', args: ['--no-sandbox'] });
  }, 600_000);
  afterEach(() => {
    expect({ outside, errors }).toEqual({ outside: [], errors: [] });
  });
  afterAll(async () => {
    await browser.close();
    site.server.close();
  });

  it('finds a page by words of its text', async () => {
    const page = await open('/', 1_280);
    await page.locator('.VPNavBarSearch button').first().click();
    await page.locator('#localsearch-input').fill('kill switch');
    await page.locator('.result').first().waitFor();
    const found = await page.locator('.result').allTextContents();
    expect(found.join(' ')).toMatch(/freeze|command/i);
    await page.close();
  });

  it.each(['light', 'dark'] as const)('has enough contrast: %s', async (colors) => {
    const page = await open('/start.html', 360, colors);
    const contrast = (await axeViolations(page)).filter((violation) => violation.startsWith('color-contrast'));
    expect(contrast).toEqual([]);
    await page.close();
  });

  it.each(['light', 'dark'] as const)('fits 360 pixels in width: %s', async (colors) => {
    for (const path of ['/', '/start.html', '/cli.html', '/comparison.html', '/api/rsi-loop/node.html']) {
      const page = await open(path, 360, colors);
      const width = await page.evaluate(() => document.documentElement.scrollWidth);
      expect(width, path).toBeLessThanOrEqual(360);
      expect(await page.locator('h1').count(), path).toBeGreaterThan(0);
      expect(await page.evaluate(() => document.documentElement.classList.contains('dark')), path).toBe(
        colors === 'dark',
      );
      await page.close();
    }
  });
});

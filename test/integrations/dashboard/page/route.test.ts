import { describe, expect, it } from 'vitest';
import { address, parseRoute } from '../../../../integrations/dashboard/page/lib/route.js';
import { viewAt } from '../../../../integrations/dashboard/server/routes.js';

const IDS = ['.', '..', '~', '~.', '~~..', '...', 'a/b', '%2e', '%', 'ü ?#&', '__proto__', '\u0000'];

describe('the address of a session', () => {
  it('leads to its id in the page and at the server, whatever the id', () => {
    for (const id of IDS) {
      const path = address(['sessions', id], { q: 'x' });
      const url = new URL(path, 'http://host/admin/');
      expect(parseRoute(url, '/admin/'), id).toEqual({ segments: ['sessions', id], query: { q: 'x' } });
      expect(viewAt(url.pathname.slice('/admin/'.length), new URLSearchParams()), id).toEqual({
        name: 'session',
        params: { id },
      });
    }
  });
});

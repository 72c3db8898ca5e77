import { LoopError } from 'rsi-loop';
import type { SandboxPermissions } from './sandbox.js';
import { asksForAccess, type SkillContent } from './skill.js';

/** Returns the access that a skill asks for, one entry each, as people read it. */
export function accessWords({ asks }: Pick<SkillContent, 'asks'>): readonly string[] {
  const words = (verb: string, list: readonly string[] = []) => list.map((one) => `${verb} ${one}`);
  return [...words('network', asks?.hosts), ...words('read', asks?.read), ...words('write', asks?.write)];
}

/**
 * Checks that the host allows everything that a skill asks for.
 * @throws LoopError `not-accepted` naming the first entry that it does not allow.
 */
export function mustBeAllowed(
  { name, asks }: Pick<SkillContent, 'name' | 'asks'>,
  allow: SandboxPermissions = {},
): void {
  if (!asks || !asksForAccess(asks)) return;
  const say = (what: string, list: string) =>
    new LoopError(
      'not-accepted',
      `skill ${name} asks for ${what}, which is not allowed: add it to allow.${list} of openSkills`,
    );
  const host = asks.hosts?.find((one) => !(allow.hosts ?? []).some((allowed) => coversHost(allowed, one)));
  if (host !== undefined) throw say(`the network address ${host}`, 'hosts');
  for (const list of ['read', 'write'] as const) {
    const path = asks[list]?.find((one) => !(allow[list] ?? []).some((allowed) => coversPath(allowed, one)));
    if (path !== undefined) throw say(`the folder ${path}`, list);
  }
}

function coversHost(allowed: string, asked: string): boolean {
  return allowed === asked || (allowed.startsWith('*.') && asked.endsWith(allowed.slice(1)));
}

/** Returns whether a folder is the allowed one or lies in it, by its name. The sandbox resolves links. */
function coversPath(allowed: string, asked: string): boolean {
  const clean = (path: string) => path.replace(/^\.\//, '').replace(/\/$/, '');
  const [outer, inner] = [clean(allowed), clean(asked)];
  return !inner.split(/[\\/]/).includes('..') && (inner === outer || inner.startsWith(`${outer}/`));
}

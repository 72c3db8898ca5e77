import { readdir, readFile } from 'node:fs/promises';

/** Returns the memory of a process and all its descendants that is not backed by files, in bytes. 0 without `/proc`. */
export async function memoryOf(pid: number): Promise<number> {
  try {
    const status = await readFile(`/proc/${pid}/status`, 'utf8');
    const own = kilobytes(status, 'RssAnon') + kilobytes(status, 'RssShmem');
    const children = await Promise.all((await childrenOf(pid)).map(memoryOf));
    return children.reduce((sum, bytes) => sum + bytes, own * 1024);
  } catch {
    return 0; // it ended meanwhile
  }
}

function kilobytes(status: string, field: string): number {
  return Number(new RegExp(`^${field}:\\s*(\\d+)`, 'm').exec(status)?.[1] ?? 0);
}

async function childrenOf(pid: number): Promise<readonly number[]> {
  const threads = await readdir(`/proc/${pid}/task`);
  const lists = await Promise.all(threads.map((thread) => readFile(`/proc/${pid}/task/${thread}/children`, 'utf8')));
  return lists.flatMap((list) => list.split(' ').filter(Boolean).map(Number));
}

export function batches(tasks: Readonly<Record<string, readonly string[]>>): string[][] {
  const open = new Map(Object.entries(tasks));
  for (const need of [...open.values()].flat()) {
    if (!open.has(need)) throw new RangeError(`no task ${need}`);
  }
  const planned: string[][] = [];
  while (open.size > 0) {
    const ready = [...open].filter(([, needs]) => needs.every((need) => !open.has(need))).map(([name]) => name);
    if (ready.length === 0) throw new Error(`circle: ${[...open.keys()].sort().join(', ')}`);
    for (const name of ready) open.delete(name);
    planned.push(ready.sort());
  }
  return planned;
}

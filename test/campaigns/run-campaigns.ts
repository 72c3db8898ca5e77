/** Counts of a campaign, and which promises did not hold. */
interface CampaignReport {
  readonly broken: readonly string[];
  readonly [count: string]: unknown;
}

/** Takes the options `--<name>=<number>` from the command line, and returns their numbers. */
export function takeNumbers(name: string): readonly number[] {
  const start = `--${name}=`;
  const given = process.argv.filter((arg) => arg.startsWith(start));
  process.argv = process.argv.filter((arg) => !arg.startsWith(start));
  return given.map((arg) => {
    const text = arg.slice(start.length);
    if (!/^[1-9]\d*$/.test(text)) throw new Error(`${arg}: give a whole number above 0`);
    return Number(text);
  });
}

/** Runs those of a script whose names hold a word of the command line (all without one), and prints their counts. */
export function campaigns(): (name: string, campaign: () => Promise<CampaignReport>) => Promise<void> {
  const only = process.argv.slice(2).map((arg) => arg.replace(/^--/, ''));
  return async (name, campaign) => {
    if (only.length > 0 && !only.some((word) => name.includes(word))) return;
    const started = performance.now();
    const { broken, ...counts } = await campaign();
    const seconds = ((performance.now() - started) / 1_000).toFixed(0);
    console.log(`${name}: ${JSON.stringify(counts)}, promises broken: ${broken.length} (${seconds} s)`);
    for (const what of broken.slice(0, 10)) console.log(`  ${what}`);
    if (broken.length > 0) process.exitCode = 1;
  };
}

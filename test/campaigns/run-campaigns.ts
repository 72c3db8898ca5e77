/** What a campaign counted, and which promises did not hold. */
interface CampaignReport {
  readonly broken: readonly string[];
  readonly [count: string]: unknown;
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

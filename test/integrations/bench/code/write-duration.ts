export function parseDuration(text: string): number {
  const found = /^(?:(\d+)d)?(?:(\d+)h)?(?:(\d+)m)?(?:(\d+)s)?$/.exec(text);
  if (!found || text === '') throw new RangeError(`not a duration: ${text}`);
  const [, days = '0', hours = '0', minutes = '0', seconds = '0'] = found;
  return ((Number(days) * 24 + Number(hours)) * 60 + Number(minutes)) * 60 + Number(seconds);
}

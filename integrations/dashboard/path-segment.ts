/**
 * Recorded ids as segments of a path. Browsers resolve `.` and `..`, encoded or not, before they send an address, so these
 * get a mark in front. Ids that begin with the mark get another one.
 */
const MARK = '~';

export function writeSegment(id: string): string {
  return id === '.' || id === '..' || id.startsWith(MARK) ? MARK + id : id;
}

export function readSegment(segment: string): string {
  return segment.startsWith(MARK) ? segment.slice(MARK.length) : segment;
}

/**
 * Slow test files that take longest, in seconds on a quiet machine. A long file that begins last would leave all other
 * workers idle.
 */
export const SECONDS: Readonly<Record<string, number>> = {
  'verify/verdicts': 120,
  readme: 100,
  'integrations/dashboard/page/screens': 98,
  'docs/cookbook': 69,
  'integrations/dashboard/page/hostile-records': 66,
  'integrations/dashboard/page/pictures': 60,
  'integrations/cli/every-verb': 60,
  'scenarios/injections': 56,
  'examples/improve-code': 56,
  'integrations/cli/services': 56,
  'scenarios/whole-loop': 54,
  'integrations/bench/worlds': 43,
  'examples/programs': 42,
  'scenarios/shared-quota': 42,
  'node/processes': 37,
  'integrations/cli/skill-story': 29,
};

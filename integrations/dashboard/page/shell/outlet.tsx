import type { ComponentChild } from 'preact';
import { usePage } from '../lib/page-context.js';
import { ProblemNote } from '../parts/problem-note.js';
import { BenchmarkScreen } from '../screens/benchmark.js';
import { BenchmarksScreen } from '../screens/benchmarks.js';
import { ImprovementScreen } from '../screens/improvement.js';
import { LedgerScreen } from '../screens/ledger.js';
import { ModelsScreen } from '../screens/models.js';
import { OverviewScreen } from '../screens/overview.js';
import { PatternScreen } from '../screens/pattern.js';
import { PatternsScreen } from '../screens/patterns.js';
import { ReviewScreen } from '../screens/review.js';
import { RunScreen } from '../screens/run.js';
import { RunsScreen } from '../screens/runs.js';
import { SessionScreen } from '../screens/session.js';
import { SessionsScreen } from '../screens/sessions.js';
import { SettingsScreen } from '../screens/settings.js';
import { SkillScreen } from '../screens/skill.js';
import { SkillsScreen } from '../screens/skills.js';
import { StoreScreen } from '../screens/store.js';
import { TrialScreen } from '../screens/trial.js';
import { TrialsScreen } from '../screens/trials.js';
import { WorseScreen } from '../screens/worse.js';

/** Draws the screen of the address. A detail has the id as its second segment. */
export function Outlet() {
  const { segments } = usePage().route;
  const [screen = '', id, ...more] = segments;
  const draw = more.length > 0 ? undefined : id === undefined ? LISTS[screen] : DETAILS[screen];
  return <>{draw?.(id ?? '') ?? <ProblemNote problem={UNKNOWN} />}</>;
}

type Draw = (id: string) => ComponentChild;

const LISTS: Readonly<Record<string, Draw>> = {
  '': () => <OverviewScreen />,
  patterns: () => <PatternsScreen />,
  sessions: () => <SessionsScreen />,
  trials: () => <TrialsScreen />,
  review: () => <ReviewScreen />,
  models: () => <ModelsScreen />,
  runs: () => <RunsScreen />,
  skills: () => <SkillsScreen />,
  worse: () => <WorseScreen />,
  benchmarks: () => <BenchmarksScreen />,
  settings: () => <SettingsScreen />,
  ledger: () => <LedgerScreen />,
  store: () => <StoreScreen />,
};

const DETAILS: Readonly<Record<string, Draw>> = {
  patterns: (id) => <PatternScreen key={id} id={id} />,
  sessions: (id) => <SessionScreen key={id} id={id} />,
  trials: (id) => <TrialScreen id={id} />,
  runs: (id) => <RunScreen id={id} />,
  skills: (id) => <SkillScreen id={id} />,
  benchmarks: (id) => <BenchmarkScreen id={id} />,
  improvements: (id) => <ImprovementScreen id={id} />,
};

const UNKNOWN = { status: 404, message: 'There is no screen at this address. It may come from another version.' };

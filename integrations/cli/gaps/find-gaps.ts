import { createHash } from 'node:crypto';
import { FEATURE_KINDS, type Feature, type FeatureKind, featureKey, wordsOf } from './feature.js';
import type { Project } from './read-project.js';

/** Something that others offer and the own project does not. */
export interface Gap {
  /** Same in every run, so that it can be quoted. */
  readonly id: string;
  readonly kind: FeatureKind;
  readonly name: string;
  /** First place in each project that has it. */
  readonly evidence: readonly { readonly project: string; readonly file: string; readonly line: number }[];
  /** Feature of the own project with the most words in common. */
  readonly near?: { readonly name: string; readonly file: string; readonly line: number };
}

/** Share of common words from which two features are near. */
const NEAR = 0.5;

/** Returns the gaps: those that most projects have first, then by kind and name. */
export function findGaps(own: Project, others: readonly Project[]): readonly Gap[] {
  const known = new Set(own.features.map((feature) => `${broadKind(feature.kind)} ${featureKey(feature)}`));
  const gaps = new Map<string, { kind: FeatureKind; name: string; evidence: Gap['evidence'][number][] }>();
  for (const { name: project, features } of others) {
    const itself = wordsOf(project).join(' ');
    for (const { kind, name, file, line } of features) {
      const key = featureKey({ kind, name });
      const id = `${broadKind(kind)} ${key}`;
      if (key === '' || key === itself || known.has(id)) continue;
      const gap = gaps.get(id) ?? { kind, name, evidence: [] };
      if (!gap.evidence.some((place) => place.project === project)) gap.evidence.push({ project, file, line });
      gaps.set(id, gap);
    }
  }
  const rank = (gap: { kind: FeatureKind }) => FEATURE_KINDS.indexOf(gap.kind);
  return [...gaps]
    .map(([id, gap]) => ({ id: idOf(id), ...gap, ...nearest(gap, own.features) }))
    .sort(
      (one, other) =>
        other.evidence.length - one.evidence.length || rank(one) - rank(other) || (one.name < other.name ? -1 : 1),
    );
}

/** A verb of a program in one project may be a script or a program of its own in another. */
function broadKind(kind: FeatureKind): FeatureKind {
  return kind === 'script' ? 'command' : kind;
}

function idOf(key: string): string {
  return `gap-${createHash('sha256').update(key).digest('hex').slice(0, 8)}`;
}

function nearest(gap: Pick<Feature, 'kind' | 'name'>, features: readonly Feature[]): Pick<Gap, 'near'> {
  const words = new Set(wordsOf(gap.name));
  let best: Feature | undefined;
  let bestShare = NEAR;
  for (const feature of features) {
    const own = new Set(wordsOf(feature.name));
    const common = [...words].filter((word) => own.has(word)).length;
    const share = common / (words.size + own.size - common || 1);
    if (share > bestShare || (share === bestShare && !best)) {
      best = feature;
      bestShare = share;
    }
  }
  return best ? { near: { name: best.name, file: best.file, line: best.line } } : {};
}

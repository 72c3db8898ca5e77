import type { CodeProject } from 'rsi-loop/improve';
import { type FoundFunction, findFunction } from './function-body.js';
import type { PatchSettings } from './heal-options.js';
import { pathInside, sourceFrame } from './source-frame.js';
import type { StackFrame } from './stack-frames.js';

/** Function that a patch may change. */
export interface PatchCandidate {
  /** `src/price.js price`, as the model names it. */
  readonly label: string;
  readonly file: string;
  /** Text of the file on the branch as it is. */
  readonly text: string;
  readonly found: FoundFunction;
}

const MAX_CANDIDATES = 4;

/** Returns the functions of the project in a stack, innermost first, and the healed function itself. */
export async function patchCandidates(
  { project, file, name }: PatchSettings,
  frames: readonly StackFrame[],
): Promise<readonly PatchCandidate[]> {
  const found: PatchCandidate[] = [];
  const add = async (path: string | undefined, functionName: string, line?: number) => {
    if (path === undefined || found.length >= MAX_CANDIDATES || !project.mayChange(path)) return;
    const label = `${path} ${functionName}`;
    if (found.some((each) => each.label === label)) return;
    const candidate = await candidateOf(project, path, functionName, line);
    if (candidate) found.push({ label, ...candidate });
  };
  for (const frame of frames) {
    const source = sourceFrame(frame);
    if (source.name !== '') await add(pathInside(project.root, source.file), source.name, source.line);
  }
  await add(file, name);
  return found;
}

async function candidateOf(project: CodeProject, file: string, name: string, line: number | undefined) {
  const text = await project.text(file);
  const found = text === undefined ? undefined : findFunction(text, name, line);
  return text === undefined || !found ? undefined : { file, text, found };
}

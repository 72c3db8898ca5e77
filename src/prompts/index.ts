export type {
  CheckedDraft,
  PromptDraft,
  PromptDrafting,
  PromptDrafts,
  PromptQuestion,
  PromptWriter,
} from '../fix/kinds/prompt/writer.js';
export { draftsBy } from './drafts.js';
export { featuresOf } from './features-of.js';
export { type PromptWriterOptions, promptWriter } from './prompt-writer.js';
export { type Screening, screenDrafts } from './screen.js';

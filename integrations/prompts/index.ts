export type {
  CheckedDraft,
  Features,
  PromptDraft,
  PromptDrafting,
  PromptDrafts,
  PromptQuestion,
  PromptWriter,
} from 'rsi-loop/kit';
export { draftsBy } from './drafts.js';
export { featuresOf } from './features-of.js';
export { type PromptWriterOptions, promptWriter } from './prompt-writer.js';
export { type Screening, screenDrafts } from './screen.js';

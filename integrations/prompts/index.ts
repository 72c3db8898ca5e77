export type { Features, PromptsOption } from 'rsi-loop/kit';
export { placeholdersOf } from './check-draft.js';
export { draftsBy } from './drafts.js';
export { featuresOf } from './features-of.js';
export { type NamedTextsOptions, namedTexts, textsIn } from './named-texts.js';
export { type PromptWriterOptions, promptWriter } from './prompt-writer.js';
export { type Screening, screenDrafts } from './screen.js';
export type { PromptText } from './text-table.js';
export { type TunableText, tunableText } from './tunable-text.js';
export type {
  CheckedDraft,
  PromptDraft,
  PromptDrafting,
  PromptDrafts,
  PromptQuestion,
  PromptWriter,
} from './writer.js';

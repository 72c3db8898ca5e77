/** An entry of the navigation: its text, and a page of `docs/` without its ending. A heading may follow. */
export type Entry = readonly [text: string, page: string];

export interface Section {
  readonly title: string;
  readonly entries: readonly Entry[];
  /** Is shown closed until a page of it is open. */
  readonly isLong?: boolean;
}

/** Sections of the documentation, in the order in which a new user needs them. */
export const SECTIONS: readonly Section[] = [
  {
    title: 'Start here',
    entries: [
      ['You use a coding agent', 'guides/coding-agents'],
      ['You build an agent', 'guides/build-an-agent'],
      ["You keep a team's agents good", 'guides/teams'],
      ['The first ten minutes', 'start'],
      ['Word for word, for each SDK', 'first-minutes'],
      ['What each page answers', 'README'],
      ['Questions', 'faq'],
      ['Words', 'words'],
    ],
  },
  {
    title: 'Tasks',
    entries: [
      ['Find what fails in your logs', 'import'],
      ['Record model and tool calls', 'clients'],
      ['Let the loop act', 'run'],
      ['Read patterns and health', 'analyze'],
      ['Let a coding agent read it', 'mcp'],
      ['Look at it in a browser', 'dashboard'],
      ['Decide, roll back, freeze', 'loop'],
      ['Send alerts', 'alerts'],
      ['Test rules for your agent', 'rules'],
      ['Write rules to AGENTS.md', 'workspace'],
      ['Test versions of prompts', 'prompts'],
      ['Learn and prove skills', 'skills'],
      ['Share a store', 'store'],
      ['Share it between machines', 'postgres'],
      ['Watch releases and regions', 'fleet'],
      ['Run it in containers', 'containers'],
      ['Plan for scale', 'scale'],
      ['Compare prompts and settings', 'bench'],
      ['Improve code of an agent', 'code-changes'],
      ['Supervise long runs', 'oversee'],
      ['Run tasks that depend on each other', 'orchestrate'],
      ['Heal functions', 'heal'],
      ['Run code that is not trusted', 'sandbox'],
      ['Prove lines of AGENTS.md', 'prove'],
      ['Prove lines of your agent', 'prove-programs'],
      ['See whether an agent got worse', 'worse'],
      ['Tell flaky tests from broken', 'ci'],
      ['Find gaps to other projects', 'gaps'],
      ['Use models on your machines', 'models'],
      ['Use the command line', 'cli'],
      ['Run services', 'services'],
      ['Configure it', 'config'],
      ['Test your own code', 'testing'],
    ],
  },
  { title: 'Cookbook', entries: [['Recipes that run', 'cookbook']] },
  {
    title: 'Sources',
    entries: [
      ['Which source for what', 'sources/README'],
      ['Claude Code', 'sources/claude-code'],
      ['Other coding agents', 'sources/agents'],
      ['HTTP, from any language', 'sources/http'],
      ['Drop folder', 'sources/drop-folder'],
      ['Redis streams', 'sources/redis'],
    ],
  },
  {
    title: 'What you can rely on',
    entries: [
      ['Promises', 'promises'],
      ['How a fix is proven', 'verify'],
      ['Replayed on recorded agents', 'replay'],
      ['Security', 'security'],
      ['Costs', 'costs'],
      ['Compared with other tools', 'comparison'],
      ['Releases', 'release'],
    ],
  },
  {
    title: 'Components',
    isLong: true,
    entries: [
      ['Observe', 'observe'],
      ['Classify', 'classify'],
      ['Every rule of the classifier', 'classify-rules'],
      ['Group messages', 'grouping'],
      ['Fix', 'fix'],
      ['Ledger', 'ledger'],
      ['Experience', 'experience'],
      ['Single parts', 'parts'],
      ['From an outcome to a verdict', 'walk'],
    ],
  },
];

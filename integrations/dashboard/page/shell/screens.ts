/** Screens of the navigation, in the order of reading. `key` follows `g`. */
export const SCREENS = [
  { path: '', name: 'Overview', key: 'o' },
  { path: 'patterns', name: 'What fails', key: 'f' },
  { path: 'sessions', name: 'Sessions', key: 's' },
  { path: 'trials', name: 'Trials', key: 't' },
  { path: 'review', name: 'Review', key: 'r' },
  { path: 'models', name: 'Models', key: 'm' },
  { path: 'runs', name: 'Runs', key: 'u' },
  { path: 'worse', name: 'Got worse', key: 'w' },
  { path: 'skills', name: 'Skills', key: 'k' },
  { path: 'benchmarks', name: 'Benchmarks', key: 'b' },
  { path: 'settings', name: 'Rules and settings', key: 'e' },
  { path: 'ledger', name: 'Ledger', key: 'l' },
  { path: 'store', name: 'Store', key: 'd' },
] as const;

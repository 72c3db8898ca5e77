import { fold } from './characters.js';
import { BREAK, GAP, type PhraseTree, SPACE } from './phrase-tree.js';
import { type CutText, DEAD, NEGATES, wordCutter } from './word-cutter.js';

/** Words between two parts of a phrase written with `..`. */
const MAX_GAP = 6;

/** Reports every rule with a phrase in the text, in the order of the text. */
export type RuleFinder = (text: string, onRule: (rule: number) => void) => void;

/** Looks texts up in the tree. Work grows with the length of the text and with nothing else. */
export function ruleFinder(tree: PhraseTree): RuleFinder {
  const { step, stemAt, ruleAt } = tree;
  const cut = wordCutter(tree);
  let text: CutText = cut('');
  let report: (rule: number) => void = () => {};

  /** Reads a word from a node on. */
  const follow = (from: number, word: number) => {
    const { codes, starts } = text;
    let node = from;
    const end = (starts[word + 1] ?? 0) - 1;
    for (let at = starts[word] ?? end; ; at++) {
      const stem = stemAt[node] ?? 0;
      if (stem > 0) reach(stem, word);
      if (at >= end) break;
      node = step(node, codes[at] ?? SPACE);
      if (node === 0) return;
    }
    reach(node, word);
  };

  /** A part of a phrase ends with this word. */
  const reach = (node: number, word: number) => {
    const rule = ruleAt[node] ?? -1;
    if (rule >= 0) report(rule);
    const next = step(node, SPACE);
    if (next === 0 || word + 1 >= text.count) return;
    follow(next, word + 1);
    const gap = step(next, GAP);
    if (gap === 0) return;
    const { codes, starts, count } = text;
    const limit = Math.min(count, word + 2 + MAX_GAP);
    for (let other = word + 1; other < limit && codes[starts[other] ?? 0] !== BREAK; other++) follow(gap, other);
  };

  return (source, onRule) => {
    text = cut(fold(source));
    report = onRule;
    const { marks, count } = text;
    for (let word = 0; word < count; word++) {
      if (marks[word] !== DEAD && (word === 0 || marks[word - 1] !== NEGATES)) follow(0, word);
    }
  };
}

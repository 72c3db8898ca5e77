import { fold } from './characters.js';
import { BREAK, GAP, type PhraseTree, SPACE, STEM } from './phrase-tree.js';
import { wordCutter } from './word-cutter.js';

/** Words between two parts of a phrase written with `..`. */
const MAX_GAP = 6;

/** Reports every rule with a phrase in the text, in the order of the text. */
export type RuleFinder = (text: string, onRule: (rule: number) => void) => void;

/** Looks texts up in the tree. Work grows with the length of the text and with nothing else. */
export function ruleFinder(tree: PhraseTree): RuleFinder {
  const { step, ruleAt } = tree;
  const cut = wordCutter(tree);

  return (text, onRule) => {
    const { codes, starts, count, negators } = cut(fold(text));

    const follow = (from: number, word: number) => {
      let node = from;
      const end = (starts[word + 1] ?? 0) - 1;
      for (let at = starts[word] ?? end; ; at++) {
        const stem = step(node, STEM);
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
      if (rule >= 0) onRule(rule);
      const next = step(node, SPACE);
      if (next === 0 || word + 1 >= count) return;
      follow(next, word + 1);
      const gap = step(next, GAP);
      if (gap === 0) return;
      const limit = Math.min(count, word + 2 + MAX_GAP);
      for (let other = word + 1; other < limit && codes[starts[other] ?? 0] !== BREAK; other++) follow(gap, other);
    };

    for (let word = 0; word < count; word++) if (!negators.includes(word - 1)) follow(0, word);
  };
}

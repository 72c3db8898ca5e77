import { LoopDetector } from 'rsi-loop/loop-detector';

const detector = new LoopDetector({ observeAt: 3, hintAt: 5, stopAt: 8 });

for (let call = 1; call <= 8; call++) {
  const finding = detector.add({ tool: 'Bash', input: { command: 'npm test' }, result: '2 failed in 1.4 s' });
  if (finding?.isNew) console.log(`call ${call}: ${finding.step}: ${finding.message}`);
}
detector.reset(); // the person said something: what comes now is another matter

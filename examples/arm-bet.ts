import { ArmBet } from 'rsi-loop/bench';

// Your own experiment: draw an arm before each task, push how it ended, look as often as you like.
const bet = new ArmBet();
for (let seq = 0; bet.decision === 'undecided'; seq++) {
  const arm = Math.random() < 0.5 ? 'fix' : 'control';
  const success = Math.random() > (arm === 'fix' ? 0.05 : 0.3);
  bet.push({ seq, arm, share: 0.5, success });
}

const { fix, control, effect } = bet.figures();
console.log(
  `${bet.decision}: ${fix.failures} of ${fix.tasks} failed with it, ${control.failures} of ${control.tasks} without`,
);
console.log(
  `it leaves ${effect.value.toFixed(2)} of the failures (${effect.low.toFixed(2)} to ${effect.high.toFixed(2)})`,
);

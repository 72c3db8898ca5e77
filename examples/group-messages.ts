import { fingerprint, TemplateMiner } from 'rsi-loop';

console.log(fingerprint('request 17 took 20 ms') === fingerprint('request 9 took 3.1 s')); // true

const miner = new TemplateMiner();
console.log(miner.add('request 17 took 20 ms')); // { id: '...', template: 'request <*> took <*>', isNew: true }

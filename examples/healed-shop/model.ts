import { ScriptedModel } from 'rsi-loop/testing';

const HIDES_IT = `
  let sum = 0;
  for (const line of order.lines) {
    sum += line.count * (line.product?.price ?? 0);
  }
  return sum;
`;
const TAKES_BOTH = `
  let sum = 0;
  for (const line of order.lines) {
    const price = line.product?.price ?? line.unitPrice;
    if (price === undefined) throw new TypeError('a line has neither product.price nor unitPrice');
    sum += line.count * price;
  }
  return sum;
`;

/** Stand-in for a model. Its first patch hides the failure, the second one takes the old and the new format. */
export const model = new ScriptedModel([
  answer(HIDES_IT, 'a line without a product'),
  answer(TAKES_BOTH, 'lines have unitPrice in the new format'),
]);

function answer(body: string, why: string) {
  return { kind: 'json', json: { function: 'src/total.mjs total', body, why } } as const;
}

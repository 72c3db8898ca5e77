/** Returns the code in a reply; `''` if there is none. */
export function readCode(reply) {
  const [code = ''] = Array.from(reply.matchAll(/```ts\n(.*?)```/gs), ([, text]) => text);
  return code;
}

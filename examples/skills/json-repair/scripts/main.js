function tokens(text) {
  const found = [];
  for (let at = 0; at < text.length; ) {
    const rest = text.slice(at);
    const space = /^\s+/.exec(rest) ?? /^\/\/[^\n]*/.exec(rest) ?? /^\/\*[\s\S]*?(?:\*\/|$)/.exec(rest);
    if (space) { at += space[0].length; continue; }
    const mark = rest[0];
    if ('{}[],:'.includes(mark)) { found.push(mark); at++; continue; }
    if (mark === '"' || mark === "'") {
      let end = 1;
      while (end < rest.length && rest[end] !== mark) end += rest[end] === '\\' ? 2 : 1;
      const inside = rest.slice(1, Math.min(end, rest.length)).replace(/\\'/g, "'");
      const escaped = inside.replace(/\\?"/g, '\\"').replace(/\n/g, '\\n').replace(/\t/g, '\\t').replace(/\r/g, '\\r');
      found.push('"' + escaped + '"');
      at += end + 1;
      continue;
    }
    const word = /^[^\s{}[\],:"']+/.exec(rest)?.[0] ?? mark;
    const plain = { True: 'true', False: 'false', None: 'null', undefined: 'null' }[word] ?? word;
    found.push(/^(?:true|false|null|-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?)$/.test(plain) ? plain : JSON.stringify(plain));
    at += word.length;
  }
  return found;
}
export default ({ text }) => {
  try {
    return { json: JSON.stringify(JSON.parse(text)), changed: false };
  } catch {}
  const open = [];
  const out = [];
  for (const token of tokens(text)) {
    if ('}]'.includes(token)) {
      if (out.at(-1) === ',') out.pop();
      if (out.at(-1) === ':') out.push('null');
      if (open.at(-1) !== token) continue;
      open.pop();
    }
    if (token === ',' && (out.length === 0 || '{[,:'.includes(out.at(-1)))) continue;
    if (token === '{') open.push('}');
    if (token === '[') open.push(']');
    out.push(token);
  }
  if (out.at(-1) === ',') out.pop();
  if (out.at(-1) === ':') out.push('null');
  const fixed = out.join('') + open.reverse().join('');
  try {
    return { json: JSON.stringify(JSON.parse(fixed)), changed: true };
  } catch {
    throw new Error('the text cannot be repaired: it is not JSON with small mistakes');
  }
};

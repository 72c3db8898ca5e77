export function evaluate(formula: string, values: Readonly<Record<string, number>> = {}): number {
  const tokens = formula.match(/\d+(?:\.\d+)?|[A-Za-z_]\w*|\S/g) ?? [];
  let at = 0;
  const isNext = (signs: string) => at < tokens.length && signs.includes(String(tokens[at]));
  const take = () => String(tokens[at++]);

  function sum(): number {
    let value = product();
    while (isNext('+-')) value = take() === '+' ? value + product() : value - product();
    return value;
  }

  function product(): number {
    let value = negated();
    while (isNext('*/%')) {
      const sign = take();
      const other = negated();
      value = sign === '*' ? value * other : sign === '/' ? value / other : value % other;
    }
    return value;
  }

  function negated(): number {
    if (!isNext('-')) return power();
    take();
    return -negated();
  }

  function power(): number {
    const base = single();
    if (!isNext('^')) return base;
    take();
    return base ** negated();
  }

  function single(): number {
    if (at >= tokens.length) throw new SyntaxError('the formula ends too early');
    const token = take();
    if (/^\d/.test(token)) return Number(token);
    if (/^\w/.test(token)) {
      if (Object.hasOwn(values, token)) return Number(values[token]);
      throw new ReferenceError(`no value of ${token}`);
    }
    if (token !== '(') throw new SyntaxError(`unexpected ${token}`);
    const value = sum();
    if (!isNext(')')) throw new SyntaxError('a parenthesis is open');
    take();
    return value;
  }

  const value = sum();
  if (at < tokens.length) throw new SyntaxError(`unexpected ${tokens[at]}`);
  return value;
}

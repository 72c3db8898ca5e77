const UNITS = {
  mm: ['length', 0.001], cm: ['length', 0.01], m: ['length', 1], km: ['length', 1000], in: ['length', 0.0254], ft: ['length', 0.3048], yd: ['length', 0.9144], mi: ['length', 1609.344],
  g: ['weight', 0.001], kg: ['weight', 1], oz: ['weight', 0.028349523125], lb: ['weight', 0.45359237],
  ml: ['volume', 0.001], l: ['volume', 1], cup: ['volume', 0.2365882365], gal: ['volume', 3.785411784],
  c: ['temperature', 1, 273.15], k: ['temperature', 1, 0], f: ['temperature', 5 / 9, 459.67],
};
export default ({ value, from, to }) => {
  const unitOf = (name) => {
    const key = name.trim().toLowerCase();
    if (!Object.hasOwn(UNITS, key)) throw new Error('unknown unit ' + name + ': use one of ' + Object.keys(UNITS).join(', '));
    return UNITS[key];
  };
  const [[kind, factor, offset = 0], [other, divisor, shift = 0]] = [unitOf(from), unitOf(to)];
  if (kind !== other) throw new Error(from + ' is a ' + kind + ', and ' + to + ' a ' + other);
  const converted = ((value + offset) * factor) / divisor - shift;
  return { value: Number(converted.toPrecision(12)) };
};

/** Date at the end of the name of a model, also before a version: `-20250929`, `-2024-08-06`, `-20241022-v2:0`. */
const DATE = /-20\d\d-?[01]\d-?[0-3]\d(?=$|-v\d)/;

/** Returns the name of a model without its date. */
export function shortModel(name: string): string {
  return name.replace(DATE, '');
}

/** Returns a function that shortens names of models, except those that would then be equal. */
export function modelNames(all: readonly string[]): (name: string) => string {
  return (name) => {
    const short = shortModel(name);
    return all.some((other) => other !== name && shortModel(other) === short) ? name : short;
  };
}

/** Shortens both names in the label of a change of model, `Bash: a-20250929 -> b`. */
export function shortChange(label: string): string {
  const [from = '', to = ''] = label.split(' -> ');
  const [before, after] = [shortModel(from), shortModel(to)];
  return before.endsWith(after) ? label : `${before} → ${after}`;
}

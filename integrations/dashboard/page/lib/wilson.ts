const Z = 1.959964;

/** Returns the 95 % Wilson interval of a share of `failures` among `tasks`, at one time. */
export function wilson(failures: number, tasks: number): { readonly low: number; readonly high: number } {
  if (tasks <= 0) return { low: 0, high: 1 };
  const share = failures / tasks;
  const spread = Z * Math.sqrt((share * (1 - share)) / tasks + (Z * Z) / (4 * tasks * tasks));
  const middle = share + (Z * Z) / (2 * tasks);
  const scale = 1 + (Z * Z) / tasks;
  return { low: Math.max(0, (middle - spread) / scale), high: Math.min(1, (middle + spread) / scale) };
}

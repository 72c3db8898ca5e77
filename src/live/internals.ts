/**
 * Key for the parts of a loop or a recorder, used by functions that take one (`mark`, `recall` and others).
 * Not for hosts: the parts change without notice. Two copies of the package share the key.
 */
export const INTERNALS: unique symbol = Symbol.for('rsi-loop.internals');

/** Form of a valid value, read from its type. */
export type Shape =
  | { readonly kind: 'value'; readonly value: string | number | boolean | null }
  | { readonly kind: 'text'; readonly name: string }
  | { readonly kind: 'function' }
  | { readonly kind: 'list' }
  /** A part that a program creates first, such as a loop or a store. */
  | { readonly kind: 'part'; readonly name: string }
  | { readonly kind: 'object'; readonly fields: Readonly<Record<string, Field>> }
  | { readonly kind: 'nothing' };

export interface Field {
  readonly shape: Shape;
  readonly isOptional: boolean;
}

/** An exported function or class, with the forms of its parameters. */
export interface Callable {
  readonly name: string;
  readonly isClass: boolean;
  readonly parameters: readonly { readonly name: string; readonly shape: Shape }[];
}

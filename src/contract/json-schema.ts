interface Described {
  /** Read by the model; not used for validation. */
  readonly description?: string;
}

/** Subset of JSON Schema that every model server understands and that the loop validates. Objects are always closed. */
export type JsonSchema = Described &
  (
    | {
        readonly type: 'object';
        readonly properties: { readonly [name: string]: JsonSchema };
        readonly required: readonly string[];
        readonly additionalProperties: false;
      }
    | {
        readonly type: 'array';
        readonly items: JsonSchema;
        readonly minItems?: number;
        readonly maxItems?: number;
      }
    | {
        readonly type: 'string';
        readonly enum?: readonly string[];
        /** In UTF-16 units. */
        readonly minLength?: number;
        readonly maxLength?: number;
      }
    | { readonly type: 'number' | 'integer'; readonly minimum?: number; readonly maximum?: number }
    | { readonly type: 'boolean' }
  );

interface Described {
  /** Read by the model; checks nothing. */
  readonly description?: string;
}

/** The part of JSON Schema that every model server understands and that is checked here: objects are always closed. */
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

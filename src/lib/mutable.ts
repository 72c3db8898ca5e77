/** Record whose fields can be set, for state and for records that are built field by field. */
export type Mutable<Record> = { -readonly [Name in keyof Record]: Record[Name] };

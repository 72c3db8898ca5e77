/** Value that JSON can hold. */
export type Json = string | number | boolean | null | readonly Json[] | { readonly [key: string]: Json };

/** Object that JSON can hold. */
export type JsonObject = { readonly [key: string]: Json };

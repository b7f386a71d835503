/** Any value that JSON text can hold. Everything that crosses a boundary or enters a history is one of these. */
export type Json = null | boolean | number | string | readonly Json[] | { readonly [key: string]: Json }

/** Any JSON value. Everything that crosses a boundary or enters a history is of this type. */
export type Json = null | boolean | number | string | readonly Json[] | { readonly [key: string]: Json }

/** Any JSON value. Equal to the contract's type of the same name, because this room imports no other. */
export type Json = null | boolean | number | string | readonly Json[] | { readonly [key: string]: Json }

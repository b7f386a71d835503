/** Any value that JSON text can hold. The contract's type of the same name: languages import nothing of ours. */
export type Json = null | boolean | number | string | readonly Json[] | { readonly [key: string]: Json }

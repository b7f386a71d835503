/**
 * Settings of all lexers and parsers: that no token hides another and no rule is ambiguous is proven by a test, and not again
 * by every program that starts.
 */
export const proven = { skipValidations: true } as const

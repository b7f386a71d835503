/**
 * Settings of all lexers and parsers: a test proves that no token hides another and no rule is ambiguous, so programs
 * do not check it again at start-up.
 */
export const proven = { skipValidations: true } as const

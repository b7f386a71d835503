/** Languages of the starter kits for students. */
export const kitNames = ['javascript', 'typescript', 'python', 'go', 'java'] as const
/** Languages of kits whose types are made of the schemas of messages, and which are compiled. */
export const isCompiledKit = (kit: KitName): boolean => kit === 'go' || kit === 'java'
export type KitName = (typeof kitNames)[number]

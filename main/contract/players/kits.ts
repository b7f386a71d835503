/** Languages of the starter kits for students. */
export const kitNames = ['javascript', 'typescript', 'python', 'go', 'java', 'cpp', 'rust'] as const
/** Languages of kits whose types are made of the schemas of messages, and which are compiled. */
export const isCompiledKit = (kit: KitName): boolean => ['go', 'java', 'cpp', 'rust'].includes(kit)
export type KitName = (typeof kitNames)[number]

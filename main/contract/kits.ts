/** Languages in which a student can begin. */
export const kitNames = ['javascript', 'typescript', 'python'] as const
export type KitName = (typeof kitNames)[number]

/** Languages of the starter kits for students. */
export const kitNames = ['javascript', 'typescript', 'python'] as const
export type KitName = (typeof kitNames)[number]

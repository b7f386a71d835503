/** The steps from an empty folder to a class with students, in their order. */
export const firstSteps = ['name', 'roster', 'network', 'game', 'kit', 'practice', 'deadline'] as const
export type FirstStep = (typeof firstSteps)[number]

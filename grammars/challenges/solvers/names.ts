import type { SolutionVariable } from './terms.ts'

/** The name of a variable for other programs: letters, digits and "_". */
export function nameOfVariable({ label, place, role }: SolutionVariable): string {
  const field = label.replace(/\$/g, '_')
  if (place === null) return `x_${field}`
  return `${role === 'chosen' ? 'has' : 'x'}_${field}_${place < 0 ? `minus_${-place}` : place}`
}

import { add, compare, fraction, toFraction, type Fraction } from '../formulas/index.ts'
import type { Json } from '../json.ts'
import type { Shape } from '../values/index.ts'
import type { Explanation, Verdict } from './challenge.ts'
import type { Judge } from './judge.ts'

type Fields = Readonly<Record<string, Json>>

/**
 * Finds the list of the instance whose elements contribute independently: measure and bound of the whole must be the
 * sums of those of the instances with one element each. null if there is none: the quality is then not composed of
 * parts. The instance must be legal and the solution feasible.
 */
export function explainParts(
  judge: Judge,
  shape: Shape,
  [config, instance, solution]: readonly [Json, Json, Json],
): Explanation | null {
  if (shape.kind !== 'class') return null
  const fields = instance as Fields
  const rate = (of: Json): Rated | null => {
    const measure = judge.number('measure', [config, null, of, solution])
    const bound = judge.number('bound', [config, null, of])
    return measure.ok && bound.ok ? { measure: toFraction(measure.value), bound: toFraction(bound.value) } : null
  }
  const whole = rate(instance)
  if (whole === null) return null
  for (const { label, type } of shape.fields) {
    if (type.kind !== 'list') continue
    const parts = ratedParts(fields[label] as readonly Json[], (element) => rate({ ...fields, [label]: [element] }))
    if (parts !== null && isSum(parts, whole)) return { label, type: typeName(type.of), verdicts: parts.map(verdictOf) }
  }
  return null
}

interface Rated {
  readonly measure: Fraction
  readonly bound: Fraction
}

const zero = fraction(0)

/** Rates each element separately; null if this is not possible for one of them. */
function ratedParts(elements: readonly Json[], rate: (element: Json) => Rated | null): readonly Rated[] | null {
  const parts: Rated[] = []
  for (const element of elements) {
    const rated = rate(element)
    if (rated === null) return null
    parts.push(rated)
  }
  return parts
}

function isSum(parts: readonly Rated[], whole: Rated): boolean {
  const sum = (of: keyof Rated) => parts.reduce((total, part) => add(total, part[of]), zero)
  return compare(sum('measure'), whole.measure) === 0 && compare(sum('bound'), whole.bound) === 0
}

function verdictOf({ measure, bound }: Rated): Verdict {
  if (compare(measure, bound) === 0) return 'met'
  return compare(measure, zero) === 0 ? 'unmet' : 'partly'
}

function typeName(shape: Shape): string {
  switch (shape.kind) {
    case 'list':
      return `List(${typeName(shape.of)})`
    case 'option':
      return `Option(${typeName(shape.of)})`
    case 'class':
    case 'choice':
      return shape.name
    default:
      return shape.kind
  }
}

import type { Json } from '../../../grammars/json.ts'
import type { Shape } from '../../../grammars/values/index.ts'

/** Unsigned 32-bit numbers from a seed (mulberry32). */
function randomFrom(seed: number): () => number {
  let state = seed >>> 0
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let t = state
    t = Math.imul(t ^ (t >>> 15), t | 1)
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61)
    return (t ^ (t >>> 14)) >>> 0
  }
}

const ints = [0, 1, 7, 10, 22, -1, -22, 9007199254740991, -9007199254740991]
const numbers = [...ints, 0.5, -0.5, 2.5, 0.1, 1e21, 1e-7, 5e-324, 1.7976931348623157e308, -1.5e-10]
const names = [
  'a',
  'b',
  'x',
  'x1',
  'e',
  'e5',
  'E',
  'in3',
  '$',
  '_',
  'if',
  'iff',
  'constructor',
  '__proto__',
  'k0',
  'a_b',
  'x1in3',
]
const strings = ['', 'a', '"', '\\', '\n\t\r\b\f', '\0', '//', '/* */', 'é🙂', "'", '\u2028', ' ', '\u007f1', '\u00011']

/** How deep the flattest value of each shape below `root` is. */
function heights(root: Shape): ReadonlyMap<Shape, number> {
  const shapes = new Set<Shape>([root])
  for (const shape of shapes) for (const inner of below(shape)) shapes.add(inner)
  const known = new Map<Shape, number>()
  for (let changed = true; changed;) {
    changed = false
    for (const shape of shapes) {
      const inner = below(shape).map((one) => known.get(one) ?? Infinity)
      const height =
        shape.kind === 'choice' ? 1 + Math.min(...inner) : shape.kind === 'class' ? 1 + Math.max(0, ...inner) : 0
      if (height < (known.get(shape) ?? Infinity)) {
        known.set(shape, height)
        changed = true
      }
    }
  }
  return known
}

function below(shape: Shape): readonly Shape[] {
  if (shape.kind === 'list' || shape.kind === 'option') return [shape.of]
  if (shape.kind === 'class') return shape.fields.map(({ type }) => type)
  return shape.kind === 'choice' ? shape.alternatives : []
}

/** A random value of a shape. `isName`: whether the dictionary has this text as a name. */
export function randomValue(root: Shape, seed: number, isName: (text: string) => boolean): Json {
  const random = randomFrom(seed)
  const height = heights(root)
  const usable = [...names, 'q', 'q2'].filter(isName)
  const pick = <T>(list: readonly T[]): T => list[random() % list.length]!

  function value(shape: Shape, fuel: number): Json {
    switch (shape.kind) {
      case 'int':
        return pick(ints)
      case 'number':
        return pick(numbers)
      case 'ident':
        return pick(usable)
      case 'string':
        return pick(strings)
      case 'boolean':
        return random() % 2 === 0
      case 'char':
        return pick(strings.filter((text) => Array.from(text).length === 1))
      case 'verbatim':
        return pick(strings)
      case 'list': {
        // One element is in order.
        const length = fuel > 0 ? random() % (shape.sorted === undefined ? 4 : 2) : 0
        return Array.from({ length }, () => value(shape.of, fuel - 1))
      }
      case 'option':
        return fuel > 0 && random() % 2 === 0 ? value(shape.of, fuel - 1) : null
      case 'class':
        return Object.fromEntries(shape.fields.map(({ label, type }) => [label, value(type, fuel - 1)]))
      case 'choice': {
        const least = Math.min(...shape.alternatives.map((one) => height.get(one)!))
        const flat = shape.alternatives.filter((one) => height.get(one) === least)
        const chosen = pick(fuel > 0 ? shape.alternatives : flat)
        return { $: chosen.name, ...(value(chosen, fuel - 1) as { [key: string]: Json }) }
      }
    }
  }
  return value(root, 5)
}

import { fits, INT, LIST_STEPS, misfit, nameOf, spend, typeOf } from '../../formulas/index.ts'
import { extremeOf } from '../../formulas/index.ts'
import type { BuiltIn, Type, Value } from '../../formulas/index.ts'
import type { ChoiceShape, ClassShape, Shape } from '../../values/index.ts'

/**
 * A function for each concrete class within these shapes, which makes an object of it from its fields in the order of the
 * dictionary. An alternative of an abstract class is a value of that class, as it is in JSON.
 */
export function constructorsOf(shapes: readonly Shape[]): readonly BuiltIn[] {
  const found = new Set<Shape>(shapes)
  const made = new Map<string, BuiltIn>()
  const add = (shape: ClassShape, choice: ChoiceShape | null): void => {
    if (choice !== null || !made.has(shape.name)) made.set(shape.name, constructorOf(shape, choice))
  }
  for (const shape of found) {
    if (shape.kind === 'list' || shape.kind === 'option') found.add(shape.of)
    else if (shape.kind === 'class') {
      add(shape, null)
      for (const { type } of shape.fields) found.add(type)
    } else if (shape.kind === 'choice') {
      for (const one of shape.alternatives) {
        add(one, shape)
        for (const { type } of one.fields) found.add(type)
      }
    }
  }
  return [...made.values()]
}

function constructorOf({ name, fields }: ClassShape, choice: ChoiceShape | null): BuiltIn {
  const type: Type = choice ?? { kind: 'class', name, fields }
  const tag: readonly (readonly [string, Value])[] = choice === null ? [] : [['$', name]]
  const price = LIST_STEPS + fields.length
  return {
    name,
    call: `${name}(${fields.map(({ label }) => label).join(', ')})`,
    meaning: `an object of the class ${name}`,
    steps: `${price}`,
    takes: [fields.length],
    resolve(args) {
      for (const [i, field] of fields.entries()) {
        const wanted = typeOf(field.type)
        const given = args[i] ?? INT
        // A value for an optional field needs no wrapping.
        if (fits(given, wanted) || (wanted.kind === 'option' && fits(given, wanted.of))) continue
        return misfit(name, i, `for ${field.label} a value of type ${nameOf(wanted)}`, given)
      }
      return {
        type,
        run(frame, args) {
          spend(frame, price)
          return Object.fromEntries([...tag, ...fields.map(({ label }, i) => [label, args[i]!] as const)])
        },
        most: () => ({ steps: price, value: extremeOf(type, false) }),
      }
    },
  }
}

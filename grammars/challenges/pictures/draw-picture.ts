import { evaluate, isFraction, show, type Compiler, type Exact, type Value } from '../../formulas/index.ts'
import { decimal } from '../config.ts'
import type { CheckedPicture, CheckedShape } from './check-picture.ts'
import { MOST_SHAPES, type Drawn, type PlaceKind, type Shape } from './picture.ts'

/** Pictures are drawn in the window itself: the steps that are over before anybody notices. */
const STEPS = 2_000_000

/** Maximum characters of a label. */
const LONGEST_LABEL = 24

type Compiled = ReturnType<Compiler['compile']>
type Frame = Parameters<Compiled>[0]

/** Compiles a checked picture. `size`: gives the number of the program's slots. */
export function compilePicture(
  { kind, shapes }: CheckedPicture,
  compiler: Compiler,
  size: () => number,
): (inputs: readonly Value[]) => Drawn {
  const codes = shapes.map((shape) => compileShape(shape, compiler))
  return (inputs) => {
    const result = evaluate((frame) => codes.flatMap((code) => code(frame)), size(), inputs, STEPS)
    if (!result.ok) return { ok: false, at: result.at, error: result.message }
    const drawn = result.value.slice(0, MOST_SHAPES)
    return { ok: true, picture: { kind, shapes: drawn, left: result.value.length - drawn.length } }
  }
}

function compileShape({ word, places, looks }: CheckedShape, compiler: Compiler): (frame: Frame) => readonly Shape[] {
  const placed = places.map(({ kind, list }) => ({ kind, code: compiler.compile(list) }))
  const label = looks.label && compiler.compile(looks.label)
  const colour = looks.colour && compiler.compile(looks.colour)
  const mark = looks.mark && compiler.compile(looks.mark)
  return (frame) => {
    const list = (code: Compiled): readonly Value[] => code(frame) as readonly Value[]
    const at = placed.map(({ kind, code }) => ({ kind, values: list(code) }))
    const labels = label && list(label)
    const colours = colour && list(colour)
    const marks = mark && list(mark)
    return at[0]!.values.map((_, index): Shape => {
      return {
        word,
        places: at.map(({ kind, values }) => placeOf(kind, values[index]!)),
        label: labels === undefined ? null : shortened(labelOf(labels[index]!)),
        colour: colours === undefined ? 0 : colourOf(colours[index]!),
        mark: marks !== undefined && marks[index] === true,
      }
    })
  }
}

/** Fractions as decimals, of which a label has room for a few. */
function labelOf(value: Value): string {
  return isFraction(value) ? String(Number(decimal(value).toPrecision(8))) : show(value)
}

function placeOf(kind: PlaceKind, value: Value): string | number {
  return kind === 'name' ? shortened(show(value)) : decimal(value as Exact)
}

function colourOf(value: Value): number {
  const number = decimal(value as Exact)
  return Number.isSafeInteger(number) && number > 0 ? number : 0
}

function shortened(text: string): string {
  return text.length > LONGEST_LABEL ? `${text.slice(0, LONGEST_LABEL - 1)}…` : text
}

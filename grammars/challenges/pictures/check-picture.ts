import { BOOLEAN, checkFormula, INT, nameOf, NOTHING, NUMBER } from '../../formulas/index.ts'
import type { Expression, Loop, Program, Scope, Type } from '../../formulas/index.ts'
import { mentions } from '../mentions.ts'
import { kinds, type PictureKind, type PlaceKind, type ShapeWord } from './picture.ts'
import type { DrawingTree, Look, PictureTree, ShapeTree } from './tree.ts'

/** A formula with the loops around it: the list of its values. */
type Checked = ReturnType<typeof checkFormula>

export interface CheckedShape {
  readonly word: ShapeWord
  readonly places: readonly { readonly kind: PlaceKind; readonly list: Checked }[]
  readonly looks: Readonly<Partial<Record<Look, Checked>>>
}

export interface CheckedPicture {
  readonly kind: PictureKind
  readonly shapes: readonly CheckedShape[]
}

/** Maximum number of shapes in a file, each of which may be drawn in loops. */
const MOST_LINES = 40

/** Checks the types of a picture. Problems are reported to the program; compile the result only if there are none. */
export function checkPicture({ kind, drawings }: PictureTree, scope: Scope, program: Program): CheckedPicture | null {
  const words = Object.hasOwn(kinds, kind.name) ? kinds[kind.name as PictureKind] : null
  if (words === null) {
    const known = Object.keys(kinds).join(', ')
    program.report(kind.at, `A picture is not a "${kind.name}".`, `The kinds of pictures are ${known}.`, {
      code: 'picture-form',
    })
    return null
  }
  const shapes = flat(drawings, [])
  const many = shapes[MOST_LINES]
  if (many !== undefined)
    program.report(many.tree.at, `A picture has at most ${MOST_LINES} shapes; draw more in loops.`, undefined, {
      code: 'picture-form',
    })
  const checked = shapes.flatMap(({ tree, loops }) =>
    checkShape(tree, loops, words, { kind: kind.name, scope, program }),
  )
  return { kind: kind.name as PictureKind, shapes: checked }
}

/** The picture of an instance without a solution: all that does not mention one. */
export function withoutSolution(drawings: readonly DrawingTree[]): readonly DrawingTree[] {
  return drawings.flatMap((drawing): readonly DrawingTree[] => {
    if (drawing.kind === 'each') {
      const { loop } = drawing
      return mentions(loop, 'solution') ? [] : [{ ...drawing, drawings: withoutSolution(drawing.drawings) }]
    }
    if (mentions(drawing.places, 'solution')) return []
    return [{ ...drawing, looks: drawing.looks.filter(({ formula }) => !mentions(formula, 'solution')) }]
  })
}

interface Looped {
  readonly tree: ShapeTree
  readonly loops: readonly Loop[]
}

function flat(drawings: readonly DrawingTree[], loops: readonly Loop[]): readonly Looped[] {
  return drawings.flatMap((drawing) =>
    drawing.kind === 'shape' ? [{ tree: drawing, loops }] : flat(drawing.drawings, [...loops, drawing.loop]),
  )
}

interface Surroundings {
  readonly kind: string
  readonly scope: Scope
  readonly program: Program
}

function checkShape(
  { at, word, places, looks }: ShapeTree,
  loops: readonly Loop[],
  words: (typeof kinds)[PictureKind],
  { kind, scope, program }: Surroundings,
): readonly CheckedShape[] {
  const wanted = Object.hasOwn(words, word) ? words[word as ShapeWord] : undefined
  if (wanted === undefined) {
    program.report(
      at,
      `A picture of the kind ${kind} has no "${word}".`,
      `It has ${Object.keys(words).join(' and ')}.`,
      { code: 'picture-form' },
    )
    return []
  }
  if (places.length !== wanted.length) {
    const many = wanted.length === 1 ? 'one formula' : `${wanted.length} formulas with commas between them`
    program.report(at, `After "${word}" there must be ${many}, not ${places.length}.`, undefined, {
      code: 'argument-count',
    })
    return []
  }
  const before = program.faults.length
  /** Stops at the first problem: the loops are those of all formulas, and so would be their problems. */
  const list = (formula: Expression, fits: (type: Type) => boolean, what: string): Checked | null => {
    if (program.faults.length > before) return null
    const gathered: Expression =
      loops.length === 0
        ? { kind: 'list', at: formula.at, elements: [formula] }
        : { kind: 'gather', at: formula.at, name: 'list', start: null, body: formula, loops }
    const typed = checkFormula(gathered, NOTHING, '', scope, program)
    const type = typed.type.kind === 'list' ? typed.type.of : typed.type
    if (program.faults.length === before && !fits(type))
      program.report(formula.at, `${what}, but this is of type ${nameOf(type)}.`, undefined, { code: 'type-mismatch' })
    return typed
  }
  const checked = places.map((formula, index) => {
    const place = wanted[index]!
    return { kind: place, list: list(formula, fitting[place], `After "${word}" there must be ${named[place]}`) }
  })
  const found: Partial<Record<Look, Checked>> = {}
  for (const { at: where, look, formula } of looks) {
    if (look in found) program.report(where, `This ${word} already has a ${look}.`, undefined, { code: 'name-twice' })
    const typed = list(
      formula,
      fittingLooks[look],
      `A ${look} must be ${look === 'mark' ? 'true or false' : 'a whole number'}`,
    )
    if (typed !== null) found[look] = typed
  }
  if (program.faults.length > before) return []
  return [{ word: word as ShapeWord, places: checked as CheckedShape['places'], looks: found }]
}

const oneOf =
  (...types: readonly Type[]) =>
  ({ kind }: Type): boolean =>
    kind === 'nothing' || types.some((type) => type.kind === kind)

const fitting: Readonly<Record<PlaceKind, (type: Type) => boolean>> = {
  name: oneOf(INT, { kind: 'text' }),
  int: oneOf(INT),
  number: oneOf(INT, NUMBER),
}

const named: Readonly<Record<PlaceKind, string>> = {
  name: 'a whole number or a text',
  int: 'a whole number',
  number: 'a number',
}

const fittingLooks: Readonly<Record<Look, (type: Type) => boolean>> = {
  label: () => true,
  colour: oneOf(INT),
  mark: oneOf(BOOLEAN),
}

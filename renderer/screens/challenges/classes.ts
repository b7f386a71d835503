import type { Survey } from '../../../grammars/challenges/index.ts'

type ClassShape = NonNullable<Survey['classes']>[number]

/** A class drawn as a box; in px. */
export interface Box {
  readonly name: string
  readonly kind: 'class' | 'choice'
  readonly x: number
  readonly y: number
  readonly height: number
  readonly rows: readonly Row[]
}

/** A field, or an alternative of an abstract class. `target`: the class that it refers to. */
export interface Row {
  readonly label: string
  /** A field. */
  readonly type: string
  readonly target: string | null
}

export interface Picture {
  readonly boxes: readonly Box[]
  /** Path data of the lines from rows to classes. */
  readonly lines: readonly { readonly path: string; readonly alternative: boolean }[]
  readonly width: number
  readonly height: number
}

export const BOX_WIDTH = 272
/** Maximum characters of a row in a box, label and type together. */
export const BOX_CHARACTERS = 34
export const ROW = 24
const HEAD = 32
const GAP_X = 88
const GAP_Y = 24
const MARGIN = 16

/** The rows of a class, for the picture and the table. */
export function rowsOf(shape: ClassShape): readonly Row[] {
  if (shape.kind === 'choice') return shape.alternatives.map(({ name }) => ({ label: name, type: '', target: name }))
  return shape.fields.map(({ label, type }) => ({ label, type: fieldType(type), target: targetOf(type) }))
}

type FieldShape = Extract<ClassShape, { kind: 'class' }>['fields'][number]['type']

function fieldType(shape: FieldShape): string {
  if (shape.kind === 'option') return `option of ${fieldType(shape.of)}`
  if (shape.kind === 'list') return `${shape.sorted ?? 'list'} of ${fieldType(shape.of)}`
  // Shown as different types here, although formulas treat all lexical classes as text.
  return shape.kind === 'class' || shape.kind === 'choice' ? shape.name : shape.kind
}

function targetOf(shape: FieldShape): string | null {
  if (shape.kind === 'option' || shape.kind === 'list') return targetOf(shape.of)
  return shape.kind === 'class' || shape.kind === 'choice' ? shape.name : null
}

/** Columns by distance from predicate, instance and solution, which come first; each class once. */
export function pictureOf(classes: readonly ClassShape[]): Picture {
  const layers = layersOf(classes)
  const bottoms: number[] = []
  const boxes = classes.map((shape): Box => {
    const layer = layers.get(shape.name) ?? 0
    const rows = rowsOf(shape)
    const height = HEAD + rows.length * ROW + 8
    const y = bottoms[layer] ?? MARGIN
    bottoms[layer] = y + height + GAP_Y
    return { name: shape.name, kind: shape.kind, x: MARGIN + layer * (BOX_WIDTH + GAP_X), y, height, rows }
  })
  const byName = new Map(boxes.map((box) => [box.name, box]))
  const lines = boxes.flatMap((box) =>
    box.rows.flatMap(({ target }, i) => {
      const to = target === null ? undefined : byName.get(target)
      return to === undefined ? [] : [{ path: line(box, i, to), alternative: box.kind === 'choice' }]
    }),
  )
  return {
    boxes,
    lines,
    width: Math.max(0, ...boxes.map(({ x }) => x + BOX_WIDTH)) + GAP_X / 2,
    height: Math.max(0, ...bottoms),
  }
}

function layersOf(classes: readonly ClassShape[]): ReadonlyMap<string, number> {
  const byName = new Map(classes.map((shape) => [shape.name, shape]))
  const layers = new Map(classes.slice(0, 3).map(({ name }) => [name, 0]))
  // Classes added during the loop are visited too.
  for (const [name, layer] of layers) {
    const shape = byName.get(name)
    for (const { target } of shape === undefined ? [] : rowsOf(shape)) {
      if (target !== null && !layers.has(target)) layers.set(target, layer + 1)
    }
  }
  return layers
}

/** From the end of a row to the head of a box: to its left side if it is further right, else round to its right side. */
function line(from: Box, row: number, to: Box): string {
  const [x, y] = [from.x + BOX_WIDTH, from.y + HEAD + row * ROW + ROW / 2]
  const forward = to.x > from.x
  const [endX, endY] = [forward ? to.x : to.x + BOX_WIDTH, to.y + HEAD / 2]
  const bend = GAP_X / 2
  return `M${x} ${y}C${x + bend} ${y} ${forward ? endX - bend : endX + bend} ${endY} ${endX} ${endY}`
}

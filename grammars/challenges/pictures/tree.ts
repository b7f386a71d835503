import type { Expression, Loop } from '../../formulas/index.ts'

/** `picture kind { drawings }`. `at`: offsets in the file. */
export interface PictureTree {
  readonly at: number
  readonly kind: { readonly at: number; readonly name: string }
  readonly drawings: readonly DrawingTree[]
}

/** A shape, such as `edge a, b label c`, or a loop with drawings. */
export type DrawingTree =
  ShapeTree | { readonly kind: 'each'; readonly loop: Loop; readonly drawings: readonly DrawingTree[] }

export interface ShapeTree {
  readonly kind: 'shape'
  readonly at: number
  readonly word: string
  readonly places: readonly Expression[]
  readonly looks: readonly { readonly at: number; readonly look: Look; readonly formula: Expression }[]
}

export type Look = 'label' | 'colour' | 'mark'

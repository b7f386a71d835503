import { tokens as t } from '../../formulas/index.ts'

export const Generate = t.word('generate')
export const Planted = t.word('planted')

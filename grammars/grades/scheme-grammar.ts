import type { IToken, TokenType } from 'chevrotain'
import { FormulaGrammar, tokens as t } from '../formulas/index.ts'
import type { Expression } from '../formulas/index.ts'

/** A part of a scheme with a name: `name = expression`. */
export interface SchemePart {
  /** The offset of its name in the text. */
  readonly at: number
  readonly name: string
  readonly value: Expression
}

/** A band: grades from `from` upwards are called `label`. */
export interface SchemeBand {
  readonly from: number
  readonly label: string
  /** The offsets of the number in the text, the end exclusive; null: `else`, which is written without a number. */
  readonly written: { readonly start: number; readonly end: number } | null
}

/** A scheme as it is written. */
export interface SchemeTree {
  readonly parts: readonly SchemePart[]
  readonly bands: readonly SchemeBand[]
  /** The offset of the word `bands`; null: the scheme has none. */
  readonly bandsAt: number | null
}

export const Bands = t.word('bands')

/** The rules of schemes: formulas of the challenge language with names, and bands. */
export abstract class SchemeGrammar extends FormulaGrammar {
  /** scheme = { part | bands } */
  protected readonly scheme = this.RULE('scheme', (): SchemeTree => {
    const parts: SchemePart[] = []
    let bands: SchemeBand[] = []
    let bandsAt: number | null = null
    this.MANY(() =>
      this.OR([
        {
          ALT: () => {
            const word = this.CONSUME(Bands)
            const read = this.SUBRULE(this.bandList)
            this.ACTION(() => {
              bandsAt = this.place(word)
              bands = read
            })
          },
        },
        { ALT: () => parts.push(this.SUBRULE(this.part)) },
      ]),
    )
    return { parts, bands, bandsAt }
  })

  /** part = name "=" expression */
  private readonly part = this.RULE('part', (): SchemePart => {
    const name = this.CONSUME(t.Name)
    this.CONSUME(t.Equal)
    return { at: this.place(name), name: name.image, value: this.SUBRULE(this.expression) }
  })

  /** bandList = band { "," band } ; band = ( number | "else" ) text */
  private readonly bandList = this.RULE('bandList', (): SchemeBand[] => {
    const bands: SchemeBand[] = []
    this.AT_LEAST_ONE_SEP({ SEP: t.Comma, DEF: () => bands.push(this.SUBRULE(this.band)) })
    return bands
  })

  private readonly band = this.RULE('band', (): SchemeBand => {
    const threshold = this.OR([{ ALT: () => this.CONSUME(t.Numeral) }, { ALT: () => this.CONSUME(t.Else) }])
    const label = this.CONSUME(t.Text)
    return this.ACTION(() => ({ ...this.thresholdOf(threshold, t.Numeral), label: t.textOf(label.image) }))
  })

  private thresholdOf(token: IToken, numeral: TokenType): Pick<SchemeBand, 'from' | 'written'> {
    if (token.tokenType !== numeral) return { from: -Infinity, written: null }
    const start = this.place(token)
    return { from: Number(token.image), written: { start, end: start + token.image.length } }
  }
}

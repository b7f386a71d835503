import { tokens as t } from '../../formulas/index.ts'
import type { Expression } from '../../formulas/index.ts'
import { PropertyGrammar } from '../../properties/index.ts'
import { Colour, Label, Mark, Picture } from './tokens.ts'
import type { DrawingTree, Look, PictureTree, ShapeTree } from './tree.ts'

/** The rules of `picture` sections. The parser of challenge files extends this one. */
export abstract class PictureGrammar extends PropertyGrammar {
  /** picture = "picture" kind drawings */
  protected readonly picture = this.RULE('picture', (): PictureTree => {
    const at = this.place(this.CONSUME(Picture))
    const kind = this.CONSUME(t.Name)
    return { at, kind: { at: this.place(kind), name: kind.image }, drawings: this.SUBRULE(this.drawings) }
  })

  /** drawings = "{" { shape | loop drawings } "}" */
  private readonly drawings = this.RULE('drawings', (): DrawingTree[] => {
    const drawings: DrawingTree[] = []
    this.ACTION(() => this.enter())
    this.CONSUME(t.LeftBrace)
    this.MANY(() => {
      this.OR([
        {
          ALT: () => {
            const loop = this.SUBRULE(this.loop)
            drawings.push({ kind: 'each', loop, drawings: this.SUBRULE(this.drawings) })
          },
        },
        { ALT: () => drawings.push(this.SUBRULE(this.shape)) },
      ])
    })
    this.CONSUME(t.RightBrace)
    return this.ACTION(() => {
      this.leave()
      return drawings
    })
  })

  /** shape = word expression { "," expression } { ( "label" | "colour" | "mark" ) expression } */
  private readonly shape = this.RULE('shape', (): ShapeTree => {
    const word = this.CONSUME(t.Name)
    const places: Expression[] = []
    const looks: { at: number; look: Look; formula: Expression }[] = []
    this.AT_LEAST_ONE_SEP({ SEP: t.Comma, DEF: () => places.push(this.SUBRULE(this.expression)) })
    this.MANY(() => {
      const look = this.OR([
        { ALT: () => this.CONSUME(Label) },
        { ALT: () => this.CONSUME(Colour) },
        { ALT: () => this.CONSUME(Mark) },
      ])
      looks.push({ at: this.place(look), look: look.image as Look, formula: this.SUBRULE2(this.expression) })
    })
    return { kind: 'shape', at: this.place(word), word: word.image, places, looks }
  })
}

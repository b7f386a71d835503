import { EmbeddedActionsParser } from 'chevrotain'
import type { IToken, ParserMethod } from 'chevrotain'
import type { Position } from '../problem.ts'
import type { Definition, Flag, Include, NameDef, Part, PrintCommand, QualifiedName, TypeUse } from './model.ts'
import { messages, numberOf } from './source.ts'
import type { Source } from './source.ts'
import { decodeText } from './text.ts'
import * as t from './tokens.ts'

const none: readonly never[] = []

/** The grammar of dialect C (DemFGen 2011), one rule a nonterminal of its recovered grammar; builds the model as it reads. */
class DictionaryParser extends EmbeddedActionsParser {
  /** Where the text begins in a larger one. */
  origin: Position = { line: 1, column: 1, offset: 0 }

  readonly source: ParserMethod<[], Source>
  readonly definitions: ParserMethod<[], Definition[]>
  readonly typeUse: ParserMethod<[], TypeUse>

  constructor() {
    super([...t.tokenTypes], { maxLookahead: 2, errorMessageProvider: messages })

    const at = (token: IToken): Position => {
      const { line, column, offset } = this.origin
      const startLine = token.startLine ?? 1
      const startColumn = token.startColumn ?? 1
      return {
        line: line + startLine - 1,
        column: startLine === 1 ? column + startColumn - 1 : startColumn,
        offset: offset + token.startOffset,
      }
    }

    const flag = this.RULE('flag', (): Flag =>
      this.OR([
        { ALT: () => (this.CONSUME(t.NogenWord), 'nogen' as const) },
        { ALT: () => (this.CONSUME(t.NoparseWord), 'noparse' as const) },
        { ALT: () => (this.CONSUME(t.ExternWord), 'extern' as const) },
      ]),
    )

    this.typeUse = this.RULE('typeUse', (): TypeUse => {
      const name = this.CONSUME(t.Identifier)
      let use: readonly TypeUse[] = none
      this.OPTION(() => {
        this.CONSUME(t.OpenParen)
        use = this.SUBRULE(typeUses)
        this.CONSUME(t.CloseParen)
      })
      return { name: name.image, at: at(name), arguments: use }
    })

    const typeUses = this.RULE('typeUses', (): TypeUse[] => {
      const uses: TypeUse[] = []
      this.AT_LEAST_ONE_SEP({ SEP: t.Comma, ERR_MSG: 'a name', DEF: () => uses.push(this.SUBRULE(this.typeUse)) })
      return uses
    })

    const nameDefs = this.RULE('nameDefs', (): NameDef[] => {
      const names: NameDef[] = []
      this.AT_LEAST_ONE_SEP({
        SEP: t.Comma,
        ERR_MSG: 'a name',
        DEF: () => {
          const name = this.CONSUME(t.Identifier)
          const bound = this.OPTION(() => {
            this.CONSUME(t.Colon)
            return this.SUBRULE(this.typeUse)
          })
          names.push({ name: name.image, at: at(name), bound: bound ?? null })
        },
      })
      return names
    })

    const include = this.RULE('include', (): Include => {
      const marked = this.OPTION(() => this.SUBRULE(flag))
      this.CONSUME(t.IncludeWord)
      const name = this.CONSUME(t.Text)
      this.CONSUME(t.Semicolon)
      return { flag: marked ?? null, name: this.ACTION(() => decodeText(name.image)), at: at(name) }
    })

    const qualifiedName = this.RULE('qualifiedName', (): QualifiedName => {
      const first = this.CONSUME(t.Identifier)
      const names = [first.image]
      this.MANY(() => {
        this.CONSUME(t.Dot)
        names.push(this.CONSUME2(t.Identifier).image)
      })
      const star = this.OPTION(() => this.CONSUME(t.DotStar))
      this.CONSUME(t.Semicolon)
      return { name: names.join('.'), all: star !== undefined, at: at(first) }
    })

    const lookahead = this.RULE('lookahead', () => {
      this.CONSUME(t.LookaheadWord)
      this.CONSUME(t.Equals)
      const value = this.CONSUME(t.Int)
      this.CONSUME(t.Semicolon)
      return { value: this.ACTION(() => numberOf(value.image)), at: at(value) }
    })

    // Made once and not at each part of a class: a long text has hundreds of thousands.
    const parts = {
      DEF: [
        {
          ALT: () => {
            this.CONSUME(t.OpenAngle)
            const label = this.CONSUME(t.Identifier)
            this.CONSUME(t.CloseAngle)
            const type = this.SUBRULE(this.typeUse)
            return { kind: 'field' as const, label: label.image, at: at(label), type }
          },
        },
        {
          ALT: () => {
            const text = this.CONSUME(t.Text)
            return { kind: 'literal' as const, text: this.ACTION(() => decodeText(text.image)), at: at(text) }
          },
        },
        {
          ALT: () => {
            const command = this.CONSUME(t.PrintCommand)
            return { kind: 'print' as const, command: command.image as PrintCommand, at: at(command) }
          },
        },
        { ALT: () => ({ kind: 'end' as const, at: at(this.CONSUME(t.EofWord)) }) },
      ],
      ERR_MSG: 'a field, a literal or a printing command',
    }
    const part = this.RULE('part', (): Part => this.OR(parts))

    const alternatives = this.RULE('alternatives', (): TypeUse[] => {
      const uses: TypeUse[] = []
      this.AT_LEAST_ONE_SEP({ SEP: t.Bar, ERR_MSG: 'a name', DEF: () => uses.push(this.SUBRULE(this.typeUse)) })
      return uses
    })

    const enclosedOrOpen = [
      {
        ALT: () => {
          this.CONSUME(t.OpenParen)
          const inner = this.SUBRULE(alternatives)
          this.CONSUME(t.CloseParen)
          return inner
        },
      },
      { ALT: () => this.SUBRULE2(alternatives) },
    ]
    const anyAlternatives = this.RULE('anyAlternatives', (): readonly TypeUse[] => this.OR(enclosedOrOpen))

    const definition = this.RULE('definition', (): Definition => {
      const marked = this.OPTION(() => this.SUBRULE(flag))
      const word = this.OPTION2(() => this.CONSUME(t.InterfaceWord))
      const name = this.CONSUME(t.Identifier)
      let parameters: readonly NameDef[] = none
      this.OPTION3(() => {
        this.CONSUME(t.OpenParen)
        parameters = this.SUBRULE(nameDefs)
        this.CONSUME(t.CloseParen)
      })
      this.CONSUME(t.Equals)
      const uses = this.OPTION5(() => this.SUBRULE(anyAlternatives))
      const isInterface = word !== undefined
      const written: Part[] = []
      this.MANY({ GATE: () => !isInterface, DEF: () => written.push(this.SUBRULE(part)) })
      let supers: readonly TypeUse[] = none
      this.OPTION4({
        GATE: () => !isInterface,
        DEF: () => {
          this.CONSUME(t.ImplementsWord)
          supers = this.SUBRULE(typeUses)
        },
      })
      this.CONSUME(t.Dot)
      return {
        flag: marked ?? null,
        isInterface,
        name: name.image,
        at: at(name),
        parameters,
        alternatives: uses ?? none,
        parts: written,
        implements: supers,
      }
    })

    this.definitions = this.RULE('definitions', (): Definition[] => {
      const list: Definition[] = []
      this.MANY(() => list.push(this.SUBRULE(definition)))
      return list
    })

    this.source = this.RULE('source', (): Source => {
      const includes: Include[] = []
      this.MANY(() => includes.push(this.SUBRULE(include)))
      let using: readonly NameDef[] = none
      this.OPTION(() => {
        this.CONSUME(t.UsingWord)
        using = this.SUBRULE(nameDefs)
        this.CONSUME(t.Semicolon)
      })
      const packageName = this.OPTION2(() => {
        this.CONSUME(t.PackageWord)
        return this.SUBRULE(qualifiedName)
      })
      const look = this.OPTION3(() => this.SUBRULE(lookahead))
      const imports: QualifiedName[] = []
      this.MANY2(() => {
        this.CONSUME(t.ImportWord)
        imports.push(this.SUBRULE2(qualifiedName))
      })
      return {
        includes,
        using,
        package: packageName ?? null,
        lookahead: look ?? null,
        imports,
        definitions: this.SUBRULE(this.definitions),
      }
    })

    this.performSelfAnalysis()
  }
}

/** One is enough: it keeps nothing between two texts. */
export const parser = new DictionaryParser()

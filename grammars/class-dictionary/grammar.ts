import type { IToken, ParserMethod } from 'chevrotain'
import { lazily } from '../lazily.ts'
import { CommonGrammar, trimmed } from './common-grammar.ts'
import type { Definition, Flag, Include, NameDef, Part, QualifiedName, TypeUse } from './model.ts'
import type { Source } from './source.ts'
import { decodeText } from './text.ts'
import * as t from './tokens.ts'

const none: readonly never[] = []

/**
 * The grammar of dialect C (DemFGen 2011), with one rule for each nonterminal of the original; builds the model
 * directly.
 */
class DictionaryParser extends CommonGrammar {
  readonly source: ParserMethod<[], Source>
  readonly definitions: ParserMethod<[], Pick<Source, 'definitions'>>
  readonly typeUse: ParserMethod<[], TypeUse>

  constructor() {
    const words = {
      identifier: t.Identifier,
      using: t.UsingWord,
      package: t.PackageWord,
      lookahead: t.LookaheadWord,
      import: t.ImportWord,
    }
    super(t.tokenTypes, words, 2)
    const { at, typeUses, nameDefs } = this

    const flag = this.RULE('flag', (): Flag =>
      this.OR([
        { ALT: () => (this.CONSUME(t.NogenWord), 'nogen' as const) },
        { ALT: () => (this.CONSUME(t.NoparseWord), 'noparse' as const) },
        { ALT: () => (this.CONSUME(t.ExternWord), 'extern' as const) },
      ]),
    )

    // These and the closures below are created once, not for each class and name: a long text has hundreds of
    // thousands.
    const typeArguments = (): readonly TypeUse[] => {
      this.CONSUME(t.OpenParen)
      const uses = this.SUBRULE(typeUses)
      this.CONSUME(t.CloseParen)
      return uses
    }
    this.typeUse = this.RULE('typeUse', (): TypeUse => {
      const name = this.CONSUME(t.Identifier)
      const uses = this.OPTION(typeArguments) ?? none
      return { name: name.image, at: at(name), arguments: uses }
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

    const anyPart = {
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
        ...this.syntaxAlternatives,
        { ALT: () => ({ kind: 'end' as const, at: at(this.CONSUME(t.EofWord)) }) },
      ],
      ERR_MSG: 'a field, a literal or a printing command',
    }
    let written: Part[] = []
    const nextPart = (): void => void written.push(this.OR(anyPart))
    const parts = this.RULE('parts', (): readonly Part[] => {
      written = []
      this.MANY(nextPart)
      return trimmed(written)
    })

    const alternatives = this.RULE('alternatives', (): readonly TypeUse[] => {
      const uses: TypeUse[] = []
      this.AT_LEAST_ONE_SEP({ SEP: t.Bar, ERR_MSG: 'a name', DEF: () => uses.push(this.SUBRULE(this.typeUse)) })
      return trimmed(uses)
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

    const marking = (): Flag => this.SUBRULE(flag)
    const interfaceWord = (): IToken => this.CONSUME(t.InterfaceWord)
    const parameterList = (): readonly NameDef[] => {
      this.CONSUME(t.OpenParen)
      const names = this.SUBRULE(nameDefs)
      this.CONSUME(t.CloseParen)
      return names
    }
    const alternativeList = (): readonly TypeUse[] => this.SUBRULE(anyAlternatives)
    const superclasses = (): readonly TypeUse[] => {
      this.CONSUME(t.ImplementsWord)
      return this.SUBRULE(typeUses)
    }
    const definition = this.RULE('definition', (): Definition => {
      const marked = this.OPTION(marking)
      const word = this.OPTION2(interfaceWord)
      const name = this.CONSUME(t.Identifier)
      const parameters = this.OPTION3(parameterList) ?? none
      this.CONSUME(t.Equals)
      const uses = this.OPTION5(alternativeList) ?? none
      let own: readonly Part[] = none
      let supers: readonly TypeUse[] = none
      // An interface has neither.
      if (word === undefined || this.RECORDING_PHASE) {
        own = this.SUBRULE(parts)
        supers = this.OPTION4(superclasses) ?? none
      }
      this.CONSUME(t.Dot)
      return {
        flag: marked ?? null,
        isInterface: word !== undefined,
        name: name.image,
        at: at(name),
        parameters,
        alternatives: uses,
        parts: own,
        implements: supers,
      }
    })

    this.definitions = this.RULE('definitions', () => {
      const definitions: Definition[] = []
      this.MANY(() => definitions.push(this.SUBRULE(definition)))
      return { definitions }
    })

    this.source = this.sourceRule(include, qualifiedName, this.definitions)

    this.performSelfAnalysis()
  }
}

/** A shared instance, because the parser keeps no state between two texts. */
export const parser = lazily(() => new DictionaryParser())

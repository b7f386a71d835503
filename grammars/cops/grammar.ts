import { EmbeddedActionsParser, type IToken } from 'chevrotain'
import type {
  BotMessage,
  BotMove,
  Inform,
  NodeTag,
  Planned,
  Ptype,
  Skeleton,
  SkeletonEdge,
  SkeletonNode,
} from './messages.ts'
import { SECTION_MAX, TOKEN_MAX, WORLD_MAX } from './messages.ts'
import { Eol, Gap, vocabulary, Word, words as w } from './tokens.ts'

/** A token that is not what its place wants, or a section that is too long. `offset`: where in the text. */
export class Unfit extends Error {
  readonly offset: number

  constructor(offset: number, message: string) {
    super(message)
    this.offset = offset
  }
}

const ptypes: readonly string[] = ['cop-foot', 'cop-car', 'robber'] satisfies readonly Ptype[]
const tags: readonly string[] = ['hq', 'bank', 'robber-start', 'ordinary'] satisfies readonly NodeTag[]
const edgeTypes: readonly string[] = ['foot', 'car']

const isPtype = (text: string): text is Ptype => ptypes.includes(text)
const isTag = (text: string): text is NodeTag => tags.includes(text)
const isEdgeType = (text: string): text is SkeletonEdge['type'] => edgeTypes.includes(text)

/** The messages of section 3.2.2 that are read: what brains send, and the world skeleton, which is also the form of map files. */
export class LineGrammar extends EmbeddedActionsParser {
  constructor() {
    super([...vocabulary], { recoveryEnabled: false, maxLookahead: 1 })
    this.performSelfAnalysis()
  }

  /** message = register | inform | plan | vote | move | orders | dirtyOrders | bribe | robberOrders */
  readonly message = this.RULE('message', (): BotMessage =>
    this.OR([
      { ALT: () => this.SUBRULE(this.register) },
      { ALT: (): BotMessage => ({ type: 'inform', informs: this.SUBRULE(this.informs) }) },
      { ALT: (): BotMessage => ({ type: 'plan', plan: this.SUBRULE(this.planned) }) },
      { ALT: (): BotMessage => ({ type: 'vote', ballot: this.SUBRULE(this.ballot) }) },
      { ALT: () => this.SUBRULE(this.move) },
      { ALT: () => this.SUBRULE(this.orders) },
      {
        ALT: (): BotMessage => ({ type: 'orders', market: null, moves: this.SUBRULE(this.moves), accuse: [] }),
      },
      { ALT: () => this.SUBRULE(this.bribe) },
      { ALT: () => this.SUBRULE(this.robberOrders) },
    ]),
  )

  private readonly register = this.RULE('register', (): BotMessage => {
    this.CONSUME(w.reg)
    const bot = this.SUBRULE(this.name)
    const ptype = this.SUBRULE(this.ptype)
    this.CONSUME(Eol)
    return { type: 'register', bot, ptype }
  })

  private readonly informs = this.RULE('informs', (): Inform[] => {
    const lines: Inform[] = []
    this.CONSUME(w.inf.open)
    this.CONSUME1(Eol)
    this.MANY(() => {
      this.CONSUME(w.inf.line)
      const bot = this.SUBRULE1(this.name)
      const loc = this.SUBRULE2(this.name)
      const ptype = this.SUBRULE(this.ptype)
      const world = this.SUBRULE(this.world)
      const certainty = this.SUBRULE(this.certainty)
      this.CONSUME2(Eol)
      this.add(lines, { bot, loc, ptype, world, certainty })
    })
    this.CONSUME(w.inf.close)
    this.CONSUME3(Eol)
    return lines
  })

  private readonly planned = this.RULE('planned', (): Planned[] => {
    const lines: Planned[] = []
    this.CONSUME(w.plan.open)
    this.CONSUME1(Eol)
    this.MANY(() => {
      this.CONSUME(w.plan.line)
      const bot = this.SUBRULE1(this.name)
      const loc = this.SUBRULE2(this.name)
      const ptype = this.SUBRULE(this.ptype)
      const world = this.SUBRULE(this.world)
      this.CONSUME2(Eol)
      this.add(lines, { bot, loc, ptype, world })
    })
    this.CONSUME(w.plan.close)
    this.CONSUME3(Eol)
    return lines
  })

  private readonly ballot = this.RULE('ballot', (): string[] => {
    const names: string[] = []
    this.CONSUME(w.vote.open)
    this.CONSUME1(Eol)
    this.MANY(() => {
      this.CONSUME(w.vote.line)
      const bot = this.SUBRULE(this.name)
      this.CONSUME2(Eol)
      this.add(names, bot)
    })
    this.CONSUME(w.vote.close)
    this.CONSUME3(Eol)
    return names
  })

  private readonly move = this.RULE('move', (): BotMessage => {
    this.CONSUME(w.mov.line)
    const loc = this.SUBRULE(this.name)
    const ptype = this.SUBRULE(this.ptype)
    this.CONSUME(Eol)
    return { type: 'move', loc, ptype }
  })

  /** "cmov\" ( "turncoat:" | "straight-arrow:" ) moves accused "cmov/" */
  private readonly orders = this.RULE('orders', (): BotMessage => {
    this.CONSUME(w.cmov.open)
    this.CONSUME1(Eol)
    const market = this.OR([
      { ALT: () => (this.CONSUME(w.turncoat), 'turncoat' as const) },
      { ALT: () => (this.CONSUME(w.straightArrow), 'straight-arrow' as const) },
    ])
    this.CONSUME2(Eol)
    const moves = this.SUBRULE(this.moves)
    const accuse = this.SUBRULE(this.accused)
    this.CONSUME(w.cmov.close)
    this.CONSUME3(Eol)
    return { type: 'orders', market, moves, accuse }
  })

  private readonly moves = this.RULE('moves', (): BotMove[] => {
    const moves: BotMove[] = []
    this.CONSUME(w.mov.open)
    this.CONSUME1(Eol)
    this.MANY(() => {
      this.add(moves, this.SUBRULE(this.botMove))
    })
    this.CONSUME(w.mov.close)
    this.CONSUME3(Eol)
    return moves
  })

  private readonly botMove = this.RULE('botMove', (): BotMove => {
    this.CONSUME(w.mov.line)
    const loc = this.SUBRULE1(this.name)
    const ptype = this.SUBRULE(this.ptype)
    const bot = this.SUBRULE2(this.name)
    this.CONSUME(Eol)
    return { bot, loc, ptype }
  })

  private readonly accused = this.RULE('accused', (): string[] => {
    const names: string[] = []
    this.CONSUME(w.acc.open)
    this.CONSUME1(Eol)
    this.MANY(() => {
      this.CONSUME(w.acc.line)
      const bot = this.SUBRULE(this.name)
      this.CONSUME2(Eol)
      this.add(names, bot)
    })
    this.CONSUME(w.acc.close)
    this.CONSUME3(Eol)
    return names
  })

  private readonly chosen = this.RULE('chosen', (): string[] => {
    const names: string[] = []
    this.CONSUME(w.chc.open)
    this.CONSUME1(Eol)
    this.MANY(() => {
      this.CONSUME(w.chc.line)
      const bot = this.SUBRULE(this.name)
      this.CONSUME2(Eol)
      this.add(names, bot)
    })
    this.CONSUME(w.chc.close)
    this.CONSUME3(Eol)
    return names
  })

  private readonly bribe = this.RULE('bribe', (): BotMessage => {
    const asks = this.OR([
      { ALT: () => (this.CONSUME(w.bribe), true) },
      { ALT: () => (this.CONSUME(w.nobribe), false) },
    ])
    this.CONSUME(Eol)
    return { type: 'bribe', asks }
  })

  /** "rmov\" botMove ( push | chosen | "nobribe:" ) "rmov/" */
  private readonly robberOrders = this.RULE('robberOrders', (): BotMessage => {
    this.CONSUME(w.rmov.open)
    this.CONSUME1(Eol)
    const move = this.SUBRULE(this.botMove)
    const deed = this.OR([
      {
        ALT: () => {
          this.CONSUME(w.psh)
          const bot = this.SUBRULE1(this.name)
          const loc = this.SUBRULE2(this.name)
          this.CONSUME2(Eol)
          return { push: { bot, loc }, choose: null }
        },
      },
      { ALT: () => ({ push: null, choose: this.SUBRULE(this.chosen) }) },
      {
        ALT: () => {
          this.CONSUME(w.nobribe)
          this.CONSUME3(Eol)
          return { push: null, choose: null }
        },
      },
    ])
    this.CONSUME(w.rmov.close)
    this.CONSUME4(Eol)
    return { type: 'robber-orders', move, ...deed }
  })

  /** "wsk\" "name:" bot "robber:" bot { "cop:" bot } nodes edges "wsk/" */
  readonly skeleton = this.RULE('skeleton', (): Skeleton => {
    const cops: string[] = []
    this.CONSUME(w.wsk.open)
    this.CONSUME1(Eol)
    this.CONSUME(w.name)
    const name = this.SUBRULE1(this.name)
    this.CONSUME2(Eol)
    this.CONSUME(w.robber)
    const robber = this.SUBRULE2(this.name)
    this.CONSUME3(Eol)
    this.MANY(() => {
      this.CONSUME(w.cop)
      const cop = this.SUBRULE3(this.name)
      this.CONSUME4(Eol)
      this.add(cops, cop)
    })
    const nodes = this.SUBRULE(this.nodes)
    const edges = this.SUBRULE(this.edges)
    this.CONSUME(w.wsk.close)
    this.CONSUME5(Eol)
    return { name, robber, cops, nodes, edges }
  })

  private readonly nodes = this.RULE('nodes', (): SkeletonNode[] => {
    const nodes: SkeletonNode[] = []
    this.CONSUME(w.nod.open)
    this.CONSUME1(Eol)
    this.MANY(() => {
      this.CONSUME(w.nod.line)
      const loc = this.SUBRULE(this.name)
      const tag = this.SUBRULE(this.tag)
      const x = this.SUBRULE1(this.coordinate)
      const y = this.SUBRULE2(this.coordinate)
      this.CONSUME2(Eol)
      this.add(nodes, { loc, tag, x, y })
    })
    this.CONSUME(w.nod.close)
    this.CONSUME3(Eol)
    return nodes
  })

  private readonly edges = this.RULE('edges', (): SkeletonEdge[] => {
    const edges: SkeletonEdge[] = []
    this.CONSUME(w.edg.open)
    this.CONSUME1(Eol)
    this.MANY(() => {
      this.CONSUME(w.edg.line)
      const from = this.SUBRULE1(this.name)
      const to = this.SUBRULE2(this.name)
      const type = this.SUBRULE(this.edgeType)
      this.CONSUME2(Eol)
      this.add(edges, { from, to, type })
    })
    this.CONSUME(w.edg.close)
    this.CONSUME3(Eol)
    return edges
  })

  private readonly name = this.RULE('name', (): string => this.word().image)

  private readonly ptype = this.RULE('ptype', (): Ptype => this.among(isPtype, 'robber', 'cop-foot, cop-car or robber'))

  private readonly tag = this.RULE('tag', (): NodeTag =>
    this.among(isTag, 'ordinary', 'hq, bank, robber-start or ordinary'),
  )

  private readonly edgeType = this.RULE('edgeType', () => this.among(isEdgeType, 'foot', 'foot or car'))

  private readonly world = this.RULE('world', (): number => this.number(0, WORLD_MAX))

  private readonly certainty = this.RULE('certainty', (): number => this.number(-100, 100))

  private readonly coordinate = this.RULE('coordinate', (): number => this.number(0, 1_023))

  /** One separator, then a token of at most 100 characters. */
  private word(): IToken {
    this.CONSUME(Gap)
    const token = this.CONSUME(Word)
    this.ACTION(() => {
      if (token.image.length > TOKEN_MAX)
        throw new Unfit(token.startOffset, `a token has more than ${TOKEN_MAX} characters`)
    })
    return token
  }

  /** Tokens consumed while Chevrotain records the grammar have no text: `recorded` stands for it. */
  private among<T extends string>(fits: (text: string) => text is T, recorded: T, wanted: string): T {
    const { image, startOffset } = this.word()
    if (this.RECORDING_PHASE || fits(image)) return fits(image) ? image : recorded
    throw new Unfit(startOffset, `"${image}" is not ${wanted}`)
  }

  /** A whole number in decimal digits. */
  private number(least: number, most: number): number {
    const { image, startOffset } = this.word()
    if (this.RECORDING_PHASE) return least
    const value = Number(image)
    if (!/^-?[0-9]+$/.test(image) || (least >= 0 && image.startsWith('-')) || value < least || value > most)
      throw new Unfit(startOffset, `"${image}" is not a number from ${least} to ${most}`)
    // -0 would not survive JSON.
    return value + 0
  }

  /** Adds the line that has just been read. */
  private add<T>(lines: T[], line: T): void {
    this.ACTION(() => {
      if (lines.push(line) > SECTION_MAX)
        throw new Unfit(this.LA(0).startOffset, `a section has more than ${SECTION_MAX.toLocaleString('en')} lines`)
    })
  }
}

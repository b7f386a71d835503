/**
 * Settings that came after the first histories. One that is as it was before stands in no config, so that the state of an
 * older match, which holds its config, still has the hash that was recorded. `choicesOf` fills them in.
 */
export type Choices = {
  /**
   * `synchronous`: section 4.3, turn by turn. `asynchronous`: everybody may act at any time (asynchronous.ts). `mega-moves`:
   * section 4.2, White and Black, step by step; two players.
   */
  readonly mode: 'synchronous' | 'asynchronous' | 'mega-moves'
  /** Asynchronous: how long there is trade, in ms on the match clock. */
  readonly duration: number
  /**
   * Rule 8: ms in which a player must answer; the contest's limit for a move where that is shorter. null: that limit. Players
   * are told which it is.
   */
  readonly timeslot: number | null
  /** What challenges claim and pay: payoffs.ts. `base-ball`: classic and secret challenges in one market (section 5.3). */
  readonly variant: 'classic' | 'belief' | 'secret' | 'base-ball'
  /** What a discounted claim earns its buyer above the price: this times the quality beyond the claim. */
  readonly profitFactor: number
  /** The quality that a belief says cannot be reached: always the `price`, or what the offer says. */
  readonly f: 'price' | 'free'
  /**
   * What the buyer of a false secret gets (decision 13). `as-promised`: the payoff for the quality that the seller claimed.
   * `as-true`: the payoff for the quality that the seller has shown, so that nobody loses by a lie.
   */
  readonly falseSecrets: 'as-promised' | 'as-true'
  /** A league of the challenge, by name: only predicates that it admits are sold. null: all are. */
  readonly league: string | null
  /** The league's own number, such as k; null: its standard. */
  readonly leagueParameter: number | null
}

const standard: Choices = {
  mode: 'synchronous',
  duration: 10_000,
  timeslot: null,
  variant: 'classic',
  profitFactor: 1,
  f: 'price',
  falseSecrets: 'as-promised',
  league: null,
  leagueParameter: null,
}

export function choicesOf(config: Partial<Choices>): Choices {
  const chosen = Object.keys(standard).filter((name) => Object.hasOwn(config, name))
  return { ...standard, ...Object.fromEntries(chosen.map((name) => [name, config[name as keyof Choices]])) }
}

/** The config without the choices that are as they always were. */
export function withoutStandards<C extends Partial<Choices>>(config: C): C {
  const usual = ([name, value]: [string, unknown]): boolean =>
    Object.hasOwn(standard, name) && value === standard[name as keyof Choices]
  return Object.fromEntries(Object.entries(config).filter((entry) => !usual(entry))) as C
}

/** Whether this is the synchronous classic game of the first histories, with nothing chosen since that a player would notice. */
export function isFirst(config: Partial<Choices>): boolean {
  return !Object.keys(standard).some((name) => name !== 'timeslot' && Object.hasOwn(config, name))
}

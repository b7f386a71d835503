/**
 * Settings added after the first recorded histories. A setting with its original value is left out of configs, so that
 * the states of older matches, which contain the config, still have their recorded hashes. `choicesOf` fills them in.
 */
export type Choices = {
  /**
   * `synchronous`: section 4.3, turn by turn. `asynchronous`: all players may act at any time (asynchronous.ts).
   * `mega-moves`: section 4.2, White and Black, step by step; two players.
   */
  readonly mode: 'synchronous' | 'asynchronous' | 'mega-moves'
  /** Asynchronous: the duration of trading in ms on the match clock. */
  readonly duration: number
  /**
   * Rule 8: the time for an answer in ms, or the contest's limit for a move if that is shorter; null: that limit.
   * Players are told the result.
   */
  readonly timeslot: number | null
  /**
   * The claims and payoffs of challenges; see payoffs.ts. `base-ball`: classic and secret challenges in one market (section
   * 5.3).
   */
  readonly variant: 'classic' | 'belief' | 'secret' | 'base-ball'
  /** The payoff of a discounted claim beyond the price: this factor times the quality beyond the claim. */
  readonly profitFactor: number
  /** The quality that a belief claims to be unreachable: always the `price`, or stated in the offer. */
  readonly f: 'price' | 'free'
  /**
   * The compensation for the buyer of a false secret (decision 13). `as-promised`: the payoff for the quality that the seller
   * claimed. `as-true`: the payoff for the quality that the seller has shown, so that a lie harms nobody else.
   */
  readonly falseSecrets: 'as-promised' | 'as-true'
  /**
   * `lenient`: a solution or secret that the challenge cannot judge voids the sale, and of a removed seller's secrets only
   * the one named in its violation counts as false. `strict`: such a value is invalid, and every secret that is due and
   * not revealed is false. `full`: also, raw material is at fault if no solution of it can be generated within the limits.
   * `thorough`: also, a secret that the challenge file cannot judge at its reveal voids the sale.
   * `complete`: also, a challenge file whose bound fails, or that can judge no raw material of its own, voids the sale, and so do
   * its requirements if they fail for every solution. Nobody owes anything if its properties draw nothing that can be played
   * (decision 20), nor an offer of a predicate for which they draw nothing (decision 21), nor a lower price for one (decision 22). It
   * belongs to the release to come.
   */
  readonly judgement: 'lenient' | 'strict' | 'full' | 'thorough' | 'complete'
  /** A league of the challenge by name; only predicates that it admits can be sold. null: all predicates. */
  readonly league: string | null
  /** The league's parameter, such as k; null: its default. */
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
  judgement: 'lenient',
  league: null,
  leagueParameter: null,
}

export function choicesOf(config: Partial<Choices>): Choices {
  const chosen = Object.keys(standard).filter((name) => Object.hasOwn(config, name))
  return { ...standard, ...Object.fromEntries(chosen.map((name) => [name, config[name as keyof Choices]])) }
}

/** The config without settings that have their original values. */
export function withoutStandards<C extends Partial<Choices>>(config: C): C {
  const usual = ([name, value]: [string, unknown]): boolean =>
    Object.hasOwn(standard, name) && value === standard[name as keyof Choices]
  return Object.fromEntries(Object.entries(config).filter((entry) => !usual(entry))) as C
}

/**
 * True for the synchronous classic game of the first histories, without newer settings that players would
 * notice. `judgement` does not count: it changes no message of a match without faults.
 */
export function isFirst(config: Partial<Choices>): boolean {
  const newer = Object.keys(standard).filter((name) => name !== 'timeslot' && name !== 'judgement')
  return !newer.some((name) => Object.hasOwn(config, name))
}

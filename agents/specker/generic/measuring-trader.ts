import { drawPredicate } from '../../../grammars/challenges/draw.ts'
import { readChallenge } from '../../../grammars/challenges/index.ts'
import { fromText, toText } from '../../../grammars/formulas/numbers/fraction.ts'
import type { Kind, StartMessage } from '../../../main/referees/specker/messages.ts'
import { craftOf } from '../crafts/index.ts'
import { ENERGY, termsOf, type Desk } from '../trade/desk.ts'
import type { Trader } from '../trade/turn.ts'
import { Valuer, type Estimate } from '../trade/valuer.ts'
import { payoffOf } from '../trade/worth.ts'
import { leagueOf } from './league.ts'
import { numberedPredicates } from './predicates.ts'
import { ENOUGH, studiesOf, type Study } from './studies.ts'

/** The maximum number of new offers per turn, unless rule 3 requires more. */
const OFFERS = 10
/** The number of its own predicates that it studies in a turn of one second, and of others' predicates. */
const IDEAS = 3
const LOOKS = 5
/** The number of predicates that it draws for each offer required by rule 3, before it gives up. */
const DRAWS = 20
/** If no time slot is stated, the limit for a move is one second by default; it never uses more than ten. */
const USUAL_MS = 1_000
const LONGEST_MS = 10_000
/** Shares of the time slot: for all solutions that are due, and for one study. */
const SOLVING = 0.2
const STUDYING = 0.04
/** Nothing is known: buying may yield nothing and selling may cost everything. */
const UNKNOWN: Estimate = { floor: 0, ask: ENERGY }

/** `random`: [0, 1). */
export function measuringTrader(start: StartMessage, random: () => number): Trader {
  const { challenge, problems } = readChallenge(start.challenge.source)
  if (challenge === null) throw new Error(`the challenge cannot be read: ${problems[0]?.message ?? ''}`)
  const { config } = start.challenge
  const { mindec, profitFactor = 1 } = start.config
  const slot = Math.min(start.config.timeslot ?? USUAL_MS, LONGEST_MS)
  /**
   * Checks for time for another study after `studied` of them since `before`. `most`: the maximum in a second.
   */
  const goesOn = (studied: number, most: number, before: number): boolean =>
    studied < Math.min(most, (most * slot) / USUAL_MS) && studies.made() - before < ENOUGH
  const craft = craftOf(start)
  const wares = numberedPredicates(challenge, config)
  const studies = studiesOf(challenge, config, craft, random)
  const admission = leagueOf(challenge, start)
  /** By the predicate's number; undefined: the study found no raw material. */
  const known = new Map<number, Study | undefined>()

  const studyOf = (number: number): Study | undefined => {
    if (!known.has(number)) known.set(number, studies.study(wares.predicate([number]), slot * STUDYING))
    return known.get(number)
  }
  const valuer = new Valuer(
    wares,
    start,
    () => craft?.exact === true,
    ([number]) => (number === undefined ? undefined : known.get(number)) ?? UNKNOWN,
  )
  const draw = (): number | undefined => {
    const words = (): number => Math.floor(random() * 2 ** 32)
    const predicate = drawPredicate(challenge, config, admission, words)
    return predicate === undefined ? undefined : wares.read(predicate)?.[0]
  }
  return {
    ...wares,
    material({ predicate, kind }) {
      const number = wares.read(predicate)?.[0]
      const study = number === undefined ? undefined : studyOf(number)
      if (study === undefined) return undefined
      const { instance, best } = study
      if (kind !== 'secret') return { instance }
      return { instance, secret: { solution: best.solution, quality: toText(best.quality) } }
    },
    solution(entry, due) {
      const best = studies.solve(entry.instance, (slot * SOLVING) / due)
      if (best === undefined) return undefined
      const promised = entry.secret === undefined ? null : fromText(entry.secret.quality)
      return { solution: best.solution, payoff: payoffOf(termsOf(entry), best.quality, promised, profitFactor) }
    },
    buy(desk) {
      const before = studies.made()
      let looks = 0
      for (const { items: [number] = [] } of desk.others()) {
        if (number === undefined || known.has(number)) continue
        if (!goesOn(looks++, LOOKS, before)) break
        studyOf(number)
      }
      valuer.buy(desk)
    },
    sell(desk) {
      const before = studies.made()
      for (let idea = 0; goesOn(idea, IDEAS, before); idea++) {
        const number = draw()
        if (number === undefined) break
        studyOf(number)
      }
      const count = Math.min(desk.room(), Math.max(OFFERS, desk.owed()))
      const [kind] = desk.kinds
      const premium = kind === 'belief' ? 1 : Math.floor((mindec * count) / (count + 1))
      const ranked = [...known]
        .flatMap(([number, study]) => (study === undefined ? [] : [{ number, ...wareOf(study, kind, premium, desk) }]))
        .filter(({ price, claim }) => price <= ENERGY && claim <= ENERGY)
        .sort((a, b) => b.take - a.take)
      let made = 0
      for (const { number, price, claim } of ranked) {
        if (made === count) break
        if (desk.ceiling([number], kind) >= price && desk.offer([number], price, kind, claim)) made += 1
      }
      for (let drawn = 0; desk.owed() > 0 && drawn < DRAWS * count; drawn++) {
        const number = draw()
        if (number === undefined) break
        desk.offer([number], ENERGY, desk.kinds[drawn % desk.kinds.length])
      }
    },
  }
}

/** Its price, the claim of a belief, and the loss of a buyer that only tries at random. */
function wareOf(
  { ask, naive, tossed }: Study,
  kind: Kind,
  premium: number,
  desk: Desk,
): { readonly price: number; readonly claim: number; readonly take: number } {
  // A random solver believes the quality that it finds, so it pays that.
  const claim = Math.max(ask + premium, naive)
  if (kind === 'secret') return { price: ENERGY, claim: ENERGY, take: ENERGY - tossed }
  if (kind === 'classic') return { price: claim, claim, take: claim - tossed }
  const price = desk.freeF ? ENERGY : claim
  return { price, claim, take: price }
}

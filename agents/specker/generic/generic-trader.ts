import { readChallenge } from '../../../grammars/challenges/index.ts'
import { floorOf, fraction, multiply, toText } from '../../../grammars/formulas/numbers/fraction.ts'
import type { StartMessage } from '../../../main/referees/specker/messages.ts'
import { ENERGY, type Desk, type Offer } from '../trade/desk.ts'
import { lowerAll, type Trader } from '../trade/turn.ts'
import { leagueOf } from './league.ts'
import { numberedPredicates } from './predicates.ts'
import { subAgents, type Patience } from './sub-agents.ts'

/** The maximum number of new offers per turn, unless rule 3 requires more. */
const OFFERS = 2
/** The maximum number of others' offers that it examines per turn, and of purchases. */
const LOOKS = 4
const PURCHASES = 1
/** The number of predicates that it tries for each offer required by rule 3, before it gives up. */
const IDEAS = 20

const LONGEST = 900_000

/** The differences between traders by random trial. Absent members: as the baby. */
export interface Manner {
  readonly patience?: Omit<Patience, 'longest'>
  /** The maximum number of purchases per turn. */
  readonly purchases?: number
  /** Added to every quality that its trials show, in energy. */
  readonly boldness?: number
  /** The price of all its offers, in 10^-9 energy; absent: what its trials show. */
  readonly ask?: number
  /**
   * Replaces examining some offers and buying those that it believes. `believes`: whether its trials permit the
   * seller's claim.
   */
  buy?(desk: Desk, believes: (offer: Offer) => boolean): void
}

/** Trades any challenge by random trial alone, with the challenge from the start message. */
export function genericTrader(start: StartMessage, manner: Manner = {}): Trader {
  const { patience = { instances: 3, solutions: 2 }, purchases: most = PURCHASES, boldness = 0 } = manner
  const { challenge, problems } = readChallenge(start.challenge.source)
  if (challenge === null) throw new Error(`the challenge cannot be read: ${problems[0]?.message ?? ''}`)
  const { config } = start.challenge
  const wares = numberedPredicates(challenge, config)
  const four = subAgents(challenge, config, leagueOf(challenge, start), { ...patience, longest: LONGEST }, () =>
    Math.floor(Math.random() * 2 ** 32),
  )

  /** The quality that the seller claims to be unreachable, or its price. */
  const claimOf = (desk: Desk, { challenge: number, price }: Offer): number =>
    (desk.view.store.find((entry) => entry.challenge === number)?.f ?? price) / ENERGY
  const believes = (desk: Desk, offer: Offer): boolean =>
    offer.items !== undefined && four.accept(wares.predicate(offer.items), claimOf(desk, offer) - boldness)
  return {
    ...wares,
    material({ predicate, kind }, due) {
      const longest = Math.floor(LONGEST / due)
      const known = kind === 'secret' ? four.plantedRM(predicate, longest) : undefined
      if (known !== undefined) {
        const { instance, solution, quality } = known
        return { instance, secret: { solution, quality: toText(quality) } }
      }
      const instance = four.createRM(predicate, longest)
      if (instance === undefined) return undefined
      if (kind !== 'secret') return { instance }
      const secret = four.finish(instance)
      return secret && { instance, secret: { solution: secret.solution, quality: toText(secret.quality) } }
    },
    solution({ instance, kind }) {
      const finished = four.finish(instance)
      if (finished === undefined) return undefined
      const worth = Number(floorOf(multiply(finished.quality, fraction(ENERGY))))
      return { solution: finished.solution, payoff: (kind ?? 'classic') === 'classic' ? worth : 0 }
    },
    buy(desk) {
      if (manner.buy !== undefined) {
        manner.buy(desk, (offer) => believes(desk, offer))
        return
      }
      let purchases = 0
      for (const offer of shuffled(desk.others()).slice(0, LOOKS)) {
        if (purchases === most) break
        if (!desk.affords(offer) || offer.items === undefined) continue
        if (offer.price > 0 && !believes(desk, offer)) continue
        desk.accept(offer)
        purchases += 1
      }
      if (desk.dutyOpen()) lowerAll(desk)
    },
    sell(desk) {
      const wanted = Math.min(desk.room(), Math.max(desk.owed(), 1 + Math.floor(Math.random() * OFFERS)))
      let made = 0
      for (let ideas = 0; made < wanted && ideas < IDEAS * wanted; ideas++) {
        const idea = four.offer()
        const items = idea && wares.read(idea.predicate)
        if (idea === undefined || items === undefined) break
        const kind = desk.kinds[Math.floor(Math.random() * desk.kinds.length)]
        const price = manner.ask ?? Math.round(Math.min(1, idea.price + boldness) * ENERGY)
        if (desk.offer(items, price, kind)) made += 1
      }
    },
  }
}

function shuffled(offers: Offer[]): Offer[] {
  for (let at = offers.length - 1; at > 0; at--) {
    const other = Math.floor(Math.random() * (at + 1))
    ;[offers[at], offers[other]] = [offers[other]!, offers[at]!]
  }
  return offers
}

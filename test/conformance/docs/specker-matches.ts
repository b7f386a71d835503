import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { toText } from '../../../grammars/formulas/numbers/fraction.ts'
import type { Sampled } from '../../../grammars/challenges/sampler.ts'
import type { Json } from '../../../main/contract/json.ts'
import { randomStream } from '../../../main/contract/random.ts'
import { challengeOf, config as speckerConfig } from '../../../main/referees/specker/config.ts'
import type { Action, TurnMessage } from '../../../main/referees/specker/messages.ts'
import { turnMessage } from '../../../main/referees/specker/referee/views.ts'
import { commitmentOf } from '../../../main/referees/specker/secrets.ts'
import { specker } from '../../../main/referees/specker/specker.ts'
import { sha256 } from '../../../main/referees/sha256.ts'
import type { Draws, PlayedMatch } from './random-histories.ts'

const challenge = (name: string): string =>
  readFileSync(join(import.meta.dirname, `../../../grammars/challenges/${name}.challenge`), 'utf8')

const settings: readonly Readonly<Record<string, Json>>[] = [
  { challenge: 'max-csp', challengeConfig: { maxVars: 6, maxConstraints: 12 }, judgement: 'strict' },
  {
    ...{ challenge: 'max-sat', challengeConfig: { maxVars: 6, maxClauses: 12 }, variant: 'secret' },
    ...{ judgement: 'strict', falseSecrets: 'as-true', profitFactor: 0.3, order: 'rotating' },
  },
  { challenge: 'vertex-cover', variant: 'belief', f: 'free', profitFactor: 7.5, judgement: 'strict' },
  { challenge: 'knapsack', mode: 'asynchronous', variant: 'base-ball', falseSecrets: 'as-promised' },
  { challenge: 'max-csp', mode: 'mega-moves', variant: 'base-ball', challengeConfig: { maxVars: 5 } },
  { challenge: 'max-sat', variant: 'secret', falseSecrets: 'as-true', init: 900_000_000, judgement: 'lenient' },
  { challenge: 'travelling-salesman', init: 500_000_000, judgement: 'strict', acceptOrReoffer: 'one' },
]
/** Asynchronous matches end by the clock: trading closes after this number of inputs. */
const LONGEST = 40
const price = [0, 100_000_000, 250_000_000, 333_333_333, 700_000_000, 1_000_000_000]

/** Matches of all variants and modes, between players that buy, solve and lie at random and now and then break a rule. */
export const speckerMatches = settings.map((given, number) => (draws: Draws) => speckerMatch(given, number, draws))

function speckerMatch(given: Readonly<Record<string, Json>>, number: number, draws: Draws): PlayedMatch {
  const { happens, pick, below } = draws
  const config = speckerConfig.parse({ maxTurns: 8, ...given, challenge: challenge(String(given['challenge'])) })
  const { challengeConfig } = config
  const { sampler, quality } = challengeOf(config)
  const random = randomStream(sha256(`specker values ${number}`))
  const entrants = config.mode === 'mega-moves' ? 2 : 3 + (number % 2)
  const seats = specker.seats(config, entrants)
  if (typeof seats === 'string') throw new Error(seats)
  const secrets = new Map<number, { readonly solution: Json; readonly nonce: string }>()
  let inputs = 0

  const deliver = ({ challenge, predicate, kind }: TurnMessage['toDeliver'][number]): Action => {
    const instance = value(sampler.instance(challengeConfig, predicate, random))
    if (kind !== 'secret') return { type: 'deliver', challenge, instance }
    const solution = value(sampler.solution(challengeConfig, instance, random))
    const nonce = sha256(`nonce ${number} ${challenge}`)
    secrets.set(challenge, { solution, nonce })
    const rated = quality(challengeConfig, instance, solution)
    if (typeof rated === 'string') throw new Error(rated)
    const claimed = happens(0.1) ? '1/1' : toText(rated)
    return {
      type: 'deliver',
      challenge,
      instance,
      secret: { quality: claimed, commitment: commitmentOf(solution, nonce) },
    }
  }
  const offer = (kind: TurnMessage['store'][number]['kind']): Action => {
    const predicate = value(sampler.predicate(challengeConfig, random))
    const terms = kind === undefined ? {} : { kind, ...(config.f === 'free' ? { f: pick(price) } : {}) }
    return { type: 'offer', predicate, price: pick(price), ...terms }
  }
  const bundle = (view: TurnMessage, me: number): Action[] => {
    const actions: Action[] = []
    for (const due of view.toDeliver) if (!happens(0.02)) actions.push(deliver(due))
    for (const { challenge } of view.toReveal ?? [])
      if (!happens(0.05)) actions.push({ type: 'reveal', challenge, ...secrets.get(challenge)! })
    for (const { challenge, instance } of view.toSolve) {
      const solution = happens(0.03) ? 'rubbish' : value(sampler.solution(challengeConfig, instance, random))
      actions.push({ type: 'solve', challenge, solution })
    }
    const { step, trading, account, store } = view
    if (!trading) return actions
    const others = store.filter(({ seller }) => seller !== me)
    if (step === undefined || step === 'decide') {
      const affordable = others.filter((each) => each.price < account)
      for (const { challenge } of affordable.slice(0, 1 + below(2))) actions.push({ type: 'accept', challenge })
      if (affordable.length === 0)
        for (const each of others)
          if (each.price > 0) actions.push({ type: 'reoffer', challenge: each.challenge, price: 0 })
    }
    if (happens(0.02)) actions.push({ type: 'accept', challenge: 999 })
    const kinds = {
      classic: [undefined],
      belief: ['belief'],
      secret: ['secret'],
      'base-ball': ['classic', 'secret'],
    } as const
    if (step === undefined || step === 'offer') actions.push(offer(pick(kinds[config.variant ?? 'classic'])))
    return actions
  }

  return {
    config,
    entrants,
    next(saved) {
      const state = specker.rules.load(saved, config, seats)
      inputs++
      const fault = { kind: 'crash', text: 'It fell.' } as const
      if (number === 5 && inputs === 1) return { type: 'fault', seat: 1, fault, ready: false }
      if (state.turn !== null) {
        const seat = state.turn
        return happens(0.01) ? { type: 'fault', seat, fault } : turn(seat)
      }
      if (inputs === LONGEST) return { type: 'close' }
      const [owed] = state.deals.keys()
      if (inputs > LONGEST + 10 && owed !== undefined) return { type: 'overdue', challenge: owed }
      return turn(pick(state.players.flatMap(({ removed }, seat) => (removed ? [] : [seat]))))

      function turn(seat: number): Json {
        // Sometimes of what the player knew before others acted.
        const events = state.dropped + state.events.length
        const seen = config.mode === 'asynchronous' ? { seen: happens(0.3) ? state.players[seat]!.told : events } : {}
        const again = happens(0.1) && config.mode === 'asynchronous' ? [{ type: 'accept', challenge: 0 } as const] : []
        return { type: 'turn', seat, actions: [...again, ...bundle(turnMessage(state, seat), seat)], ...seen }
      }
    },
  }
}

function value(sampled: Sampled): Json {
  if (!sampled.ok) throw new Error(sampled.error)
  return sampled.value
}

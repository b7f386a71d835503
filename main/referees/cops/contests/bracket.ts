import type { Outcomes, Pairing } from '../../../contract/contests/contest-format.ts'
import { randomStream, shuffled } from '../../../contract/random.ts'
import { sha256 } from '../../sha256.ts'
import type { Outcome } from '../../../contract/game/outcome.ts'

/** Contestants of each pod who go on. */
const ADVANCING = 3

interface BracketInput {
  readonly settings: { readonly elimination: boolean; readonly reruns: number }
  /** With the house agent, which is the last. */
  readonly entrants: number
  readonly seed: string
  readonly outcomes: Outcomes
  /** Those that count for the scores of standings, after rulings. Absent: the same. */
  readonly counted?: Outcomes | undefined
  /** The number of stages that are over. */
  readonly finished: number
}

/** A contestant's place in the contest. */
interface Standing {
  readonly entrant: number
  /** By round that it has played, from the regular season on: the score in its pod. */
  readonly scores: readonly number[]
  readonly disqualified: boolean
}

export interface Bracket {
  /** The pods of every stage that is over, and of the next one. */
  readonly stages: readonly (readonly Pod[])[]
  /** All contestants, in the order of the description. */
  readonly standings: readonly Standing[]
  /** The contestants who play each round, from the regular season on. */
  readonly rounds: readonly (readonly number[])[]
  /** By round: the contestants whose equal scores in a pod lay across its cut, with the rule that told them apart. */
  readonly ties: readonly ReadonlyMap<number, TieRule>[]
}

/** Equal scores of a pod are decided by the rounds before, and if these are equal too by the lot drawn for the contest. */
export type TieRule = 'earlier rounds' | 'lot'

/** The number of rounds of playoffs if nobody is eliminated otherwise: the last one is a single pod. */
export function roundsAtMost(contestants: number): number {
  let rounds = 1
  for (let players = contestants; players > POD; players = ADVANCING * Math.ceil(players / POD)) rounds++
  return rounds
}

/**
 * Works out a contest in pods from the outcomes of its finished stages. Contestants are spread over the pods of a round by
 * how they stand, so that the best do not meet at once; the house fills what is left. A pod in which a contestant was
 * disqualified is played again, with the best of those who are out as the new sixth, else with the house.
 */
export function bracketOf({ settings, entrants, seed, outcomes, counted, finished }: BracketInput): Bracket {
  const house = entrants - 1
  const order = shuffled([...Array(house).keys()], randomStream(sha256(`pods:${seed}`)))
  const drawn = new Map(order.map((entrant, at) => [entrant, at]))
  const scores = new Map<number, number[]>(order.map((entrant) => [entrant, []]))
  const countedScores =
    counted === undefined ? scores : new Map(order.map((entrant): [number, number[]] => [entrant, []]))
  const disqualified = new Set<number>()
  const stages: (readonly Pod[])[] = []
  const rounds: (readonly number[])[] = []
  const ties: Map<number, TieRule>[] = []
  const resultOf = (stage: number, pod: number, of: Outcomes = outcomes) =>
    podResult(Array.from({ length: POD }, (_, game) => of(stage, POD * pod + game)))
  /** Adds what counts for a member of a pod in a round. */
  const count = (entrant: number, round: number, [stage, pod, member]: readonly [number, number, number]): void => {
    if (counted !== undefined)
      padded(countedScores.get(entrant)!, round).push(resultOf(stage, pod, counted).scores[member]!)
  }
  const best = (list: readonly number[]): number[] =>
    list.toSorted((a, b) => compareScores(scores.get(b)!, scores.get(a)!) || drawn.get(a)! - drawn.get(b)!)

  /** Adds a stage; whether it is over, too. */
  const play = (pods: readonly Pod[]): boolean => {
    stages.push(pods)
    return stages.length <= finished
  }
  const everybody = [...Array(house).keys()]
  /** Those who are out when a round begins, the best first; nobody is sorted before somebody is needed. */
  function* reservesOf(players: readonly number[]): Generator<number, undefined> {
    const playing = new Set(players)
    yield* best(everybody.filter((each) => !playing.has(each) && !disqualified.has(each)))
  }
  const result = (): Bracket => ({
    stages,
    rounds,
    ties,
    standings: everybody.map((entrant) => ({
      entrant,
      scores: countedScores.get(entrant)!,
      disqualified: disqualified.has(entrant),
    })),
  })

  rounds.push(everybody)
  if (!play(everybody.map((entrant) => [entrant, ...Array<number>(POD - 1).fill(house)]))) return result()
  let players: number[] = []
  for (const entrant of everybody) {
    const { scores: sums, disqualified: out } = resultOf(0, entrant)
    scores.get(entrant)!.push(sums[0]!)
    count(entrant, 0, [0, entrant, 0])
    if (out.includes(0)) disqualified.add(entrant)
    else if (!settings.elimination || sums.slice(1).every((sum) => sums[0]! > sum)) players.push(entrant)
  }

  for (let round = 1; round <= roundsAtMost(house); round++) {
    const isOver = round > 1 && rounds.at(-1)!.length <= POD
    players = isOver ? [] : best(players)
    if (players.length > 0) rounds.push(players)
    const reserves = reservesOf(players)
    const going: number[] = []
    let pods: readonly Pod[] = podsOf(players, house)
    for (let attempt = 0; attempt <= settings.reruns; attempt++) {
      if (!play(pods)) return result()
      const stage = stages.length - 1
      const again: Pod[] = []
      for (const [at, pod] of pods.entries()) {
        const { scores: sums, disqualified: members } = resultOf(stage, at)
        const out = members.filter((member) => pod[member] !== house)
        for (const member of out) disqualified.add(pod[member]!)
        if (out.length > 0 && attempt < settings.reruns) {
          again.push(pod.map((each, member) => (out.includes(member) ? (reserves.next().value ?? house) : each)))
          continue
        }
        const own = pod.flatMap((each, member) => (each === house ? [] : [{ each, member, sum: sums[member]! }]))
        for (const { each, member, sum } of own) {
          padded(scores.get(each)!, round).push(sum)
          count(each, round, [stage, at, member])
        }
        const ranked = best(own.map(({ each }) => each).filter((each) => !disqualified.has(each)))
        for (const [each, rule] of tiedAtCut(ranked, scores)) (ties[round] ??= new Map()).set(each, rule)
        going.push(...ranked.slice(0, ADVANCING))
      }
      pods = again
    }
    players = going
  }
  return result()
}

/** The contestants of a pod, best first, whose latest scores are equal across the cut. */
function tiedAtCut(
  ranked: readonly number[],
  scores: ReadonlyMap<number, readonly number[]>,
): readonly (readonly [number, TieRule])[] {
  const [last, first] = [ranked[ADVANCING - 1], ranked[ADVANCING]]
  if (last === undefined || first === undefined) return []
  const latest = (each: number): number | undefined => scores.get(each)!.at(-1)
  if (latest(last) !== latest(first)) return []
  const rule = compareScores(scores.get(last)!, scores.get(first)!) === 0 ? 'lot' : 'earlier rounds'
  return ranked.filter((each) => latest(each) === latest(last)).map((each) => [each, rule])
}

/** The scores of somebody who takes part in a round without having played all before: those it missed brought nothing. */
function padded(scores: number[], round: number): number[] {
  while (scores.length < round) scores.push(0)
  return scores
}

/** Compares by the latest score; ties are decided by the round before, and so on back to the regular season. */
export function compareScores(a: readonly number[], b: readonly number[]): number {
  if (a.length !== b.length) return a.length - b.length
  for (let round = a.length - 1; round >= 0; round--) if (a[round] !== b[round]) return a[round]! - b[round]!
  return 0
}

/** Spreads players over pods like cards, back and forth; the house takes the places that are left. */
function podsOf(players: readonly number[], house: number): readonly Pod[] {
  const count = Math.ceil(players.length / POD)
  const pods = Array.from({ length: count }, (): number[] => [])
  for (const [at, player] of players.entries()) {
    const lap = Math.floor(at / count)
    const column = at % count
    pods[lap % 2 === 0 ? column : count - 1 - column]!.push(player)
  }
  return pods.map((pod) => [...pod, ...Array<number>(POD - pod.length).fill(house)])
}

/** Six entrants who play six games, each once as the robber (4). The house agent may sit in several places. */
export type Pod = readonly number[]

export const POD = 6

/** A game of a pod: the robber sits first, the others follow in the order of the pod. */
export function gameOfPod(pod: Pod, game: number): Pairing {
  return { entrants: membersOfGame[game]!.map((member) => pod[member]!) }
}

/** The member of the pod in each seat, by game. */
const membersOfGame: readonly (readonly number[])[] = [...Array(POD).keys()].map((game) => [
  game,
  ...[...Array(POD).keys()].filter((member) => member !== game),
])

/** The results of a pod's games for its members. */
interface PodResult {
  /** By member. */
  readonly scores: readonly number[]
  /** Members, by their places in the pod, who were disqualified in one of its games. */
  readonly disqualified: readonly number[]
}

/** Sums up the games of a pod; a game that was void counts for nobody. */
function podResult(outcomes: readonly (Outcome | null)[]): PodResult {
  const scores = Array.from({ length: POD }, () => 0)
  const disqualified = new Set<number>()
  for (const [game, outcome] of outcomes.entries()) {
    const members = membersOfGame[game]!
    for (const { seat, score, removed } of outcome?.places ?? []) {
      const member = members[seat]!
      scores[member]! += score
      if (removed) disqualified.add(member)
    }
  }
  return { scores, disqualified: [...disqualified] }
}

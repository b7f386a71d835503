import { readChallenge, type Challenge } from '../../grammars/challenges/index.ts'
import { drawPredicate } from '../../grammars/challenges/draw.ts'
import type { Json } from '../../grammars/json.ts'
import { randomStream } from '../../main/contract/random.ts'
import type { WorkerReply, Wish } from './messages.ts'
import { NoSample, search, valueOf } from './search.ts'

/** The maximum number of solutions to try; usually the time limit ends the search first. */
const EFFORT = { tries: 250, all: 10_000_000 }

/** Finds a requested object, or returns why it cannot. `now`: a clock in ms. */
export function find(source: string, wish: Wish, now: () => number = () => performance.now()): WorkerReply {
  const { challenge } = readChallenge(source)
  if (challenge === null) return { kind: 'ended', failure: 'The file has errors.' }
  try {
    return { kind: 'found', text: challenge.values.print(granted(challenge, wish, now), wish.what).trim() }
  } catch (error) {
    if (error instanceof NoSample) return { kind: 'ended', failure: error.message }
    throw error
  }
}

function granted(challenge: Challenge, wish: Wish, now: () => number): Json {
  const { config } = wish
  const random = randomStream(wish.stream)
  switch (wish.what) {
    case 'Predicate': {
      const league = challenge.leagues.find(({ name }) => name === wish.league)
      const admission = league === undefined ? null : { league, parameter: wish.leagueParameter }
      const drawn = drawPredicate(challenge, config, admission, random)
      if (drawn === undefined) throw new NoSample('No random predicate was found that may be offered here.')
      return drawn
    }
    case 'Instance':
      return valueOf(challenge.sampler.instance(config, wish.predicate, random))
    case 'Solution': {
      const until = now() + wish.withinMs
      const looking = search(challenge, config, wish.instance, EFFORT, random)
      let step = looking.next()
      while (step.done !== true && now() < until) step = looking.next()
      return step.value.best.solution
    }
  }
}

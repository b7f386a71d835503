import { describe, test } from 'vitest'
import {
  bellScenario,
  councilFaultsScenario,
  councilScenario,
  longScenario,
  marketScenario,
  teamsScenario,
} from './scenarios.ts'
import { offlineScenario, reconnectScenario } from './wire-scenarios.ts'

describe('(a) teams of three bodies', () => {
  test('answer at once, know only their own cards, fail one by one', () => teamsScenario())
  test('a long match is hashed on its way; equal seeds make equal matches', () => longScenario())
})

describe('(b) unasked speech', () => {
  test('is kept in order; who is too late is refused and not recorded', () => marketScenario())
  test('ends by the clock', () => bellScenario())
})

describe('(c) a post that drops and comes back', () => {
  test('over TCP: late, doubled, broken and missing answers each find their place', () => reconnectScenario())
})

describe('(d) a process a move', () => {
  test('the state is carried for it; what its processes do costs one move each', () => offlineScenario())
})

describe('(e) two roles and a vote', () => {
  test('hidden rounds, a vote that closes early', () => councilScenario())
  test('seekers that fail are out', () => councilFaultsScenario())
})

import { describe, expect, test } from 'vitest'
import { newContest } from '../../../main/services/contests/descriptions/new-contest.ts'
import { agentManifest } from '../../../main/contract/players/agents.ts'
import { classroom, settings } from '../../../main/contract/procedures/classroom.ts'
import { contestDescription } from '../../../main/contract/contests/contests.ts'
import { unsharedTier, isolationTier } from '../../../main/contract/limits.ts'
import {
  isMeantFor,
  isolationRefusal,
  policyBits,
  policyName,
  policyOf,
  policyText,
  resultsCount,
  type SecurityPolicy,
} from '../../../main/contract/contests/policy.ts'
import { patternText } from '../../../main/contract/contests/policy-patterns.ts'
import { refusal } from '../../refusal.ts'

const policy = (bits: string): SecurityPolicy => {
  const [administratorAttack, intelligenceAttack, mechanismAttack] = Array.from(bits).map((bit) => bit === '1')
  return {
    administratorAttack: administratorAttack!,
    intelligenceAttack: intelligenceAttack!,
    mechanismAttack: mechanismAttack!,
  }
}

const described = (entrants: readonly { name: string; agent: string }[], bits?: string) =>
  contestDescription.parse({
    title: 'Policies',
    game: 'specker',
    format: { type: 'single' },
    seed: 'x',
    entrants,
    ...(bits === undefined ? {} : { policy: policy(bits) }),
  })

describe('the three bits of a security policy', () => {
  test('are part of a description; one that says nothing allows attacks on intelligence', () => {
    const entrants = [{ name: 'a', agent: 'a'.repeat(64) }]
    expect(policyBits(policyOf(described(entrants)))).toBe('010')
    expect(policyBits(policyOf(described(entrants, '101')))).toBe('101')
    // Descriptions from before there were policies are unchanged.
    expect(described(entrants)).not.toHaveProperty('policy')
  })

  test.each([
    ['000', 'no attacks: agents may attack nobody.'],
    ['010', "attacks on decisions: agents may attack other agents' decisions."],
    [
      '011',
      "attacks on decisions and implementations: agents may attack other agents' decisions and the implementation of other agents.",
    ],
    [
      '111',
      "attacks on the administrator, decisions and implementations: agents may attack the administrator, other agents' decisions and the implementation of other agents; this is a practice contest: its results never count.",
    ],
  ])('%s is said in a sentence', (bits, text) => {
    expect(`${policyName(policy(bits))}: ${policyText(policy(bits))}`).toBe(text)
    expect(resultsCount(policy(bits))).toBe(!bits.startsWith('1'))
  })
})

describe('an agent names the policies that it is meant for', () => {
  test.each([
    [['010'], '010', true],
    [['010'], '011', false],
    [['01*', '001'], '011', true],
    [['1**'], '100', true],
    [['1**'], '010', false],
  ])('%j under %s: %s', (patterns, bits, meant) => expect(isMeantFor(patterns, policy(bits))).toBe(meant))

  test.each([
    ['***', 'every contest'],
    ['1**', 'contests in which agents may attack the administrator'],
    ['*0*', "contests in which agents must not attack other agents' decisions"],
    [
      '101',
      "contests in which agents may attack the administrator and the implementation of other agents and must not attack other agents' decisions",
    ],
  ])('%s is said in words', (pattern, text) => expect(patternText(pattern)).toBe(text))

  const manifest = { name: 'a', game: 'specker', kind: 'script' } as const
  test('in its agent.json', () => {
    expect(agentManifest.safeParse({ ...manifest, policies: ['01*'] }).success).toBe(true)
    for (const policies of [[], ['01'], ['012'], ['0101']]) {
      expect(agentManifest.safeParse({ ...manifest, policies }).success).toBe(false)
    }
  })

  test('and a contest under another one refuses it, in words', () => {
    const content = classroom.parse({ format: 'tartaglia-class/1', agents: [], contests: [] })
    const agent = 'a'.repeat(64)
    const manifests = new Map([[agent, agentManifest.parse({ ...manifest, policies: ['1**'] })]])
    const entrants = [{ name: 'anna', agent }]
    const add = (bits: string, known = manifests) =>
      newContest(content, '/nowhere', described(entrants, bits), { nonce: 'n', manifests: known })
    expect(() => add('010')).toThrow(
      refusal('policy-not-meant', '"anna"', '1**', 'may attack the administrator', 'attacks on decisions'),
    )
    expect(content.contests).toEqual([])
    expect(add('110')).toBe('policies-1')
    // Handed in before: the class knows its manifest.
    expect(() => add('010', new Map())).toThrow(refusal('policy-not-meant', '1**'))
    expect(add('111', new Map())).toBe('policies-2')
  })
})

describe('a folder in common', () => {
  test.each(['000', '010', '100', '110'])(
    'under %s is refused: agents must not attack how others are built',
    (bits) => {
      const name = policyName(policy(bits))
      expect(isolationRefusal('shared', policy(bits))).toBe(
        `Agents may share a folder (isolation "shared") only if they may attack the implementation of others; the policy "${name}" forbids that.`,
      )
      for (const tier of unsharedTier.options) expect(isolationRefusal(tier, policy(bits))).toBe(null)
    },
  )

  test.each(['001', '011', '101', '111'])('under %s is allowed, as every other way is', (bits) => {
    for (const tier of isolationTier.options) expect(isolationRefusal(tier, policy(bits))).toBe(null)
  })

  test('stands in no description whose policy forbids it, and in no settings of a class', () => {
    const plain = described([{ name: 'a', agent: 'a'.repeat(64) }])
    const shared = { ...plain, isolation: 'shared' }
    for (const refused of [shared, { ...shared, policy: policy('110') }]) {
      const { error } = contestDescription.safeParse(refused)
      expect(error?.issues.map(({ path }) => path.join('.'))).toEqual(['isolation'])
    }
    expect(contestDescription.safeParse({ ...shared, policy: policy('011') }).success).toBe(true)
    const own = {
      appearance: 'system',
      locale: '',
      tourSeen: false,
      webAddresses: [],
      trustedKeys: [],
      school: '',
      timeZone: '',
      letterKeys: true,
      revealAfter: 0,
      game: '',
      kitGiven: false,
      updates: '',
      terms: [],
      trialsAtOnce: 1,
      backups: { folder: '', everyHours: 0 },
      pseudonyms: false,
      retention: { leftDays: 0, contestMonths: 0, classMonths: 0 },
    }
    expect(unsharedTier.options).toEqual(['bubblewrap', 'permission', 'none'])
    for (const isolation of unsharedTier.options) expect(settings.safeParse({ ...own, isolation }).success).toBe(true)
    expect(settings.safeParse({ ...own, isolation: 'shared' }).success).toBe(false)
  })
})

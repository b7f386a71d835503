import { expect, test } from 'vitest'
import { createKeyring, createSignIn, type ConnectedPost } from '../../../main/arenas/sign-in.ts'
import type { PostLine, Vacancy } from '../../../main/arenas/post-line.ts'
import { createRateLimit } from '../../../main/arenas/rate-limit.ts'

/** Posts that are taken, or vacant as this test says. */
function stage(count: number) {
  const vacancies: (Vacancy | null)[] = Array.from({ length: count }, () => ({ played: false, ms: 0 }))
  const taken: string[] = []
  const places = vacancies.map((_, at): ConnectedPost => {
    const postLine = {
      vacancy: () => vacancies[at] ?? null,
      join() {
        vacancies[at] = null
        taken.push(`post ${at}`)
        return null
      },
    } as Partial<PostLine> as PostLine
    return { entrant: `entrant ${at}`, line: 0, postLine }
  })
  const desk = createSignIn({
    keyring: createKeyring<ConnectedPost>(),
    places,
    graceMs: 1_000,
    guesses: createRateLimit({ most: 10, everyMs: 1_000, keys: 10 }),
    onGuesses: () => undefined,
  })
  const arrive = (name: string | undefined, address = '10.0.0.1'): string => {
    const claim = { by: 'arrival', ...(name === undefined ? {} : { name }) } as const
    return desk.signIn(claim, address, 'match', () => undefined as never) ?? taken.at(-1)!
  }
  const leave = (at: number, ms: number, played = true): void => void (vacancies[at] = { played, ms })
  return { arrive, leave }
}

const full = 'There is no free place in this contest.'

test('places go in the order of arrival', () => {
  const { arrive } = stage(2)
  expect([arrive('a'), arrive(undefined), arrive('b')]).toEqual(['post 0', 'post 1', full])
})

test('a client that has played keeps its place by its name, however long it is away', () => {
  const { arrive, leave } = stage(2)
  for (const name of ['a', 'b']) arrive(name)
  leave(0, 1_000_000)
  leave(1, 0)
  expect([arrive('stranger'), arrive(undefined), arrive('b'), arrive('a')]).toEqual([full, full, 'post 1', 'post 0'])
})

test('a client that has said no name keeps it by its address; others get it when the time to come back is over', () => {
  const { arrive, leave } = stage(1)
  arrive(undefined)
  leave(0, 999)
  expect([arrive('stranger', '10.0.0.2'), arrive(undefined, '10.0.0.2'), arrive(undefined)]).toEqual([
    full,
    full,
    'post 0',
  ])
  leave(0, 1_000)
  expect(arrive('stranger', '10.0.0.2')).toBe('post 0')
})

test('a client that has left before it has played has no place to keep, and gets it back where nobody else has come', () => {
  const { arrive, leave } = stage(2)
  arrive('a')
  leave(0, 0, false)
  expect([arrive('b'), arrive('a')]).toEqual(['post 1', 'post 0'])
  leave(0, 0, false)
  expect(arrive('c')).toBe('post 0')
})

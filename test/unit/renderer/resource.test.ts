import { flushSync } from 'svelte'
import { describe, expect, test } from 'vitest'
import { CallFailure } from '../../../renderer/connection/client.ts'
import { paged } from '../../../renderer/connection/paged.svelte.ts'
import { resource } from '../../../renderer/connection/resource.svelte.ts'
import { withEffects } from './with-effects.svelte.ts'

/** Lets answers through, and what follows from them. */
async function settle(): Promise<void> {
  for (let i = 0; i < 20; i++) await Promise.resolve()
  flushSync()
}

describe('resource', () => {
  test('keeps what it has while it loads again, and its failure has words', async () => {
    const answers: (() => Promise<number>)[] = [
      () => Promise.resolve(1),
      () => Promise.reject(new CallFailure({ code: 'refused', message: 'No.' })),
    ]
    const { value: loaded, end } = withEffects(() => resource(() => answers.shift()!()))
    expect([loaded.value, loaded.loading]).toEqual([undefined, true])
    await settle()
    expect([loaded.value, loaded.loading]).toEqual([1, false])
    loaded.reload()
    flushSync()
    expect([loaded.value, loaded.loading]).toEqual([1, true])
    await settle()
    expect([loaded.value, loaded.failure?.message]).toEqual([1, 'No.'])
    end()
  })

  test('an older answer that comes late does not count', async () => {
    const late: ((value: string) => void)[] = []
    const { value: loaded, end } = withEffects(() =>
      resource(() => new Promise<string>((resolve) => late.push(resolve))),
    )
    loaded.reload()
    flushSync()
    late[1]!('new')
    await settle()
    late[0]!('old')
    await settle()
    expect(loaded.value).toBe('new')
    end()
  })

  test('an effect may reload without running for ever', async () => {
    let asked = 0
    const { value: loaded, end } = withEffects((effect) => {
      const inside = resource(() => Promise.resolve(++asked))
      effect(() => {
        if (inside.value === 1) inside.reload()
      })
      return inside
    })
    await settle()
    await settle()
    expect(loaded.value).toBe(2)
    end()
  })
})

describe('paged', () => {
  test('brings the parts that are needed, and goes on where a page was shorter than asked for', async () => {
    const asked: [number, number][] = []
    const all = Array.from({ length: 1_000 }, (_, i) => i)
    const { value: list, end } = withEffects(() =>
      paged((offset, limit) => {
        asked.push([offset, limit])
        return Promise.resolve({ items: all.slice(offset, offset + Math.min(limit, 60)), offset, total: all.length })
      }),
    )
    await settle()
    expect(list.total).toBe(1_000)
    expect(list.at(99)).toBe(99)
    expect(list.at(100)).toBeUndefined()
    list.need(450, 470)
    list.need(460, 480)
    await settle()
    expect(list.at(499)).toBe(499)
    expect(asked).toEqual([
      [0, 100],
      [60, 40],
      [400, 100],
      [460, 40],
    ])
    end()
  })
})

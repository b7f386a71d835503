import { expect, test } from 'vitest'
import { createPostLine, type Guest } from '../../../main/arenas/post-line.ts'
import type { LineEvent } from '../../../main/contract/players/seat-transport.ts'
import type { ChannelListener } from '../../../main/players/channels/channel.ts'

function guest() {
  let listener: ChannelListener | null = null
  const come: Guest = {
    link: {
      start: (to) => void (listener = to),
      write: () => undefined,
      unread: () => 0,
      close: () => undefined,
      pause: () => undefined,
      resume: () => undefined,
    },
    greeting: null,
    goodbye: () => null,
    idle: () => null,
    settles: () => true,
  }
  return { come: () => come, drop: () => listener!.end({ text: 'lost its connection.' }) }
}

const options = { idleBytes: 1_000, strayMs: 1_000, onChange: () => undefined }

test('whoever drops out and comes back for ever is refused in the end, and is welcome in the next match', () => {
  const post = createPostLine({ ...options, rejoins: true })
  const heard: LineEvent[] = []
  post.transport(1, { type: 'open' }, (event) => heard.push(event))
  for (let n = 0; n < 100; n++) {
    const { come, drop } = guest()
    expect(post.join('contest', come)).toBeNull()
    drop()
  }
  const refused = 'This post has had 100 connections in this match; reconnect for the next one.'
  expect(post.join('contest', guest().come)).toBe(refused)
  expect(heard.map(({ type }) => type)).toEqual(Array.from({ length: 100 }, () => ['up', 'down']).flat())
  post.transport(1, { type: 'shut' }, () => undefined)
  expect(post.join('contest', guest().come)).toBeNull()
})

test('a post for one match is gone when its connection is', () => {
  const post = createPostLine({ ...options, rejoins: false, once: true })
  const { come, drop } = guest()
  post.join('match', come)
  drop()
  const heard: LineEvent[] = []
  post.transport(1, { type: 'open' }, (event) => heard.push(event))
  expect(heard).toEqual([{ type: 'down', link: 1, text: 'lost its connection.' }])
  expect(post.state()).toBe('gone')
})

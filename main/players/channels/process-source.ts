import type { ChannelSource } from './channel.ts'
import type { ProcessChannel } from './process-channel.ts'

/**
 * `never`: one process for the match. `on-send`: one process per move. `start` may throw if no agent can be started.
 */
export function processSource(start: () => ProcessChannel, reopens: 'never' | 'on-send'): ChannelSource {
  let open = true
  return {
    reopens,
    open(up) {
      if (open) up(start())
    },
    close() {
      open = false
    },
  }
}

import { makeFault } from '../make-fault.ts'
import type { Channel, ChannelSource } from './channel.ts'

/**
 * `never`: one process for the match. `on-send`: one process per move. `start` may throw if no agent can be started.
 */
export function processSource(start: () => Channel | Promise<Channel>, reopens: 'never' | 'on-send'): ChannelSource {
  let open = true
  const begin = async (up: (channel: Channel) => void): Promise<void> => {
    const channel = await start()
    if (open) up(channel)
    else channel.close()
  }
  return {
    reopens,
    open(up, failed) {
      begin(up).catch((error: unknown) => {
        const text = `could not be started: ${String(error)}`
        failed({ text, fault: makeFault('host', `The agent ${text}`) })
      })
    },
    close() {
      open = false
    },
  }
}

import type { NativeEntry, NativeSignIn } from '../../contract/game/native-dialogue.ts'
import { lengthPrefixed } from '../framings.ts'
import { framed, nameIn, readFramed } from './frames.ts'

/** The online mode of 2017: a plain connection a match, seats in the order in which punters say their names. */
export const native: NativeEntry = {
  transport: 'tcp',
  connection: 'match',
  guide:
    'Punters of 2017 connect in online mode and need no credential: they get their seats in the order in which they come. A connection is for one match.',
  framing: (most) => lengthPrefixed(most + PREFIX),
  signIn,
}

/** Nine digits and a colon. */
const PREFIX = 10

function signIn(): NativeSignIn {
  let name = ''
  return {
    joined: () => ({}),
    receive(message) {
      const found = readFramed(message)
      if (typeof found === 'string') return { refusal: found }
      const me = nameIn(found.value)
      if (me === null) return { refusal: 'The first message must be {"me": NAME}.' }
      name = me
      return { claim: { by: 'arrival', name } }
    },
    accepted: () => framed({ you: name }),
    // The protocol of 2017 has no words for it.
    refused: () => null,
    goodbye: () => null,
  }
}

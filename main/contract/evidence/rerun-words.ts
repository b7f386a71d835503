import type { DossierItem } from './dossiers.ts'

const places = {
  bubblewrap: 'in full isolation',
  shared: 'in isolation with a shared folder',
  permission: 'with restricted permissions',
  none: 'without isolation',
} as const

export type AskedAgain = DossierItem & { readonly kind: 'asked-again' }
type PlayedAgain = DossierItem & { readonly kind: 'played-again' }

/** Something that was run again, in sentences: the agent and the result. Names and sentences of the game are those of strangers. */
export function againWords(item: AskedAgain | PlayedAgain): readonly string[] {
  return item.kind === 'asked-again' ? askedWords(item) : playedWords(item)
}

function whoOf({ seat, name, isPinned, facts }: AskedAgain | PlayedAgain): string {
  return isPinned
    ? `${name}, in the version that played,`
    : `${name}, in place of ${facts.players[seat] ?? `seat ${seat}`},`
}

function playedWords(item: PlayedAgain): readonly string[] {
  const { isPinned, isolation, same, result, differs } = item
  const who = isPinned ? 'The versions that played' : `${whoOf(item)} and the other versions that played`
  return [
    `${who} have played the match again ${places[isolation]}, with its settings, seed and limits.`,
    same ? 'It ended in the same way.' : `It ended otherwise: ${result}`,
    ...(differs === null
      ? ['Every event was the same.']
      : [
          `The first event that was another one is event ${differs.move}.`,
          `Recorded: ${differs.recorded.join(' ') || 'the match had ended.'}`,
          `Played now: ${differs.again.join(' ') || 'the match had ended.'}`,
        ]),
  ]
}

function askedWords(item: AskedAgain): readonly string[] {
  const { isolation, reference, moves, same, differs, failed, instead } = item
  const course =
    differs === null
      ? moves === 1
        ? []
        : [`It answers all ${moves} moves up to this one as recorded.`]
      : [
          differs === reference.move
            ? `This is the first of ${moves === 1 ? '1 move' : `${moves} moves`} that it answers otherwise.`
            : `Its answers differ from event ${differs} on.`,
        ]
  return [`${whoOf(item)} was asked again ${places[isolation]}.`, ...outcome(), ...course]

  function outcome(): readonly string[] {
    if (failed !== null)
      return [
        failed.move === reference.move
          ? `It failed: ${failed.text}`
          : `It failed at event ${failed.move}: ${failed.text}`,
      ]
    if (same) return ['It answers the same.']
    return instead.length === 0
      ? ['It answers otherwise.']
      : [`It answers otherwise, and this would have followed: ${instead.join(' ')}`]
  }
}

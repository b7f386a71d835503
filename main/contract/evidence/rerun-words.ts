import type { DossierItem } from './dossiers.ts'

const places = {
  bubblewrap: 'in full isolation',
  shared: 'in isolation with a shared folder',
  permission: 'with restricted permissions',
  none: 'without isolation',
} as const

/** An agent that was asked again, in sentences: which one, and its answer. Names and sentences of the game are those of strangers. */
export function againWords(item: DossierItem & { readonly kind: 'asked-again' }): readonly string[] {
  const { seat, name, isPinned, isolation, reference, facts, moves, same, differs, failed, instead } = item
  const player = facts.players[seat] ?? `seat ${seat}`
  const who = isPinned ? `${name}, in the version that played,` : `${name}, in place of ${player},`
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
  return [`${who} was asked again ${places[isolation]}.`, ...outcome(), ...course]

  function outcome(): readonly string[] {
    if (failed !== null)
      return [failed.move === reference.move ? `It failed: ${failed.text}` : `It failed at event ${failed.move}: ${failed.text}`]
    if (same) return ['It answers the same.']
    return instead.length === 0
      ? ['It answers otherwise.']
      : [`It answers otherwise, and this would have followed: ${instead.join(' ')}`]
  }
}

import type { GameId } from '../../main/contract/ids.ts'

/** The rules that are open beside the screen. */
interface OpenRules {
  readonly game: GameId
  /** The rule to show; null: the beginning. */
  readonly rule: number | null
  /** Grows with each request, so that the same rule can be shown again. */
  readonly asked: number
}

let open = $state.raw<OpenRules | null>(null)
/** The element that had the focus before the rules were opened. */
let before: HTMLElement | null = null

/** null: no rules are open. */
export const rules = {
  get open(): OpenRules | null {
    return open
  },
}

/** Opens a game's rulebook beside the screen, at a rule by its number. */
export function openRules(game: GameId, rule: number | null = null): void {
  if (open === null && document.activeElement instanceof HTMLElement) before = document.activeElement
  open = { game, rule, asked: (open?.asked ?? 0) + 1 }
}

/** Closes the rules; the keyboard returns to where it was. */
export function closeRules(): void {
  open = null
  if (before?.isConnected === true) before.focus()
  before = null
}

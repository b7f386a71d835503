import { offer } from '../navigation/shortcuts.svelte.ts'

let asTables = $state(false)

/** True if charts show tables instead of pictures; shared by all charts. */
export const pictures = {
  get asTables(): boolean {
    return asTables
  },
  toggle(): void {
    asTables = !asTables
  },
}

/** Offers the shortcut while a screen has pictures. */
export function offerTables(): () => void {
  return offer([{ label: 'Switch between pictures and tables', keys: ['t'], run: pictures.toggle }])
}

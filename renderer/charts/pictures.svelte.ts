import { offer } from '../shortcuts.svelte.ts'

let asTables = $state(false)

/** Whether charts show their tables in place of pictures: for all of them, so that one key is enough. */
export const pictures = {
  get asTables(): boolean {
    return asTables
  },
  toggle(): void {
    asTables = !asTables
  },
}

/** Offers the key while a screen with pictures is there. */
export function offerTables(): () => void {
  return offer([{ label: 'Tables in place of pictures, and back', keys: ['t'], run: pictures.toggle }])
}

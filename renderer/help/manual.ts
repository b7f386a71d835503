import type { ManualPage } from './page.ts'

/** The list of pages; their texts are loaded when they are needed. */
export async function manualPages(): Promise<readonly ManualPage[]> {
  return (await import('../../docs/README.md?contents')).pages
}

import { call } from '../../connection/client.ts'

/** Opens another class: the window shows it in place of this one, or this tab goes to its page. Rejects with a CallFailure. */
export async function openClass(folder: string): Promise<void> {
  const { address } = await call('classes.open', { folder })
  if (address !== null) location.assign(address)
}

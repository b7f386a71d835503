import { openClassFolder, readClass } from '../../administrator/classroom/classroom.ts'
import { settings } from '../../contract/classroom.ts'
import { ExpectedError } from '../../contract/expected-error.ts'
import { whyNoAddress } from '../../players/web/address.ts'

/** Throws ExpectedError 'usage' with the first that is no address of web applications. */
export function checkAllowList(addresses: readonly string[]): void {
  for (const address of addresses) {
    const problem = whyNoAddress(address)
    if (problem !== null) throw new ExpectedError('usage', `${address} cannot be allowed: ${problem}.`)
  }
}

/** Where web applications that play in a class may be. Changes nothing. */
export async function allowedAddresses(data: string): Promise<readonly string[]> {
  return (await readClass(data)).settings.webAddresses
}

/** Adds addresses to those that a class allows, and takes others away; gives what it then allows. Throws ExpectedError 'usage'. */
export async function changeAllowList(
  data: string,
  { allow, forbid }: { readonly allow: readonly string[]; readonly forbid: readonly string[] },
): Promise<readonly string[]> {
  checkAllowList(allow)
  const home = await openClassFolder(data)
  try {
    await home.change((content) => {
      const kept = content.settings.webAddresses.filter((each) => !forbid.includes(each))
      const read = settings.shape.webAddresses.safeParse([...new Set([...kept, ...allow])])
      if (!read.success)
        throw new ExpectedError('usage', 'A class allows 1000 addresses of up to 2000 characters at most.')
      content.settings.webAddresses = read.data
    })
    return home.content.settings.webAddresses
  } finally {
    await home.close()
  }
}

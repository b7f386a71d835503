import { openClassFolder, readClass } from '../../administrator/classroom/classroom.ts'
import { settings } from '../../contract/procedures/classroom.ts'
import { ExpectedError } from '../../contract/expected-error.ts'
import { whyNoAddress } from '../../players/web/address.ts'

/** Throws ExpectedError 'usage' for the first address that is not valid for web applications. */
export function checkAllowList(addresses: readonly string[]): void {
  for (const address of addresses) {
    const problem = whyNoAddress(address)
    if (problem !== null)
      throw new ExpectedError('usage', 'address-invalid', `${address} cannot be allowed: ${problem}.`)
  }
}

/** The allowed addresses of web applications. */
export async function allowedAddresses(data: string): Promise<readonly string[]> {
  return (await readClass(data)).settings.webAddresses
}

/** Adds and removes allowed addresses of a class; returns the new list. Throws ExpectedError 'usage'. */
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
        throw new ExpectedError(
          'usage',
          'limit-reached',
          'A class allows 1000 addresses of up to 2000 characters at most.',
        )
      content.settings.webAddresses = read.data
    })
    return home.content.settings.webAddresses
  } finally {
    await home.close()
  }
}

import type { Command } from 'commander'
import { requestAddress } from '../../app/address-socket.ts'
import { defaultDataFolder } from '../../services/machine/data-folder.ts'
import { requireDataFolder } from '../../services/machine/existing-class.ts'
import { addVerb, dataOption, type Context } from '../context.ts'

/** `tartaglia address`: prints a new address of the classroom that `tartaglia serve` serves; exit code 0, or 3 if none does. */
export function addAddress(program: Command, { terminal }: Context): void {
  addVerb(program, 'address', 'Print a new address of the classroom that is being served', 'tartaglia address')
    .addOption(dataOption())
    .action(async ({ data = defaultDataFolder() }: { readonly data?: string }) => {
      requireDataFolder(data)
      const address = await requestAddress(data)
      terminal.output('address', { address, data })
      terminal.print(address)
    })
}

import { arriveAt } from '../../../renderer/navigation/address.ts'

/** Sets the address of the page, as if the router had shown its screen. */
export function visit(address: string): void {
  location.hash = address
  arriveAt(location.hash)
}

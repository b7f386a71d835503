/** Whoever has an account. */
interface Holder {
  readonly account: number
}

/** What the rules have left on each account: kept beside the state, where nothing but a payment of the rules reaches it. */
const booked = new WeakMap<Holder, number>()

/** From now on what is on the account is held against the books. */
export function openAccount<H extends Holder>(holder: H): H {
  booked.set(holder, holder.account)
  return holder
}

/** A payment of the rules: `amount` may be below 0. */
export function book(holder: Holder, amount: number): void {
  booked.set(holder, bookedFor(holder) + amount)
}

/** What the rules have left on an account. */
export function bookedFor(holder: Holder): number {
  const amount = booked.get(holder)
  if (amount === undefined) throw new Error('an account that was never opened')
  return amount
}

/** The owner of an account. */
interface Holder {
  readonly account: number
}

/**
 * The balance of each account according to the rules. It is kept outside the state, so that only payments of the rules
 * change it.
 */
const booked = new WeakMap<Holder, number>()

/** Starts to track an account; its balance must equal the books from now on. */
export function openAccount<H extends Holder>(holder: H): H {
  booked.set(holder, holder.account)
  return holder
}

/** Records a payment of the rules; `amount` may be negative. */
export function book(holder: Holder, amount: number): void {
  booked.set(holder, bookedFor(holder) + amount)
}

/** The balance of an account according to the rules. */
export function bookedFor(holder: Holder): number {
  const amount = booked.get(holder)
  if (amount === undefined) throw new Error('an account that was never opened')
  return amount
}

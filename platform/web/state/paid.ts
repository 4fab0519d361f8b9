/** A paid order, for listeners on the page that requested the payment. */
interface Paid {
  readonly orderNo: string
  readonly orderType: number
}
type Listener = (paid: Paid) => void
const listeners = new Set<Listener>()

/** Called for each order that the payment dialog sees paid, and again if the item was delivered only later. */
export function onPaid(listener: Listener): () => void {
  listeners.add(listener)
  return () => {
    listeners.delete(listener)
  }
}

export function notifyPaid(paid: Paid): void {
  for (const listener of listeners) listener(paid)
}

/** What was paid for, so that the page of whoever asked for the payment can follow. */
interface Paid {
  readonly orderNo: string
  readonly orderType: number
}
type Listener = (paid: Paid) => void
const listeners = new Set<Listener>()

/** Called for each order that the payment dialog has seen paid, and once more where what was paid for came only then. */
export function onPaid(listener: Listener): () => void {
  listeners.add(listener)
  return () => {
    listeners.delete(listener)
  }
}

export function tellPaid(paid: Paid): void {
  for (const listener of listeners) listener(paid)
}

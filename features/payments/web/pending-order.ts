import { create } from 'zustand'
import { removeStored, storeValue, readStored } from '#platform/web/state/storage.ts'
import { onSessionEnd } from '#platform/web/state/session.ts'
import type { PaymentOrder } from '../contract-shapes.ts'
import type { PayCurrency } from '../contract-currencies.ts'

/** The opened, unfinished order: it survives a reload, a closed dialog and the round trip to the channel. */
export interface PendingOrder {
  readonly orderNo: string
  readonly payAmount: string
  readonly payCurrency: PayCurrency
  readonly until: number
  /** The order waits for the payer's face check, and is then opened by `extraPayParam`. */
  readonly isAuth?: boolean
}

const NAME = 'pendingOrder'

function readPending(): PendingOrder | undefined {
  try {
    const value = JSON.parse(readStored(NAME) ?? 'null') as PendingOrder | null
    return value && value.until > Date.now() ? value : undefined
  } catch {
    return undefined
  }
}

export const usePending = create<{ readonly pending: PendingOrder | undefined }>(() => ({ pending: readPending() }))

export function rememberOrder(order: Pick<PaymentOrder, 'orderNo' | 'payAmount' | 'payCurrency' | 'secondsLeft'>, isAuth = false): void {
  const life = order.secondsLeft * 1000
  if (life <= 0) return forgetOrder(order.orderNo)
  const { orderNo, payAmount, payCurrency } = order
  const pending = { orderNo, payAmount, payCurrency, until: Date.now() + life, ...(isAuth ? { isAuth } : {}) }
  storeValue(NAME, JSON.stringify(pending), life)
  usePending.setState({ pending })
}

/** True if the stored order is this one and waits for the face check. */
export function waitsForFace(orderNo: string): boolean {
  const { pending } = usePending.getState()
  return pending?.orderNo === orderNo && pending.isAuth === true
}

/** Removes only the named order, so that the end of an old one does not hide a new one. */
export function forgetOrder(orderNo: string): void {
  if (usePending.getState().pending?.orderNo !== orderNo) return
  removeStored(NAME)
  usePending.setState({ pending: undefined })
}

onSessionEnd(() => {
  removeStored(NAME)
  usePending.setState({ pending: undefined })
})

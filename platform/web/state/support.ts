import { create } from 'zustand'

/** What a page already knows about the question. */
export interface SupportWish {
  readonly topic?: 'general' | 'recharge' | 'api' | 'account'
  /** Attached to the conversation; one that is open about this order is gone on with. */
  readonly orderNo?: string
}
/** Of the chat widget (product.md 2.4): nothing yet, its script on the way, its elements there, not in time. */
export type SupportStatus = 'initial' | 'loading' | 'success' | 'error'

interface State {
  readonly asked: (SupportWish & { readonly turn: number }) | undefined
  readonly status: SupportStatus
  /** Answers that nobody has read yet. */
  readonly unread: number
  /** The page has a button for it in its own place: nothing floats above it. */
  readonly hasPlace: boolean
}

/** Served by the host of features/support; pages use the functions below. */
export const useSupport = create<State>(() => ({ asked: undefined, status: 'initial', unread: 0, hasPlace: false }))
let turn = 0

/** Opens customer service from anywhere, above any dialog; loads it first if need be. */
export function openSupport({ topic, orderNo }: SupportWish = {}): void {
  useSupport.setState({ asked: { ...(topic ? { topic } : {}), ...(orderNo ? { orderNo } : {}), turn: ++turn } })
}

/** True once somebody asked: the host is wanted before the page is idle. */
export function useSupportAsked(): boolean {
  return useSupport((state) => state.asked !== undefined)
}

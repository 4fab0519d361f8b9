import { create } from 'zustand'

/** Context that a page passes to the support chat. */
export interface SupportRequest {
  readonly topic?: 'general' | 'recharge' | 'api' | 'account'
  /** Attached to the conversation; an open conversation about this order is continued. */
  readonly orderNo?: string
}
/** State of the chat widget (product.md 2.4): not loaded, script loading, ready, timed out. */
export type SupportStatus = 'initial' | 'loading' | 'success' | 'error'

interface State {
  readonly asked: (SupportRequest & { readonly turn: number }) | undefined
  readonly status: SupportStatus
  /** Unread replies. */
  readonly unread: number
  /** The page has its own support button, so no floating one is shown. */
  readonly hasPlace: boolean
}

/** State of the support host in features/support; pages use the functions below. */
export const useSupport = create<State>(() => ({ asked: undefined, status: 'initial', unread: 0, hasPlace: false }))
let turn = 0

/** Opens customer service from anywhere, above any dialog; loads it first if need be. */
export function openSupport({ topic, orderNo }: SupportRequest = {}): void {
  useSupport.setState({ asked: { ...(topic ? { topic } : {}), ...(orderNo ? { orderNo } : {}), turn: ++turn } })
}

/** True once support was requested: the host must load before the page is idle. */
export function useSupportRequested(): boolean {
  return useSupport((state) => state.asked !== undefined)
}

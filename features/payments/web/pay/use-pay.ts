import { useCallback, useLayoutEffect, useReducer, useRef } from 'react'
import type { PurchaseRequest } from '#platform/web/state/dialogs.ts'
import type { ChannelRow, PaymentOrder } from '../../contract-shapes.ts'
import { useBalancePay, useCreate, useFinish, useOpen, useRestore } from './pay-calls.ts'
import { initialPayState, reducePay } from './pay-machine.ts'
import type { ChosenMethod, PayState } from './pay-machine.ts'
import { usePaymentCheck } from './use-check.ts'

export interface Pay {
  readonly state: PayState
  /** Without a row the server chooses how: the list of ways did not load. */
  readonly create: (amount: string, row: ChannelRow | undefined, ask?: PurchaseRequest) => Promise<void>
  readonly open: (order: PaymentOrder, method: ChosenMethod) => Promise<void>
  readonly restore: (orderNo: string) => Promise<void>
  /** Polls once: settled, still open, or no response. */
  readonly check: () => Promise<'settled' | 'open' | 'unheard'>
  readonly codeExpired: () => void
  readonly left: () => void
  readonly changeMethod: () => void
  readonly back: () => void
  readonly restart: () => void
  /** Pays the order of the step `balance`, after the payment password. */
  readonly payFromBalance: () => Promise<void>
}

/** Runs the payment machine: calls the server, polls while an order is open, remembers the order for a reload. */
export function usePay(active: boolean): Pay {
  const [state, dispatch] = useReducer(reducePay, initialPayState)
  const latest = useRef(state)
  // before the effects of the step that is shown
  useLayoutEffect(() => {
    latest.current = state
  })
  const { finish, settled } = useFinish(dispatch)
  const open = useOpen(dispatch, finish)
  return {
    state,
    create: useCreate(dispatch, open),
    open,
    restore: useRestore(dispatch, open, finish),
    check: usePaymentCheck({ active, state, latest, dispatch, finish, open, settled }),
    codeExpired: useCallback(() => dispatch({ type: 'codeExpired' }), []),
    left: useCallback(() => dispatch({ type: 'left' }), []),
    changeMethod: useCallback(() => dispatch({ type: 'changeMethod' }), []),
    back: useCallback(() => dispatch({ type: 'back' }), []),
    payFromBalance: useBalancePay(dispatch, finish, latest),
    restart: useCallback(() => dispatch({ type: 'restart' }), []),
  }
}

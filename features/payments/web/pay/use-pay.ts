import { useCallback, useLayoutEffect, useReducer, useRef } from 'react'
import type { Dispatch } from 'react'
import type { PurchaseRequest } from '#platform/web/state/dialogs.ts'
import type { ChannelRow, PaymentOrder } from '../../contract-shapes.ts'
import { useBalancePay, useCreate, useFinish, useOpen, useRestore } from './pay-calls.ts'
import { initialPayState, reducePay, hasOrder } from './pay-machine.ts'
import type { PayEvent, PayState, ChosenMethod } from './pay-machine.ts'
import { isUncertain } from '#platform/web/calls/api-error.ts'
import { useTexts } from '#platform/web/i18n.ts'
import { paymentTexts } from '../../texts.ts'
import { toPayStatus } from '../../words.ts'
import { paymentsApi } from '../payments-api.ts'
import { usePoll } from './use-poll.ts'

/** Polling continues 30 s beyond the order's end: a last payment may still arrive. */
const AFTER_END_MS = 30_000

interface CheckOptions {
  readonly active: boolean
  readonly state: PayState
  readonly latest: { readonly current: PayState }
  readonly dispatch: Dispatch<PayEvent>
  readonly finish: ReturnType<typeof useFinish>['finish']
  readonly open: ReturnType<typeof useOpen>
  readonly settled: { readonly current: string | undefined }
}

/** Polls an open order; the returned function polls at once. */
function usePaymentCheck({ active, state, latest, dispatch, finish, open, settled }: CheckOptions) {
  const t = useTexts(paymentTexts)
  const order = hasOrder(state) ? state.order : undefined
  const until = useRef<{ orderNo: string; at: number }>(undefined)
  if (order && until.current?.orderNo !== order.orderNo) until.current = { orderNo: order.orderNo, at: Date.now() + order.secondsLeft * 1000 + AFTER_END_MS }
  const heard = useRef(false)
  const ask = useCallback(
    async (signal: AbortSignal) => {
      const now = latest.current
      if (!hasOrder(now)) return
      try {
        const polled = await paymentsApi.payStatus({ order_id: now.order.orderNo }, { signal })
        heard.current = true
        // The trade exists at the channel: fetch the lost response.
        if ((now.step === 'unknown' && polled.state === 'paying') || (now.step === 'notice' && polled.noticeRead)) void open(now.order, now.method)
        else if (toPayStatus(polled.state) === 0) dispatch({ type: 'polled', polled, declinedText: t('declined') })
        else await finish(now.order.orderNo, signal)
      } catch (error) {
        if (!signal.aborted && isUncertain(error)) dispatch({ type: 'pollLost' })
      }
    },
    [dispatch, finish, latest, open, t],
  )
  const askNow = usePoll(ask, active && order !== undefined, until.current?.at)
  return useCallback(async () => {
    const now = latest.current
    heard.current = false
    await askNow()
    if (!hasOrder(now) || settled.current === now.order.orderNo) return 'settled'
    return heard.current ? 'open' : 'unheard'
  }, [askNow, latest, settled])
}

export interface Pay {
  readonly state: PayState
  /** Without a row the server chooses the method, because the list did not load. */
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
  // Runs before the effects of the displayed step.
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

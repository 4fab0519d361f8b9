import { useCallback, useRef, type Dispatch } from 'react'
import { isUncertain } from '#platform/web/calls/api-error.ts'
import { useTexts } from '#platform/web/i18n.ts'
import { paymentTexts } from '../../texts.ts'
import { toPayStatus } from '../../words.ts'
import type { useFinish, useOpen } from './pay-calls.ts'
import { hasOrder } from './pay-machine.ts'
import type { PayEvent, PayState } from './pay-machine.ts'
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
export function usePaymentCheck({ active, state, latest, dispatch, finish, open, settled }: CheckOptions) {
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
        // The channel has the trade after all: fetch the lost response.
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

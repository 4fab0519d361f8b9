import { useQueryClient } from '@tanstack/react-query'
import { useCallback, useEffect, useReducer, useRef } from 'react'
import { isApiError, isUncertain } from '#platform/web/calls/api-error.ts'
import { askPayPassword } from '#platform/web/state/ask-pay-password.ts'
import type { PayAsk } from '#platform/web/state/dialogs.ts'
import { tellPaid } from '#platform/web/state/paid.ts'
import { useDevice } from '#platform/web/device.ts'
import { useTexts } from '#platform/web/i18n.ts'
import type { ChannelRow, Order } from '../../contract.ts'
import { paymentTexts } from '../../texts.ts'
import { BALANCE_CHANNEL, ORDER_TYPE, payStatusOf, PAYABLE } from '../../words.ts'
import { leaveForChannel } from './leave.ts'
import { rememberMethod } from './last-method.ts'
import { firstState, hasOrder, reducePay } from './pay-machine.ts'
import type { Method, PayState } from './pay-machine.ts'
import { ordersApi } from '../pages-api.ts'
import { paymentsApi } from '../payments-api.ts'
import { forgetOrder, rememberOrder } from '../pending-order.ts'
import { usePoll } from './use-poll.ts'

/** Polling goes on a little beyond the order's end: the last payment may still be on its way. */
const AFTER_END_MS = 30_000

export interface Pay {
  readonly state: PayState
  /** Without a row the server chooses how: the list of ways did not load. */
  readonly create: (amount: string, row: ChannelRow | undefined, ask?: PayAsk) => Promise<void>
  readonly open: (order: Order, method: Method) => Promise<void>
  readonly restore: (orderNo: string) => Promise<void>
  /** Asks now: whether it is settled, still open, or nothing was heard. */
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
  const t = useTexts(paymentTexts)
  const cache = useQueryClient()
  const [state, dispatch] = useReducer(reducePay, firstState)
  const latest = useRef(state)
  useEffect(() => {
    latest.current = state
  })
  const order = hasOrder(state) ? state.order : undefined
  const until = useRef<{ orderNo: string; at: number }>(undefined)
  if (order && until.current?.orderNo !== order.orderNo) until.current = { orderNo: order.orderNo, at: Date.now() + order.secondsLeft * 1000 + AFTER_END_MS }

  const textOf = useCallback((error: unknown) => (isApiError(error) ? error.message : t('openFailed')), [t])

  const settled = useRef<string>(undefined)
  const heard = useRef(false)

  const finish = useCallback(
    async (orderNo: string, signal?: AbortSignal) => {
      const whole = await paymentsApi.tradeStatus({ orderNo }, { signal })
      settled.current = orderNo
      forgetOrder(orderNo)
      dispatch(whole.payStatus === 1 ? { type: 'paid', order: whole } : { type: 'ended', order: whole })
      void cache.invalidateQueries({ queryKey: ['payments', 'records'] })
      void cache.invalidateQueries({ queryKey: ['payments', 'orders'] })
      if (whole.payStatus !== 1) return
      void cache.invalidateQueries({ queryKey: ['wallet'] })
      tellPaid({ orderNo, orderType: whole.orderType })
    },
    [cache],
  )

  const reopen = useRef<Pay['open']>(undefined)
  const ask = useCallback(
    async (signal: AbortSignal) => {
      const now = latest.current
      if (!hasOrder(now)) return
      try {
        const polled = await paymentsApi.payStatus({ order_id: now.order.orderNo }, { signal })
        heard.current = true
        // The channel has it after all: fetch what was lost on the way.
        if ((now.step === 'unknown' && polled.state === 'paying') || (now.step === 'notice' && polled.noticeRead)) void reopen.current?.(now.order, now.method)
        else if (payStatusOf(polled.state) === 0) dispatch({ type: 'polled', polled, declinedText: t('declined') })
        else await finish(now.order.orderNo, signal)
      } catch (error) {
        if (!signal.aborted && isUncertain(error)) dispatch({ type: 'pollLost' })
      }
    },
    [finish, t],
  )
  const askNow = usePoll(ask, active && order !== undefined, until.current?.at)

  const open = useCallback(
    async (opened: Order, method: Method) => {
      rememberOrder(opened)
      if (opened.channelType === BALANCE_CHANNEL) return dispatch({ type: 'balance', order: opened, method })
      dispatch({ type: 'opening', order: opened, method })
      rememberMethod(method)
      try {
        const params = await paymentsApi.payParam({ order_id: opened.orderNo, ...method, redirectUrl: `${location.pathname}${location.search}` })
        dispatch({ type: 'opened', params, now: Date.now() })
        if (useDevice.getState().isMobile && leaveForChannel(params)) dispatch({ type: 'left' })
      } catch (error) {
        if (isUncertain(error) || (isApiError(error) && error.errorName === 'PAY_PROCESSING')) return dispatch({ type: 'openLost' })
        const noticeUrl = noticeOf(error)
        if (noticeUrl !== undefined) {
          if (method.tradeFrom === 'H5') location.assign(noticeUrl)
          return dispatch({ type: 'noticeFirst', url: noticeUrl })
        }
        if (isApiError(error) && error.errorName === 'ORDER_NOT_PAYABLE')
          return void finish(opened.orderNo).catch(() => dispatch({ type: 'openRefused', error: textOf(error) }))
        dispatch({ type: 'openRefused', error: textOf(error) })
      }
    },
    [finish, textOf],
  )

  useEffect(() => {
    reopen.current = open
  })

  const create = useCallback(
    async (amount: string, row: ChannelRow | undefined, ask?: PayAsk) => {
      dispatch({ type: 'submitted' })
      const wish = row
        ? { channelType: row.channelType, transactionType: row.transactionType, tradeFrom: row.tradeFrom }
        : { tradeFrom: useDevice.getState().isMobile ? ('H5' as const) : ('QRCODE' as const) }
      try {
        const created = await paymentsApi.createOrder({ ...whatOf(amount, ask), ...wish })
        void cache.invalidateQueries({ queryKey: ['payments', 'records'] })
        void cache.invalidateQueries({ queryKey: ['payments', 'orders'] })
        await open(created, { channelType: created.channelType, transactionType: created.transactionType, tradeFrom: created.tradeFrom })
      } catch (error) {
        dispatch({ type: 'refused', error: textOf(error) })
      }
    },
    [cache, open, textOf],
  )

  const restore = useCallback(
    async (orderNo: string) => {
      dispatch({ type: 'submitted' })
      try {
        const whole = await paymentsApi.tradeStatus({ orderNo })
        if (PAYABLE.includes(whole.state) && whole.secondsLeft > 0)
          await open(whole, {
            channelType: whole.channelType,
            transactionType: whole.transactionType,
            tradeFrom: useDevice.getState().isMobile ? 'H5' : 'QRCODE',
          })
        else await finish(orderNo)
      } catch (error) {
        dispatch({ type: 'refused', error: textOf(error) })
      }
    },
    [finish, open, textOf],
  )

  const payFromBalance = useCallback(async () => {
    const now = latest.current
    if (now.step !== 'balance' || now.busy) return
    const { orderNo } = now.order
    dispatch({ type: 'balanceAsked' })
    try {
      const payPassword = await askPayPassword()
      if (payPassword === undefined) return dispatch({ type: 'balanceRefused' })
      await ordersApi.balancePay({ orderNo, payPassword })
      await finish(orderNo)
    } catch (error) {
      const missing = isApiError(error) && error.errorName === 'BALANCE_TOO_LOW' ? missingOf(error.data) : undefined
      dispatch({ type: 'balanceRefused', error: textOf(error), ...(missing === undefined ? {} : { missing }) })
    }
  }, [finish, textOf])

  const check = useCallback(async () => {
    const now = latest.current
    heard.current = false
    await askNow()
    if (!hasOrder(now) || settled.current === now.order.orderNo) return 'settled'
    return heard.current ? 'open' : 'unheard'
  }, [askNow])

  return {
    state,
    create,
    open,
    restore,
    check,
    codeExpired: useCallback(() => dispatch({ type: 'codeExpired' }), []),
    left: useCallback(() => dispatch({ type: 'left' }), []),
    changeMethod: useCallback(() => dispatch({ type: 'changeMethod' }), []),
    back: useCallback(() => dispatch({ type: 'back' }), []),
    payFromBalance,
    restart: useCallback(() => dispatch({ type: 'restart' }), []),
  }
}

/** What is ordered. An order type with a price of its own is sent none. */
function whatOf(amount: string, ask: PayAsk | undefined) {
  if (!ask) return { orderType: ORDER_TYPE.OPENAI_API, amount }
  const { orderType, cardId, service } = ask
  return { orderType, cardId, service, ...(orderType === ORDER_TYPE.RECHARGE ? { amount } : {}) }
}

/** The page to be read first, where the refusal asks for it. */
function noticeOf(error: unknown): string | undefined {
  if (!isApiError(error) || error.errorName !== 'PAY_NOTICE_UNREAD') return undefined
  const url = (error.data as { noticeUrl?: unknown } | null | undefined)?.noticeUrl
  return typeof url === 'string' && /^https?:\/\//.test(url) ? url : undefined
}

/** Dollars that the refusal says are missing. */
function missingOf(data: unknown): string | undefined {
  const missing = (data as { missing?: unknown } | null | undefined)?.missing
  return typeof missing === 'string' ? missing : undefined
}

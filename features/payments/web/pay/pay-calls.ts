import { useQueryClient, type QueryClient } from '@tanstack/react-query'
import { useCallback, useRef, type Dispatch } from 'react'
import { isApiError, isUncertain } from '#platform/web/calls/api-error.ts'
import { askPayPassword } from '#platform/web/state/ask-pay-password.ts'
import type { PayAsk } from '#platform/web/state/dialogs.ts'
import { tellPaid } from '#platform/web/state/paid.ts'
import { useDevice } from '#platform/web/device.ts'
import { useTexts } from '#platform/web/i18n.ts'
import type { ChannelRow, Order } from '../../contract-shapes.ts'
import { paymentTexts } from '../../texts.ts'
import { BALANCE_CHANNEL, ORDER_TYPE, PAYABLE } from '../../words.ts'
import { leaveForChannel } from './leave.ts'
import { rememberMethod } from './method/last-method.ts'
import type { IdentityWay, Method, PayEvent, PayState } from './pay-machine.ts'
import { ordersApi } from '../pages-api.ts'
import { paymentsApi } from '../payments-api.ts'
import { forgetOrder, rememberOrder, waitsForFace } from '../pending-order.ts'

/** Server calls of the payment machine, one hook each; every response becomes an event of the machine. */
type Tell = Dispatch<PayEvent>
type Finish = ReturnType<typeof useFinish>['finish']
type Open = ReturnType<typeof useOpen>

function useTextOf() {
  const t = useTexts(paymentTexts)
  return useCallback((error: unknown) => (isApiError(error) ? error.message : t('openFailed')), [t])
}

/** Milliseconds between delivery checks of a paid order; most orders are delivered at the first. */
const LOOKS_MS = [300, 600, 1200, 2400, 4800, 9600]

/** Polls a paid order until it is delivered, then notifies the page again. */
async function tellDelivered(cache: QueryClient, orderNo: string): Promise<void> {
  for (const wait of LOOKS_MS) {
    await new Promise((done) => setTimeout(done, wait))
    const { state, orderType } = await paymentsApi.tradeStatus({ orderNo })
    if (state === 'paid') continue
    void cache.invalidateQueries({ queryKey: ['wallet'] })
    return tellPaid({ orderNo, orderType })
  }
}

/** The order's end is fetched whole; `settled` remembers which one that was. */
export function useFinish(dispatch: Tell) {
  const cache = useQueryClient()
  const settled = useRef<string>(undefined)
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
      if (whole.state === 'paid') void tellDelivered(cache, orderNo).catch(() => undefined)
    },
    [cache, dispatch],
  )
  return { finish, settled }
}

export function useOpen(dispatch: Tell, finish: Finish) {
  const textOf = useTextOf()
  return useCallback(
    async (opened: Order, method: Method, isConfirmed = false) => {
      const isBack = waitsForFace(opened.orderNo)
      rememberOrder(opened, isBack)
      if (opened.channelType === BALANCE_CHANNEL) return dispatch({ type: 'balance', order: opened, method, ...(isConfirmed ? { isConfirmed } : {}) })
      dispatch({ type: 'opening', order: opened, method })
      rememberMethod(method)
      try {
        const wish = { order_id: opened.orderNo, ...method, redirectUrl: `${location.pathname}${location.search}` }
        const params = await (isBack ? paymentsApi.extraPayParam(wish) : paymentsApi.payParam(wish))
        rememberOrder(opened)
        dispatch({ type: 'opened', params, now: Date.now() })
        if (useDevice.getState().isMobile && leaveForChannel(params)) dispatch({ type: 'left' })
      } catch (error) {
        if (isUncertain(error) || (isApiError(error) && error.errorName === 'PAY_PROCESSING')) return dispatch({ type: 'openLost' })
        const way = identityWay(error)
        if (way) {
          rememberOrder(opened, way === 'face')
          return dispatch({ type: 'identityFirst', error: textOf(error), way })
        }
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
    [dispatch, finish, textOf],
  )
}

export function useCreate(dispatch: Tell, open: Open) {
  const cache = useQueryClient()
  const textOf = useTextOf()
  return useCallback(
    async (amount: string, row: ChannelRow | undefined, ask?: PayAsk) => {
      dispatch({ type: 'submitted' })
      const wish = row
        ? { channelType: row.channelType, transactionType: row.transactionType, tradeFrom: row.tradeFrom }
        : { tradeFrom: useDevice.getState().isMobile ? ('H5' as const) : ('QRCODE' as const) }
      try {
        const created = await paymentsApi.createOrder({ ...whatOf(amount, ask), ...wish })
        void cache.invalidateQueries({ queryKey: ['payments', 'records'] })
        void cache.invalidateQueries({ queryKey: ['payments', 'orders'] })
        await open(created, { channelType: created.channelType, transactionType: created.transactionType, tradeFrom: created.tradeFrom }, true)
      } catch (error) {
        dispatch({ type: 'refused', error: textOf(error) })
      }
    },
    [cache, dispatch, open, textOf],
  )
}

export function useRestore(dispatch: Tell, open: Open, finish: Finish) {
  const textOf = useTextOf()
  return useCallback(
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
    [dispatch, finish, open, textOf],
  )
}

export function useBalancePay(dispatch: Tell, finish: Finish, latest: { readonly current: PayState }) {
  const textOf = useTextOf()
  const isAsking = useRef(false)
  return useCallback(async () => {
    const now = latest.current
    if (now.step !== 'balance' || isAsking.current) return
    const { orderNo } = now.order
    isAsking.current = true
    dispatch({ type: 'balanceAsked' })
    try {
      const payPassword = await askPayPassword()
      if (payPassword === undefined) return dispatch({ type: 'balanceRefused' })
      await ordersApi.balancePay({ orderNo, payPassword })
      await finish(orderNo)
    } catch (error) {
      const way = identityWay(error)
      if (way) {
        rememberOrder(now.order, way === 'face')
        return dispatch({ type: 'identityFirst', error: textOf(error), way })
      }
      const missing = isApiError(error) && error.errorName === 'BALANCE_TOO_LOW' ? missingOf(error.data) : undefined
      dispatch({ type: 'balanceRefused', error: textOf(error), ...(missing === undefined ? {} : { missing }) })
    } finally {
      isAsking.current = false
    }
  }, [dispatch, finish, latest, textOf])
}

/** The item part of an order request. Order types with a fixed price send no amount. */
function whatOf(amount: string, ask: PayAsk | undefined) {
  if (!ask) return { orderType: ORDER_TYPE.OPENAI_API, amount }
  const { orderType, cardId, service } = ask
  return { orderType, cardId, service, ...(orderType === ORDER_TYPE.RECHARGE ? { amount } : {}) }
}

/** Error codes of the selling service, whose names are not part of this contract. */
const FACE_FIRST: readonly number[] = [2112, 2139]
/** Codes for: a missing step, a U.S. taxpayer, in review, rejected. */
const STEP_FIRST: readonly number[] = [3651, 3652, 3653, 3654]

/** Identity step that the refusal asks for, if any. */
function identityWay(error: unknown): IdentityWay | undefined {
  if (!isApiError(error)) return undefined
  return FACE_FIRST.includes(error.code) ? 'face' : STEP_FIRST.includes(error.code) ? 'opening' : undefined
}

/** URL of the payment notice that must be read first, if the refusal asks for it. */
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

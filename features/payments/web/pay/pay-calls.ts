import { useQueryClient, type QueryClient } from '@tanstack/react-query'
import { useCallback, useRef, type Dispatch } from 'react'
import { isApiError, isUncertain } from '#platform/web/calls/api-error.ts'
import { requestPayPassword } from '#platform/web/state/request-pay-password.ts'
import type { PurchaseRequest } from '#platform/web/state/dialogs.ts'
import { notifyPaid } from '#platform/web/state/paid.ts'
import { useDevice } from '#platform/web/device.ts'
import { useTexts } from '#platform/web/i18n.ts'
import type { ChannelRow, PaymentOrder } from '../../contract-shapes.ts'
import { paymentTexts } from '../../texts.ts'
import { BALANCE_CHANNEL_TYPE, ORDER_TYPE, PAYABLE } from '../../words.ts'
import { leaveForChannel } from './leave.ts'
import { rememberMethod } from './method/last-method.ts'
import type { IdentityWay, ChosenMethod, PayEvent, PayState } from './pay-machine.ts'
import { ordersApi } from '../pages-api.ts'
import { paymentsApi } from '../payments-api.ts'
import { forgetOrder, rememberOrder, waitsForFace } from '../pending-order.ts'

/** Server calls of the payment machine, one hook each; every response becomes an event of the machine. */
type PayDispatch = Dispatch<PayEvent>
type Finish = ReturnType<typeof useFinish>['finish']
type Open = ReturnType<typeof useOpen>

function useErrorText() {
  const t = useTexts(paymentTexts)
  return useCallback((error: unknown) => (isApiError(error) ? error.message : t('openFailed')), [t])
}

/** Milliseconds between delivery checks of a paid order; most orders are delivered at the first. */
const DELIVERY_CHECKS_MS = [300, 600, 1200, 2400, 4800, 9600]

/** Polls a paid order until it is delivered, then notifies the page again. */
async function notifyDelivered(cache: QueryClient, orderNo: string): Promise<void> {
  for (const wait of DELIVERY_CHECKS_MS) {
    await new Promise((done) => setTimeout(done, wait))
    const { state, orderType } = await paymentsApi.tradeStatus({ orderNo })
    if (state === 'paid') continue
    void cache.invalidateQueries({ queryKey: ['wallet'] })
    return notifyPaid({ orderNo, orderType })
  }
}

/** The finished order is fetched in full; `settled` remembers which one. */
export function useFinish(dispatch: PayDispatch) {
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
      notifyPaid({ orderNo, orderType: whole.orderType })
      if (whole.state === 'paid') void notifyDelivered(cache, orderNo).catch(() => undefined)
    },
    [cache, dispatch],
  )
  return { finish, settled }
}

export function useOpen(dispatch: PayDispatch, finish: Finish) {
  const textOf = useErrorText()
  return useCallback(
    async (opened: PaymentOrder, method: ChosenMethod, isConfirmed = false) => {
      const isBack = waitsForFace(opened.orderNo)
      rememberOrder(opened, isBack)
      if (opened.channelType === BALANCE_CHANNEL_TYPE) return dispatch({ type: 'balance', order: opened, method, ...(isConfirmed ? { isConfirmed } : {}) })
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
        const way = toIdentityWay(error)
        if (way) {
          rememberOrder(opened, way === 'face')
          return dispatch({ type: 'identityFirst', error: textOf(error), way })
        }
        const noticeUrl = readNoticeUrl(error)
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

export function useCreate(dispatch: PayDispatch, open: Open) {
  const cache = useQueryClient()
  const textOf = useErrorText()
  return useCallback(
    async (amount: string, row: ChannelRow | undefined, ask?: PurchaseRequest) => {
      dispatch({ type: 'submitted' })
      const wish = row
        ? { channelType: row.channelType, transactionType: row.transactionType, tradeFrom: row.tradeFrom }
        : { tradeFrom: useDevice.getState().isMobile ? ('H5' as const) : ('QRCODE' as const) }
      try {
        const created = await paymentsApi.createOrder({ ...toOrderItem(amount, ask), ...wish })
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

export function useRestore(dispatch: PayDispatch, open: Open, finish: Finish) {
  const textOf = useErrorText()
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

export function useBalancePay(dispatch: PayDispatch, finish: Finish, latest: { readonly current: PayState }) {
  const textOf = useErrorText()
  const isAsking = useRef(false)
  return useCallback(async () => {
    const now = latest.current
    if (now.step !== 'balance' || isAsking.current) return
    const { orderNo } = now.order
    isAsking.current = true
    dispatch({ type: 'balanceAsked' })
    try {
      const payPassword = await requestPayPassword()
      if (payPassword === undefined) return dispatch({ type: 'balanceRefused' })
      await ordersApi.balancePay({ orderNo, payPassword })
      await finish(orderNo)
    } catch (error) {
      const way = toIdentityWay(error)
      if (way) {
        rememberOrder(now.order, way === 'face')
        return dispatch({ type: 'identityFirst', error: textOf(error), way })
      }
      const missing = isApiError(error) && error.errorName === 'BALANCE_TOO_LOW' ? readMissingAmount(error.data) : undefined
      dispatch({ type: 'balanceRefused', error: textOf(error), ...(missing === undefined ? {} : { missing }) })
    } finally {
      isAsking.current = false
    }
  }, [dispatch, finish, latest, textOf])
}

/** The item part of an order request. Order types with a fixed price send no amount. */
function toOrderItem(amount: string, ask: PurchaseRequest | undefined) {
  if (!ask) return { orderType: ORDER_TYPE.OPENAI_API, amount }
  const { orderType, cardId, service } = ask
  return { orderType, cardId, service, ...(orderType === ORDER_TYPE.RECHARGE ? { amount } : {}) }
}

/** Error codes of the selling service, whose names are not part of this contract. */
const FACE_CHECK_CODES: readonly number[] = [2112, 2139]
/** Codes for: a missing step, a U.S. taxpayer, in review, rejected. */
const OPENING_STEP_CODES: readonly number[] = [3651, 3652, 3653, 3654]

/** Identity step that the refusal requires, if any. */
function toIdentityWay(error: unknown): IdentityWay | undefined {
  if (!isApiError(error)) return undefined
  return FACE_CHECK_CODES.includes(error.code) ? 'face' : OPENING_STEP_CODES.includes(error.code) ? 'opening' : undefined
}

/** URL of the payment notice that must be read first, if the refusal requires it. */
function readNoticeUrl(error: unknown): string | undefined {
  if (!isApiError(error) || error.errorName !== 'PAY_NOTICE_UNREAD') return undefined
  const url = (error.data as { noticeUrl?: unknown } | null | undefined)?.noticeUrl
  return typeof url === 'string' && /^https?:\/\//.test(url) ? url : undefined
}

/** Dollars missing according to the refusal. */
function readMissingAmount(data: unknown): string | undefined {
  const missing = (data as { missing?: unknown } | null | undefined)?.missing
  return typeof missing === 'string' ? missing : undefined
}

import type { Ctx, Deps, TxCtx } from '#platform/server/feature.ts'
import { transact } from '#platform/server/database/transact.ts'
import { createId } from '#platform/shared/ids.ts'
import { toShanghaiDay } from '#platform/shared/time.ts'
import type { PaymentOrder, PayParams } from '../contract-shapes.ts'
import { ORDER_TYPE } from '../words.ts'
import type { TradeFrom } from '../words.ts'
import { selectOrderByNo } from './data.ts'
import { toPaymentOrder } from './states/view.ts'
import { checkOrder } from './paying/check-order.ts'
import { askInvoice } from './paper/asked/verbs.ts'
import { createOrder } from './orders/create-order.ts'
import { noticeRead } from './paying/notice-read.ts'
import { payParam } from './paying/pay-param.ts'
import { listChannels } from './vendors/index.ts'
import { balanceRefund } from './withdrawals/verbs/balance-refund.ts'
import { DEFAULT_LANG } from '#platform/shared/languages.ts'

export { createTestPayments } from './data-made-payments.ts'

export interface TestOrderOptions {
  readonly userId?: string
  readonly amount?: string
  readonly channelType?: number
  readonly transactionType?: number
  readonly tradeFrom?: TradeFrom
  /** Payer id that the sandbox reports; anonymous where absent. */
  readonly payer?: string
  /** Defaults to a top-up; `service` and `cardId` are inputs of the ordered service. */
  readonly orderType?: number
  readonly service?: string
  readonly cardId?: string
}
export interface OpenOrder {
  readonly ctx: Ctx
  readonly order: PaymentOrder
  readonly params: PayParams
}

/** Opens an order of 20 dollars at the first channel. The server must be listening, because the sandbox is called over HTTP. */
export async function anOpenOrder(
  deps: Deps,
  {
    userId = createId('user'),
    amount = '20',
    channelType: wished,
    transactionType = 1,
    tradeFrom = 'QRCODE',
    orderType = ORDER_TYPE.OPENAI_API,
    service,
    cardId,
  }: TestOrderOptions = {},
): Promise<OpenOrder> {
  const channelType = wished ?? listChannels(deps)[0]!.manifest.id
  const ctx: Ctx = {
    ...deps,
    actor: { kind: 'user', id: userId },
    userId,
    sessionId: '',
    lang: DEFAULT_LANG,
    clientType: tradeFrom === 'H5' ? 2 : 1,
    requestId: createId('req'),
    ip: '127.0.0.1',
    userAgent: 'builder',
    tx: undefined,
  }
  const order = await transact(deps.db, ctx.actor, (tx) =>
    createOrder({ ...ctx, tx }, { orderType, amount, channelType, transactionType, tradeFrom, ...(service ? { service } : {}), ...(cardId ? { cardId } : {}) }),
  )
  await noticeRead(ctx, { orderNo: order.orderNo })
  const params = await payParam(ctx, { order_id: order.orderNo, channelType, transactionType, tradeFrom })
  return { ctx, order, params }
}

/** Presses a button on the sandbox's payment page: pay, decline, less, twice, late, silent. */
export async function pressCashier(params: Pick<PayParams, 'payUrl'>, action: string, payer = ''): Promise<void> {
  const reply = await fetch(params.payUrl, { method: 'POST', body: new URLSearchParams({ action, payer }), redirect: 'manual' })
  if (reply.status !== 303) throw new Error(`the cashier answered ${reply.status}`)
}

/** Creates a paid and credited order. */
export async function aPaidRechargeOrder(deps: Deps, wish: TestOrderOptions = {}): Promise<PaymentOrder> {
  return payOpenOrder(deps, await anOpenOrder(deps, wish), wish.payer)
}

/** Pays an open order at the sandbox, then queries it. */
export async function payOpenOrder(deps: Deps, { ctx, order, params }: OpenOrder, payer?: TestOrderOptions['payer']): Promise<PaymentOrder> {
  await pressCashier(params, 'silent', payer)
  const { id } = (await selectOrderByNo(deps.db, order.orderNo))!
  await checkOrder(deps, ctx.actor, id)
  return toPaymentOrder((await selectOrderByNo(deps.db, order.orderNo))!)
}

/** Creates an invoice request for the current month, with a name that the form refuses. Returns its number. */
export async function anInvoiceRequest(
  deps: Deps,
  userId: string,
  { userName = 'A&B 2 (HK) Co., Ltd.', note = '' }: { readonly userName?: string; readonly note?: string } = {},
): Promise<string> {
  const actor = { kind: 'user', id: userId } as const
  const ctx: Ctx = {
    ...deps,
    actor,
    userId,
    sessionId: '',
    lang: DEFAULT_LANG,
    clientType: 1,
    requestId: createId('req'),
    ip: '127.0.0.1',
    userAgent: 'builder',
    tx: undefined,
  }
  const month = toShanghaiDay(deps.clock.now()).slice(0, 7)
  const to = { userName, email: 'books@example.com', country: '', state: '', city: '', addressLine: '', postalCode: '' }
  return (await askInvoice(ctx, { month, agreedFee: '20.00', ...to, note })).requestNo
}

interface TestWithdrawalOptions {
  readonly userId: string
  readonly amount?: string
  /** Null: no account is given. */
  readonly alipay?: string | null
}

/** Requests a withdrawal of fifty dollars, without the password step. Returns its number. */
export async function aWithdrawal(deps: Deps, { userId, amount = '50', alipay = 'wang@example.com' }: TestWithdrawalOptions) {
  const actor = { kind: 'user', id: userId } as const
  return transact(deps.db, actor, async (tx) => {
    const ctx: TxCtx = {
      ...deps,
      actor,
      userId,
      sessionId: '',
      lang: DEFAULT_LANG,
      clientType: 1,
      requestId: createId('req'),
      ip: '127.0.0.1',
      userAgent: 'builder',
      tx,
    }
    const payee = alipay === null ? {} : { alipayIdentity: alipay, alipayRealName: '王小明', identityNumber: '11010519491231002X' }
    const { withdrawalNo } = await balanceRefund(ctx, { ...payee, payPassword: '000000', amount })
    await tx.audit('withdrawal.built', `withdrawal:${withdrawalNo}`)
    return withdrawalNo
  })
}

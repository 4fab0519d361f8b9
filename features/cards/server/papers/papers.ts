import type { Ctx, Handler } from '#platform/server/feature.ts'
import { fail, Failure } from '#platform/shared/errors.ts'
import { addNano, formatUsd } from '#platform/shared/money.ts'
import { toShanghaiDay } from '#platform/shared/time.ts'
import { ORDER_TYPE, orderReceipt, listPaidOrders } from '#features/payments/server/door.ts'
import type { billsContract } from '../../contract-bills.ts'
import { selectBills, selectOpeningBalance, selectStatementMonths, selectBillTotals } from '../bills/data.ts'
import { requireOwnCard } from '../cards/data.ts'
import { chooseBrand } from '#platform/shared/languages.ts'

type C = typeof billsContract
const MAX_ROWS = 20_000

async function listCardOpenings({ db, userId }: Pick<Ctx, 'db' | 'userId'>) {
  const orders = await Promise.all([ORDER_TYPE.OPEN_ACCOUNT, ORDER_TYPE.MULTIPLE_CARD].map((type) => listPaidOrders(db, userId, type)))
  return orders
    .flat()
    .map(({ orderNo, total, paidAt }) => ({ month: toShanghaiDay(paidAt).slice(0, 7), orderNo, amount: formatUsd(total) }))
    .toSorted((a, b) => (a.orderNo < b.orderNo ? 1 : -1))
}

export const openAccountInvoice: Handler<C['openAccountInvoice']> = async (ctx) => {
  const statements = await selectStatementMonths(ctx.db, ctx.userId)
  return {
    opening: await listCardOpenings(ctx),
    statements: statements.map(({ month, cardId, last4, rows }) => ({ month, cardId, last4, rows: Number(rows) })),
  }
}

/** The receipt of the order that paid for the opening. */
export const applyOpenAccountInvoice: Handler<C['applyOpenAccountInvoice']> = async (ctx, { month, orderNo }) => {
  const found = (await listCardOpenings(ctx)).find((each) => each.month === month && (orderNo === undefined || each.orderNo === orderNo))
  if (!found) return fail('CARD_PAPER_NONE')
  try {
    return await orderReceipt(ctx, { orderNo: found.orderNo })
  } catch (error) {
    // A fully refunded order has no receipt.
    if (error instanceof Failure && error.errorName === 'RECEIPT_NOT_READY') return fail('CARD_PAPER_NONE')
    throw error
  }
}

export const applyMonthlyStatementInvoice: Handler<C['applyMonthlyStatementInvoice']> = async (ctx, { month, cardId }) => {
  const named = (await selectStatementMonths(ctx.db, ctx.userId)).filter((each) => each.month === month && (cardId === undefined || each.cardId === cardId))
  if (cardId !== undefined) await requireOwnCard(ctx, cardId)
  const [first] = named
  if (!first) return fail('CARD_PAPER_NONE')
  const card = await requireOwnCard(ctx, first.cardId)
  const filter = { userId: ctx.userId, cardId: card.id, state: 'success', from: `${month}-01`, to: computeLastDay(month) }
  const rows = (await selectBills(ctx.db, filter, { limit: MAX_ROWS, offset: 0 })).toReversed()
  const opening = await selectOpeningBalance(ctx.db, card.id, month)
  const totals = await selectBillTotals(ctx.db, filter)
  const { COMPANY: company, BRAND_NAME: brand, BRAND_NAME_ZH: brandZh, SUPPORT_EMAIL: support } = ctx.config
  const facts = {
    house: { company, brand: chooseBrand(ctx.lang, { brand, brandZh }), support },
    month,
    last4: card.last4,
    holder: card.holder,
    opening: formatUsd(opening),
    closing: formatUsd(addNano(opening, totals.net)),
    came: formatUsd(addNano(totals.recharged, totals.refunded)),
    went: formatUsd(addNano(totals.spent, totals.withdrawn)),
    fees: formatUsd(totals.fees),
    rows,
    issuedAt: ctx.clock.now(),
  }
  const { drawStatement } = await import('./draw-statement.ts')
  return { type: 'application/pdf', filename: `card-${card.last4}-${month}.pdf`, body: await drawStatement(facts, ctx.lang) }
}

function computeLastDay(month: string): string {
  const [year = 0, at = 0] = month.split('-').map(Number)
  return new Date(Date.UTC(year, at, 0)).toISOString().slice(0, 10)
}

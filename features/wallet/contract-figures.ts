import { defineFigures } from '#platform/shared/figures.ts'

/**
 * Every amount of the customer's money on a page, and the call and field it comes from. Pages mark it (`MoneyText figure=`), robots read
 * the mark and compare. In a list, `rowList[]` is the row in which the element stands, in the order of the page.
 */
export const FIGURE_SOURCES = {
  'balance.posted': { call: 'GET /v1/userWrapperApi/balanceInfo', field: 'balance' },

  'funds.opening': { call: 'GET /user/funds', field: 'totals.opening' },
  'funds.topup': { call: 'GET /user/funds', field: 'totals.topup' },
  'funds.refund': { call: 'GET /user/funds', field: 'totals.refund' },
  'funds.reward': { call: 'GET /user/funds', field: 'totals.reward' },
  'funds.spend': { call: 'GET /user/funds', field: 'totals.spend' },
  'funds.card': { call: 'GET /user/funds', field: 'totals.card' },
  'funds.withdraw': { call: 'GET /user/funds', field: 'totals.withdraw' },
  'funds.closing': { call: 'GET /user/funds', field: 'totals.closing' },
  'funds.sum': { call: 'GET /user/funds', field: 'sum' },
  'funds.row.amount': { call: 'GET /user/funds', field: 'rowList[].amount' },
  'funds.row.balance': { call: 'GET /user/funds', field: 'rowList[].balance' },

  'overview.added': { call: 'GET /user/fundsSummary', field: 'added' },
  'overview.spent': { call: 'GET /user/fundsSummary', field: 'spent' },
  'overview.month': { call: 'GET /user/fundsSummary', field: 'monthSpent' },
  'overview.out': { call: 'GET /user/fundsSummary', field: 'out' },
  'overview.chargeback': { call: 'GET /user/fundsSummary', field: 'chargeback' },
  'overview.balance': { call: 'GET /user/fundsSummary', field: 'balance' },

  'usage.total': { call: 'GET /user/usage', field: 'totals.consumeAmount' },
  'usage.series.total': { call: 'GET /user/usage/series', field: 'totals.consumeAmount' },
  'usage.row.amount': { call: 'GET /user/usage', field: 'rowList[].consumeAmount' },
  'requests.row.amount': { call: 'GET /user/usage/calls', field: 'rowList[].amount' },
  'keys.sum': { call: 'GET /user/key/spend', field: 'sum of keys[].consumeAmount' },
  'key.days30': { call: 'GET /user/key/spend', field: 'keys[].consumeAmount' },

  'orders.row.amount': { call: 'GET /v1/pay/orderList', field: 'rowList[].amount' },
  'order.price': { call: 'GET /v1/pay/orderDetail', field: 'order.amount - order.deposit' },
  'order.deposit': { call: 'GET /v1/pay/orderDetail', field: 'order.deposit' },
  'withdrawals.row.amount': { call: 'GET /v1/userWrapperApi/withdrawalList', field: 'rowList[].amount' },
  'withdrawal.amount': { call: 'GET /v1/userWrapperApi/withdrawalDetail', field: 'amount' },

  'card.available': { call: 'GET /card/list', field: 'rowList[].available' },
} as const

export const FIGURES = defineFigures(FIGURE_SOURCES)

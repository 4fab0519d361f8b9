import type { Page } from 'playwright-core'
import type { ReplyOf } from '#platform/shared/contract.ts'
import { mockContract } from '#platform/testing/page-mock.ts'
import { sampleReply } from '#platform/testing/sample-reply.ts'
import { billsContract, type BillRow } from '#features/cards/contract-bills.ts'
import { cardRow } from '#features/cards/contract-card.ts'
import { cardsContract, type CardRow } from '#features/cards/contract.ts'

// Cards with awkward data: long and short names, odd amounts, every state. The pages' requests are answered with these.

const ID = 'card_4829aaaaaaaaaaaa'

export function aCardRow(change: Partial<CardRow> = {}): CardRow {
  return sampleReply(cardRow, {
    id: ID,
    platform: 4,
    type: 'standard',
    state: 'active',
    bin: '400000',
    last4: '4829',
    cardNo: '400000······',
    holder: 'OUYANG XIUWEN',
    expiry: '11/28',
    validUntil: '2028-11-30T16:00:00Z',
    createdTime: '2026-11-12T08:00:00Z',
    openedTime: '2026-11-12T08:07:00Z',
    available: '38.62',
    balance: '58.62',
    reserved: '20',
    totalSpent: '412.35',
    totalRecharged: '480',
    monthSpent: '412.35',
    monthlyLimit: '3000',
    monthResets: '2026-11-30T16:00:00Z',
    refusals: { inRow: 2, closesAt: 10, rate: 0.091, rateClosesAt: 0.2, rateCounted: true },
    billingAddress: { line1: '8200 Demo St', line2: 'Suite 410B', city: 'Portland', state: 'OR', postalCode: '97204', country: 'US' },
    canChangeAddress: true,
    goodFor: ['chatgpt', 'claude', 'cursor', 'midjourney'],
    notFor: ['netflix'],
    ...change,
  })
}

export const proCard = aCardRow({
  id: 'card_0716bbbbbbbbbbbb',
  type: 'pro',
  last4: '0716',
  holder: 'WOLFESCHLEGELSTEINHAUSENBERGERDORFF ALEXANDRA-CHRISTINA',
  expiry: '01/30',
  available: '1204.0004',
  balance: '1204.0004',
  reserved: '0',
  monthSpent: '2712.9',
  refusals: { inRow: 0, closesAt: 10, rate: 0, rateClosesAt: 0.2, rateCounted: false },
  goodFor: ['netflix'],
  notFor: ['chatgpt'],
})

export const riskFrozenCard = aCardRow({
  state: 'frozen',
  frozenBy: 'risk',
  available: '-3.4',
  balance: '-3.4',
  reserved: '0',
  owed: '3.4',
  warnings: [{ name: 'owed', facts: { amount: '3.4' } }],
})
export const nearClosingCard = aCardRow({
  holder: 'WU YI',
  refusals: { inRow: 8, closesAt: 10, rate: 0.182, rateClosesAt: 0.2, rateCounted: true },
  monthSpent: '2871.4',
  warnings: [
    { name: 'refusals', facts: { count: '8', left: '2', merchant: 'X CORP. PAID FEATURES', missing: '356.38' } },
    { name: 'expiring', facts: { until: '2026-12-20T16:00:00Z' } },
  ],
})
export const newCard = aCardRow({
  needsFirstRecharge: true,
  available: '0',
  balance: '0',
  reserved: '0',
  monthSpent: '0',
  monthlyLimit: '100',
  refusals: { inRow: 0, closesAt: 10, rate: 0, rateClosesAt: 0.2, rateCounted: false },
})
export const pendingCard = aCardRow({
  state: 'opening',
  last4: '',
  bin: '',
  cardNo: '',
  expiry: '',
  available: '0',
  balance: '0',
  reserved: '0',
  openedTime: null,
  validUntil: null,
})
export const failedCard = aCardRow({
  ...pendingCard,
  state: 'failed',
  failReason: 'name',
  failure: { moneyBack: { amount: '14.99', goesTo: 'balance', isDone: true }, next: 'correct' },
})
export const closedCard = aCardRow({
  state: 'closed',
  closeReason: 'refusals',
  available: '0',
  balance: '0',
  reserved: '0',
  warnings: [{ name: 'returned', facts: { amount: '38.62' } }],
})

const bill = (id: number, change: Partial<BillRow>): BillRow => ({
  id: `bill_${String(id).padStart(4, '0')}`,
  cardId: ID,
  last4: '4829',
  time: new Date(Date.parse('2026-11-22T12:16:00Z') - id * 7_412_345).toISOString(),
  kind: 'purchase',
  merchant: '',
  place: '',
  country: 'US',
  amount: '-20',
  local: null,
  fee: '0',
  feeKind: null,
  status: 'success',
  reason: '',
  missing: null,
  balanceAfter: null,
  method: '',
  orderNo: null,
  disputable: false,
  dispute: null,
  ...change,
})

export const mockedBills: readonly BillRow[] = [
  bill(0, { merchant: 'X CORP. PAID FEATURES', amount: '-395', status: 'fail', reason: 'insufficient_funds', missing: '356.38' }),
  bill(1, { merchant: 'X CORP. PAID FEATURES', amount: '-395', status: 'fail', reason: 'insufficient_funds', missing: '356.38' }),
  bill(2, { merchant: 'OPENAI *CHATGPT SUBSCR', amount: '-20', status: 'processing' }),
  bill(3, { kind: 'recharge', amount: '40', method: '1', orderNo: '20261121-8F31A0B2P9CT', balanceAfter: '58.62', country: '' }),
  bill(4, { merchant: 'MIDJOURNEY INC.', place: 'SOUTH SAN FRAN CA', amount: '-10', balanceAfter: '18.62', disputable: true }),
  bill(5, {
    merchant: 'JETBRAINS S.R.O.',
    place: 'PRAHA CZ',
    country: 'CZ',
    amount: '-8.9',
    fee: '-0.09',
    feeKind: 'abroad',
    local: { amount: '210.00', currency: 'CZK' },
    balanceAfter: '28.62',
    disputable: true,
    dispute: {
      id: 'dsp_1',
      state: 'submitted',
      reason: 'duplicate',
      words: '同一天扣了两次，11 月 15 日 22:40 和 22:41。\n客服说已经退了一笔，但一直没有到。',
      amount: '8.9',
      createdTime: '2026-11-16T02:00:00Z',
      submittedTime: '2026-11-16T03:20:00Z',
      finishedTime: null,
      credited: false,
    },
  }),
  bill(6, { merchant: 'CURSOR, AI POWERED IDE', kind: 'refund', amount: '20', fee: '-0.4', feeKind: 'refund', balanceAfter: '37.61' }),
  bill(7, { merchant: 'AMZN MKTP US*2K4LONGNAMETHATNEVERENDSANDHASNOSPACES', place: 'Amzn.com/bill WA', amount: '-0.0004', status: 'reversed' }),
  bill(8, { kind: 'withdrawal', amount: '-12.5', balanceAfter: '18.01', country: '', method: '5' }),
  bill(9, { kind: 'activation', amount: '-1', balanceAfter: '30.51', country: '' }),
  bill(10, { kind: 'recharge', amount: '25', method: '5', balanceAfter: '31.51', country: '' }),
]

export const billTotals: ReplyOf<typeof billsContract.transactionTotal> = {
  count: 11,
  recharged: '65',
  withdrawn: '12.5',
  spent: '18.9',
  refunded: '20',
  fees: '1.49',
  held: '20',
  net: '52.11',
}

export interface CardsStage {
  readonly cards?: readonly CardRow[]
  readonly bills?: readonly BillRow[]
  /** The issuer's reveal frame. */
  readonly frameUrl?: string
  readonly codes?: ReplyOf<typeof cardsContract.challenges>['rowList']
  readonly change?: ReplyOf<typeof cardsContract.changeCardStatus>
}

export const cardAmounts: ReplyOf<typeof cardsContract.cardAmount> = {
  openAccount: '11.99',
  multipleCard: '9.99',
  proCard: '19.99',
  riskChange: '9.9',
  renew: '11.99',
  deposit: '3',
  activationFee: '1',
  firstMinimum: '25',
  minimum: '5',
  maximum: '60',
  maximumIdentified: '200',
  monthlyLimit: '100',
  monthlyLimitIdentified: '3000',
  keep: '1',
  feeAbroadPercent: '1',
  feeRefundPercent: '2',
  feeReversal: '1',
  standardYears: 2,
  proYears: 4,
  feeRechargePercent: '3.5',
  membershipYears: 2,
  refusalsClose: 10,
  refusalRate: { percent: 20, days: 30, from: 20 },
  pausedUntil: null,
}

/** Calls made by the page, oldest first, so that tests can check the requests of a press. */
export interface RecordedCalls {
  readonly calls: { readonly name: string; readonly input: unknown }[]
}

/** Mocks all card endpoints; changes are stored, so that a refetch shows them. */
export async function mockCards(page: Page, stage: CardsStage = {}): Promise<RecordedCalls> {
  let cards = [...(stage.cards ?? [aCardRow(), proCard])]
  const rows = stage.bills ?? mockedBills
  const asked: RecordedCalls = { calls: [] }
  const note = <I>(name: string, input: I): I => {
    asked.calls.push({ name, input })
    return input
  }
  const find = (id: string) => cards.find((card) => card.id === id) ?? cards[0] ?? aCardRow()
  const change = (id: string, to: Partial<CardRow>): CardRow => {
    const next = { ...find(id), ...to }
    cards = cards.map((card) => (card.id === id ? next : card))
    return next
  }
  await mockContract(page, cardsContract, {
    cardList: () => ({ rowList: cards }),
    cardInfo: ({ id }) => find(id),
    defaultCard: () => ({ card: cards[0] ?? null }),
    chooseCard: (input) => note('chooseCard', input) && {},
    cardAmount: cardAmounts,
    opening: () => ({
      status: 0,
      orderType: 1,
      price: '11.99',
      deposit: '0',
      total: '11.99',
      orderNo: null,
      refused: null,
      paid: null,
      card: null,
      member: { until: null, freeRequests: null },
      pausedUntil: null,
    }),
    frozen: (input) => change(note('frozen', input).id, { state: 'frozen', frozenBy: 'user' }),
    unFrozen: (input) => change(note('unFrozen', input).id, { state: 'active', frozenBy: null }),
    warning: (input) => {
      for (const id of note('warning', input).idList) change(id, { warnings: [] })
      return {}
    },
    cardPrivacyInfo: (input) => {
      note('cardPrivacyInfo', { id: input.id })
      return { form: 'frame' as const, url: stage.frameUrl ?? 'about:blank', expiresTime: new Date(Date.now() + 60_000).toISOString() }
    },
    changeCardStatus: () => stage.change ?? { status: 'idle' as const, newCard: null, amount: '0' },
    changeCard: (input) => note('changeCard', input) && { changeId: 'chg_1' },
    closeCard: (input) => change(note('closeCard', input).id, { state: 'closed', closeReason: input.reason }),
    rechargeBounds: ({ id }) =>
      find(id).needsFirstRecharge
        ? { min: '25', max: '60', presets: ['25', '40', '60'], activationFee: '1', monthLeft: null }
        : { min: '5', max: '200', presets: ['20', '25', '40'], activationFee: '0', monthLeft: null },
    cardRecharge: (input) => {
      note('cardRecharge', input)
      const card = change(input.cardId, { needsFirstRecharge: false })
      return { rechargeId: 'rch_1', state: 'done' as const, amount: input.amount, activationFee: '0', card }
    },
    cardWithdrawal: (input) => ({ withdrawalId: 'wdr_1', state: 'done' as const, amount: note('cardWithdrawal', input).amount, card: find(input.cardId) }),
    cardUnfreeze: () => ({ orderType: 12, amount: '5' }),
    cardOutstanding: () => ({ orderType: 13, amount: '3.4' }),
    cardChange: () => ({ orderType: 14, amount: '9.9' }),
    cardRenewal: () => ({ orderType: 15, amount: '11.99', validUntil: '2030-11-30T16:00:00Z' }),
    challenges: () => ({ rowList: [...(stage.codes ?? [])] }),
  })
  await mockContract(page, billsContract, {
    transactionList: (input) => {
      const fitting = rows.filter(
        (row) =>
          (!input.kind || row.kind === input.kind) &&
          (!input.state || row.status === input.state) &&
          (!input.merchant || row.merchant.includes(input.merchant)),
      )
      const from = (input.pageNum - 1) * input.pageSize
      return {
        rowList: fitting.slice(from, from + input.pageSize),
        pageNum: input.pageNum,
        pageSize: input.pageSize,
        totalPage: Math.max(1, Math.ceil(fitting.length / input.pageSize)),
        totalRecord: fitting.length,
      }
    },
    transactionTotal: rows.length
      ? billTotals
      : { ...billTotals, count: 0, recharged: '0', withdrawn: '0', spent: '0', refunded: '0', fees: '0', held: '0', net: '0' },
    transactionInfo: ({ id }) => {
      const row = rows.find((one) => one.id === id) ?? rows[0]!
      const done =
        row.status === 'fail'
          ? [{ at: row.time, event: 'declined', amount: row.amount.replace('-', '') }]
          : [{ at: row.time, event: 'authorized', amount: row.amount.replace('-', '') }]
      const posted =
        row.status === 'success'
          ? [{ at: new Date(Date.parse(row.time) + 93_600_000).toISOString(), event: 'captured', amount: row.amount.replace('-', '') }]
          : []
      return { ...row, steps: [...done, ...posted] }
    },
    openAccountInvoice: {
      opening: [{ month: '2026-11', orderNo: '20261112-8F31A0B2C4D6', amount: '11.99' }],
      statements: [
        { month: '2026-11', cardId: ID, last4: '4829', rows: 11 },
        { month: '2026-11', cardId: proCard.id, last4: '0716', rows: 132 },
      ],
    },
    disputeBill: (input) => {
      note('disputeBill', input)
      return {
        id: 'dsp_2',
        state: 'draft' as const,
        reason: input.reason,
        words: input.words,
        amount: '10',
        createdTime: new Date().toISOString(),
        submittedTime: null,
        finishedTime: null,
        credited: false,
      }
    },
    disputeList: { rowList: [], pageNum: 1, pageSize: 20, totalPage: 1, totalRecord: 0 },
  })
  return asked
}

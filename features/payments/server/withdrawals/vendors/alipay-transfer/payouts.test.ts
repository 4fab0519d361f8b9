import { inspect } from 'node:util'
import { afterAll, describe, expect, test } from 'vitest'
import { FAULTS } from '#stand-ins/kit/server.ts'
import { aSupplierTools } from '#platform/testing/http.ts'
import { ALIPAY_FIGURES, startAlipayTransfers } from '#stand-ins/alipay/index.ts'
import { alipayTransfer } from './index.ts'
import { definePayoutSuite } from '../../../testing/payout-suite.ts'
import type { FakePayoutOutcome } from '../../../testing/payout-suite.ts'
import type { PayoutCall } from '../port.ts'

const fake = await startAlipayTransfers()
afterAll(() => fake.http.close())
const payout = alipayTransfer.connect(fake.env)!
const tools = aSupplierTools()
let made = 0
const call = (): PayoutCall => ({
  payoutNo: `W20261121-${String(++made).padStart(12, '0')}`,
  minor: 35615n,
  account: 'wang@example.com',
  name: '王小明',
  identityNumber: '11010519491231002X',
  title: 'Mingxi',
})
const theirs = (no: string) => no.replaceAll('-', '_')

test('a transfer is signed with certificates, arrives once, and says so when asked', async () => {
  const one = call()
  const fact = await payout.send(tools, one)
  expect(fact.status).toBe('paid')
  expect(await payout.send(tools, one)).toEqual(fact)
  expect(await payout.query(tools, one.payoutNo)).toEqual(fact)
  expect(fake.book.get(theirs(one.payoutNo))).toMatchObject({ amount: '356.15', identity: 'wang@example.com', name: '王小明' })
  expect(fake.book.size).toBe(1)
  expect(await payout.query(tools, 'W20261121-ZZZZZZZZZZZZ')).toEqual({ status: 'not_found' })
})

test('the smallest payout is the one that Alipay takes', async () => {
  expect(payout.minMinor).toBe(BigInt(ALIPAY_FIGURES.transferLeastFen.value))
  expect((await payout.send(tools, { ...call(), minor: payout.minMinor })).status).toBe('paid')
  expect((await payout.send(tools, { ...call(), minor: payout.minMinor - 1n })).status).toBe('refused')
})

describe('a call without a clear answer', () => {
  test.each(FAULTS.filter((fault) => !fault.startsWith('hang')))('%s: unknown, then found, never a second transfer', async (fault) => {
    const one = call()
    const before = fake.book.size
    // More than once: the SDK resends requests of a lost connection, under the same number.
    fake.http.misbehave(fault, 9)
    const error = await payout.send(tools, one).then(
      () => undefined,
      (thrown: unknown) => thrown,
    )
    fake.http.behave()
    expect(error).toBeInstanceOf(Error)
    for (const secret of [...fake.secrets, one.identityNumber, one.account, one.name]) expect(inspect(error, { depth: 9 })).not.toContain(secret)
    const asked = await payout.query(tools, one.payoutNo)
    if (asked.status === 'not_found') expect((await payout.send(tools, one)).status).toBe('paid')
    else expect(asked.status).toBe('paid')
    expect(fake.book.size).toBe(before + 1)
  })
})

test.each([
  ['PAYEE_USER_INFO_ERROR', { status: 'refused', reason: 'name' }],
  ['PAYEE_NOT_EXIST', { status: 'refused', reason: 'account' }],
  ['EXCEED_LIMIT_MM_AMOUNT', { status: 'refused', reason: 'limit' }],
  ['PAYER_BALANCE_NOT_ENOUGH', { status: 'held', why: 'PAYER_BALANCE_NOT_ENOUGH' }],
  ['BALANCE_IS_NOT_ENOUGH', { status: 'held', why: 'BALANCE_IS_NOT_ENOUGH' }],
  ['SECURITY_CHECK_FAILED', { status: 'refused', reason: 'refused' }],
])('%s maps to its outcome', async (code, fact) => {
  fake.refuseNext(code)
  expect(await payout.send(tools, call())).toEqual(fact)
})

test.each([
  // The number was used before, with other facts: that transfer may have arrived.
  ['PAYMENT_INFO_INCONSISTENCY', { kind: 'unknown' }],
  ['A_CODE_OF_TOMORROW', { kind: 'unknown' }],
  ['isv.app-unauthorized', { kind: 'retryable', ours: true }],
])('%s is no refusal', async (code, failed) => {
  fake.refuseNext(code)
  const one = call()
  await expect(payout.send(tools, one)).rejects.toMatchObject(failed)
  expect(await payout.query(tools, one.payoutNo)).toEqual({ status: 'not_found' })
})

test('a payout that the bank sends back after it arrived is reported as returned', async () => {
  const one = call()
  fake.dealNext()
  expect((await payout.send(tools, one)).status).toBe('pending')
  const row = fake.book.get(theirs(one.payoutNo))!
  row.status = 'SUCCESS'
  expect((await payout.query(tools, one.payoutNo)).status).toBe('paid')
  row.status = 'REFUND'
  expect((await payout.query(tools, one.payoutNo)).status).toBe('returned')
})

test('missing credentials switch payouts off, and incomplete or wrong ones are an error that repeats nothing of them', () => {
  expect(alipayTransfer.connect({})).toBeUndefined()
  expect(() => alipayTransfer.connect({ ALIPAY_PAYOUT_APP_ID: '2021000118669999' })).toThrow('ALIPAY_PAYOUT_PRIVATE_KEY')
  try {
    alipayTransfer.connect({ ...fake.env, ALIPAY_PAYOUT_PRIVATE_KEY: 'not-a-key' })
    expect.unreachable()
  } catch (error) {
    expect((error as Error).message).not.toContain('not-a-key')
  }
})

const CODES: Readonly<Partial<Record<FakePayoutOutcome, string>>> = {
  account: 'PAYEE_NOT_EXIST',
  name: 'PAYEE_USER_INFO_ERROR',
  limit: 'EXCEED_LIMIT_MM_AMOUNT',
  held: 'PAYER_BALANCE_NOT_ENOUGH',
}
const STATES = { paid: 'SUCCESS', refused: 'FAIL', returned: 'REFUND' } as const

definePayoutSuite('Alipay transfer', async () => ({
  payout,
  tools,
  arrange: (fate) => {
    const code = CODES[fate]
    if (code) fake.refuseNext(code)
    if (fate === 'pending') fake.dealNext()
    // More than once: the SDK resends requests of a lost connection.
    if (fate === 'lost-before') fake.http.misbehave('reset-before', 9)
    if (fate === 'lost-after') fake.http.misbehave('reset-after', 9)
    return 'wang@example.com'
  },
  mend: () => fake.http.behave(),
  turn: async (payoutNo, end) => {
    fake.book.get(theirs(payoutNo))!.status = STATES[end]
  },
  book: async (payoutNo) => {
    const row = fake.book.get(theirs(payoutNo))
    return row ? [BigInt(row.amount.replace('.', ''))] : []
  },
}))

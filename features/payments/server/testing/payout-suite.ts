import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createRandomCode } from '#platform/shared/ids.ts'
import type { Payout, PayoutCall, SupplierTools } from '../withdrawals/vendors/port.ts'

/** Outcomes that a fake company can give the next payout. */
export type FakePayoutOutcome = 'paid' | 'pending' | 'account' | 'name' | 'limit' | 'held' | 'lost-before' | 'lost-after'

/** Fake payout company with its own book. */
export interface PayoutCompany {
  readonly payout: Payout
  readonly tools: SupplierTools
  /** Sets the next payout's outcome; returns the account to send it to. */
  readonly arrange: (fate: FakePayoutOutcome) => string
  /** Restores normal answers. */
  readonly mend: () => void
  /** Sets the later outcome of a payout. */
  readonly turn: (payoutNo: string, end: 'paid' | 'refused' | 'returned') => Promise<void>
  /** Amounts in fen of every payout under a number. */
  readonly book: (payoutNo: string) => Promise<bigint[]>
  readonly close?: () => Promise<void>
}

/** Contract tests for payout vendors (money.md X2): one number is one payout, even if the answer is lost. */
export function definePayoutSuite(name: string, make: () => Promise<PayoutCompany>): void {
  describe(`${name}: the suite of payouts`, () => {
    let company: PayoutCompany
    beforeAll(async () => {
      company = await make()
    })
    afterAll(() => company.close?.())

    const call = (fate: FakePayoutOutcome): PayoutCall => ({
      payoutNo: `W20261121-${createRandomCode(12)}`,
      minor: 35_615n,
      account: company.arrange(fate),
      name: '王小明',
      identityNumber: '11010519491231002X',
      title: 'Mingxi',
    })
    const send = (one: PayoutCall) => company.payout.send(company.tools, one)
    const query = ({ payoutNo }: PayoutCall) => company.payout.query(company.tools, payoutNo)

    test('a payout arrives, says so when queried, and is made once however often it is sent, in turn or at once', async () => {
      const one = call('paid')
      expect(await query(one)).toEqual({ status: 'not_found' })
      const fact = await send(one)
      expect(fact.status).toBe('paid')
      for (let again = 0; again < 3; again++) expect(await send(one)).toEqual(fact)
      expect(new Set((await Promise.all(Array.from({ length: 8 }, () => send(one)))).map(({ status }) => status))).toEqual(new Set(['paid']))
      expect([await query(one), await company.book(one.payoutNo)]).toEqual([fact, [35_615n]])
    })

    test.each(['lost-before', 'lost-after'] as const)('%s: a payout throws, never refuses, is paid once in the end', async (fate) => {
      for (let round = 0; round < 10; round++) {
        const one = call(fate)
        await expect(send(one)).rejects.toThrow()
        company.mend()
        expect(await company.book(one.payoutNo)).toHaveLength(fate === 'lost-before' ? 0 : 1)
        const asked = await query(one)
        expect(asked.status).toBe(fate === 'lost-before' ? 'not_found' : 'paid')
        if (asked.status === 'not_found') expect((await send(one)).status).toBe('paid')
        expect(await company.book(one.payoutNo)).toEqual([35_615n])
      }
    })

    test.each(['account', 'name', 'limit'] as const)('a payout refused for its %s is final, and nothing moved', async (reason) => {
      const one = call(reason)
      expect(await send(one)).toEqual({ status: 'refused', reason })
      expect([await company.book(one.payoutNo), await query(one)]).toEqual([[], { status: 'not_found' }])
    })

    test('a payout held for a reason of ours is not refused, and the same number arrives later', async () => {
      const one = call('held')
      expect((await send(one)).status).toBe('held')
      expect(await company.book(one.payoutNo)).toEqual([])
      let fact = await send(one)
      for (let again = 0; again < 3 && fact.status === 'held'; again++) fact = await send(one)
      expect([fact.status, await company.book(one.payoutNo)]).toEqual(['paid', [35_615n]])
    })

    test('a payout under way ends as paid or refused, and a paid one may be returned', async () => {
      for (const end of ['paid', 'refused'] as const) {
        const one = call('pending')
        expect([(await send(one)).status, (await query(one)).status, (await send(one)).status]).toEqual(['pending', 'pending', 'pending'])
        await company.turn(one.payoutNo, end)
        expect((await query(one)).status).toBe(end)
        if (end === 'refused') continue
        await company.turn(one.payoutNo, 'returned')
        expect((await query(one)).status).toBe('returned')
        expect((await send(one)).status).toBe('returned')
      }
    })
  })
}

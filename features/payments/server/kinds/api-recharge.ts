import { fail } from '#platform/shared/errors.ts'
import { minNano } from '#platform/shared/money.ts'
import { readBalance, postTransaction, systemAccount, readUnspentCredit, userAccount } from '#features/wallet/server/door.ts'
import { ORDER_TYPE } from '../../words.ts'
import { checkAmount } from './bounds.ts'
import type { OrderKind } from './port.ts'

/** Order type that tops up the API balance. The payment's own booking credits it. */
export const apiRecharge: OrderKind = {
  orderType: ORDER_TYPE.OPENAI_API,
  earns: 'credit',
  amounts: 'chosen',
  price: async (_deps, _userId, { wish: { amount }, bounds }) => {
    if (amount === undefined) return fail('BAD_INPUT', { fields: ['amount'] })
    checkAmount(amount, bounds)
    return amount
  },
  fulfil: async () => 'done',
  /** Revokes the top-up's bonus, as far as it is unspent (R6). */
  undo: async (tx, { orderNo, userId }, { ref }) => {
    const { granted } = await readUnspentCredit(tx, userId, { orderRef: orderNo })
    const amount = minNano(granted, (await readBalance(tx, userId)).available)
    if (amount <= 0n) return
    const take = { kind: 'granted', orderRef: orderNo } as const
    await postTransaction(tx, { kind: 'bonus.revoked', ref, legs: [{ from: userAccount(userId), to: systemAccount('grants'), amount, take }] })
  },
}

import { keepMarks, markOf } from '#features/risk/server/door.ts'
import type { Ctx } from '#platform/server/feature.ts'
import { keyThatMade } from '#platform/server/sealing/seal.ts'
import type { Tx } from '#platform/server/database/transact.ts'
import { fail } from '#platform/shared/errors.ts'
import { randomCode } from '#platform/shared/ids.ts'
import { parseUsd, toMinorUnitsDown, usd } from '#platform/shared/money.ts'
import type { Nano } from '#platform/shared/money.ts'
import { shanghaiDay } from '#platform/shared/time.ts'
import { digestOf, masked, NO_ACCOUNT, sealAccount, unsealAccount } from './account-seal.ts'
import { coolOffEnd } from './cool-off.ts'
import { insertWithdrawal } from '../set-aside/data.ts'
import { keepAccount, payoutAccount } from './data-account.ts'
import type { WithdrawalRow } from '../set-aside/data.ts'
import type { AccountRow } from './data-account.ts'
import { tellByMail } from './mails.ts'
import { withdrawApprovalAbove } from './settings.ts'

/** How long one waits for a person before it is given up, and its money is held at most. */
export const PATIENCE_DAYS = 14

/** Payee of a withdrawal: account and name together, or neither to use the stored ones. */
export interface Payee {
  readonly alipayIdentity?: string | undefined
  readonly alipayRealName?: string | undefined
  readonly identityNumber?: string | undefined
}

interface Start {
  readonly amount: Nano
  readonly rate: string
  readonly source: WithdrawalRow['source']
  /** Undefined when channels refund the whole amount. */
  readonly payee: { readonly account: AccountRow; readonly isChanged: boolean } | undefined
}

/** Stores the request and mails it, in the transaction that sets its money aside; no money leaves in this call. */
export async function startWithdrawal(ctx: Ctx, tx: Tx, { amount, rate, source, payee }: Start): Promise<WithdrawalRow> {
  const withdrawalNo = `W${shanghaiDay(ctx.clock.now()).replaceAll('-', '')}-${randomCode(12)}`
  const account = payee?.account
  const payAfter = (account && (await coolOffEnd(ctx, account))) ?? null
  const approving = amount > parseUsd(await ctx.settings.get(withdrawApprovalAbove))
  const plain = account && unsealAccount(ctx.secretKeys, ctx.userId, account.sealed)
  if (plain) await keepMarks(tx, ctx.userId, [markOf(ctx, 'payout', plain.alipay.toLowerCase())], ctx.clock.now())
  const sealed = plain && sealAccount(ctx.secretKey, withdrawalNo, plain)
  const row = await insertWithdrawal(tx, {
    withdrawalNo,
    userId: ctx.userId,
    amount,
    rate,
    payMinor: toMinorUnitsDown(amount, rate),
    state: approving ? 'approving' : 'requested',
    sealed: sealed ?? null,
    shown: account?.shown ?? NO_ACCOUNT,
    payAfter: payAfter && payAfter > ctx.clock.now() ? payAfter : null,
    patienceDays: PATIENCE_DAYS,
    source,
  })
  const accountChanged = payee?.isChanged ?? false
  await tx.audit('withdrawal.requested', `withdrawal:${withdrawalNo}`, { amount: usd(amount), rate, approving, accountChanged, source })
  await tx.emit('withdrawal.requested', { withdrawalNo, userId: ctx.userId, amount: usd(amount), approving, source })
  await tellByMail(ctx, tx, row, account ? 'requested' : 'sourceOnly')
  if (accountChanged) await tellByMail(ctx, tx, row, 'changed')
  return row
}

/** The account named, or the kept one; undefined when there is none. Errors: PAYOUT_ACCOUNT_NEEDED. */
export async function payeeOf(ctx: Ctx, tx: Tx, asked: Payee): Promise<{ account: AccountRow; isChanged: boolean } | undefined> {
  const kept = await payoutAccount(tx, ctx.userId)
  if (asked.alipayIdentity === undefined || asked.alipayRealName === undefined) return kept && { account: kept, isChanged: false }
  const named = { alipay: asked.alipayIdentity, name: asked.alipayRealName }
  if (kept && keyThatMade(ctx.secretKeys, kept.digest, (key) => digestOf(key, ctx.userId, named))) return { account: kept, isChanged: false }
  if (asked.identityNumber === undefined) fail('PAYOUT_ACCOUNT_NEEDED')
  const plain = { ...named, identityNumber: asked.identityNumber }
  const account = await keepAccount(tx, ctx.userId, sealAccount(ctx.secretKey, ctx.userId, plain), digestOf(ctx.secretKey, ctx.userId, named), masked(plain))
  return { account, isChanged: kept !== undefined }
}

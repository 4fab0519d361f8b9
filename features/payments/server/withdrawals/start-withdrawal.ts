import { storeMarks, hashMark } from '#features/risk/server/door.ts'
import type { Ctx } from '#platform/server/feature.ts'
import { findSealingKey } from '#platform/server/sealing/seal.ts'
import type { Tx } from '#platform/server/database/transact.ts'
import { fail } from '#platform/shared/errors.ts'
import { createRandomCode } from '#platform/shared/ids.ts'
import { parseUsd, toMinorUnitsDown, formatUsd } from '#platform/shared/money.ts'
import type { Nano } from '#platform/shared/money.ts'
import { toShanghaiDay } from '#platform/shared/time.ts'
import { computeAccountDigest, maskPayoutAccount, NO_ACCOUNT, sealAccount, unsealAccount } from './account-seal.ts'
import { computeCoolOffEnd } from './eligibility.ts'
import { insertWithdrawal } from '../set-aside/data.ts'
import { storePayoutAccount, selectPayoutAccount } from './data-account.ts'
import type { WithdrawalRow } from '../set-aside/data.ts'
import type { PayoutAccountRow } from './data-account.ts'
import { mailWithdrawalEvent } from './mails.ts'
import { withdrawApprovalAbove } from './settings.ts'

/** Days that a withdrawal waits for a decision before it is rejected, and maximum hold of its money. */
export const DECISION_DAYS = 14

/** Payee of a withdrawal: account and name together, or neither to use the stored ones. */
export interface PayeeInput {
  readonly alipayIdentity?: string | undefined
  readonly alipayRealName?: string | undefined
  readonly identityNumber?: string | undefined
}

interface WithdrawalInput {
  readonly amount: Nano
  readonly rate: string
  readonly source: WithdrawalRow['source']
  /** Undefined if channels refund the whole amount. */
  readonly payee: { readonly account: PayoutAccountRow; readonly isChanged: boolean } | undefined
}

/** Stores the request and mails it, in the transaction that sets its money aside; no money leaves in this call. */
export async function startWithdrawal(ctx: Ctx, tx: Tx, { amount, rate, source, payee }: WithdrawalInput): Promise<WithdrawalRow> {
  const withdrawalNo = `W${toShanghaiDay(ctx.clock.now()).replaceAll('-', '')}-${createRandomCode(12)}`
  const account = payee?.account
  const payAfter = (account && (await computeCoolOffEnd(ctx, account))) ?? null
  const approving = amount > parseUsd(await ctx.settings.get(withdrawApprovalAbove))
  const plain = account && unsealAccount(ctx.secretKeys, ctx.userId, account.sealed)
  if (plain) await storeMarks(tx, ctx.userId, { marks: [hashMark(ctx, 'payout', plain.alipay.toLowerCase())], now: ctx.clock.now() })
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
    patienceDays: DECISION_DAYS,
    source,
  })
  const accountChanged = payee?.isChanged ?? false
  await tx.audit('withdrawal.requested', `withdrawal:${withdrawalNo}`, { amount: formatUsd(amount), rate, approving, accountChanged, source })
  await tx.emit('withdrawal.requested', { withdrawalNo, userId: ctx.userId, amount: formatUsd(amount), approving, source })
  await mailWithdrawalEvent(ctx, tx, { row, event: account ? 'requested' : 'sourceOnly' })
  if (accountChanged) await mailWithdrawalEvent(ctx, tx, { row, event: 'changed' })
  return row
}

/** The given account, or the stored one; undefined if there is none. Errors: PAYOUT_ACCOUNT_NEEDED. */
export async function resolvePayee(ctx: Ctx, tx: Tx, asked: PayeeInput): Promise<{ account: PayoutAccountRow; isChanged: boolean } | undefined> {
  const kept = await selectPayoutAccount(tx, ctx.userId)
  if (asked.alipayIdentity === undefined || asked.alipayRealName === undefined) return kept && { account: kept, isChanged: false }
  const named = { alipay: asked.alipayIdentity, name: asked.alipayRealName }
  if (kept && findSealingKey(ctx.secretKeys, kept.digest, (key) => computeAccountDigest(key, ctx.userId, named))) return { account: kept, isChanged: false }
  if (asked.identityNumber === undefined) fail('PAYOUT_ACCOUNT_NEEDED')
  const plain = { ...named, identityNumber: asked.identityNumber }
  const account = await storePayoutAccount(tx, ctx.userId, {
    sealed: sealAccount(ctx.secretKey, ctx.userId, plain),
    digest: computeAccountDigest(ctx.secretKey, ctx.userId, named),
    shown: maskPayoutAccount(plain),
  })
  return { account, isChanged: kept !== undefined }
}

import { crashPoint } from '#platform/server/crash.ts'
import type { Ctx, Handler } from '#platform/server/feature.ts'
import { keyThatMade } from '#platform/server/sealing/seal.ts'
import type { Tx } from '#platform/server/database/transact.ts'
import { fail } from '#platform/shared/errors.ts'
import { randomCode } from '#platform/shared/ids.ts'
import { least, minus, parseUsd, toMinorUnitsDown, usd } from '#platform/shared/money.ts'
import type { Nano } from '#platform/shared/money.ts'
import type { InputOf } from '#platform/shared/contract.ts'
import { shanghaiDay } from '#platform/shared/time.ts'
import { lockActive, requirePayPassword } from '#features/account/server/door.ts'
import { balanceOf, hold } from '#features/wallet/server/door.ts'
import type { withdrawContract } from '../../../contract-withdraw.ts'
import { rateNow } from '../../offer/rate-now.ts'
import { digestOf, masked, NO_ACCOUNT, sealAccount, unsealAccount } from '../account-seal.ts'
import { coolOffEnd } from '../cool-off.ts'
import { insertWithdrawal, keepAccount, lockRequests, payoutAccount } from '../data.ts'
import { tellByMail } from '../mails.ts'
import { HOLD_SECONDS } from '../parts.ts'
import { withdrawApprovalAbove } from '../settings.ts'
import { standingOf } from '../standing.ts'
import { withdrawalView } from '../view.ts'
import { waysOf } from '../ways.ts'

type Asked = InputOf<typeof withdrawContract.balanceRefund>

/** How long one waits for a person before it is given up, and its money is held at most. */
export const PATIENCE_DAYS = 14

/** Holds the money and keeps the account; nothing leaves in this call. */
async function request(ctx: Ctx, asked: Asked) {
  const tx = ctx.tx!
  if (!(await lockActive(tx, ctx.userId))) fail('SESSION_EXPIRED')
  await lockRequests(tx, ctx.userId)
  const standing = await standingOf(ctx, tx)
  if (standing.blocked) fail(standing.blocked, { resumes: standing.resumes ?? '' })
  const amount = asked.amount === undefined ? standing.withdrawable : parseUsd(asked.amount)
  const limited = least(standing.dayLeft, standing.monthLeft)
  if (amount > standing.unlimited || standing.unlimited < standing.min) fail('WITHDRAW_TOO_LARGE', { max: usd(standing.unlimited) })
  if (amount > limited || limited < standing.min) fail('WITHDRAW_LIMIT', { left: usd(limited) })
  if (amount < standing.min) fail('WITHDRAW_TOO_SMALL', { min: usd(standing.min) })
  if (amount > standing.everybodyLeft) fail('WITHDRAW_LIMIT', { left: usd(standing.everybodyLeft) })
  const rate = await rateNow(ctx.settings)
  const { account, isChanged } = (await accountOf(ctx, tx, asked)) ?? (await needNone(ctx, tx, amount, rate))
  const withdrawalNo = `W${shanghaiDay(ctx.clock.now()).replaceAll('-', '')}-${randomCode(12)}`
  const payAfter = (account && (await coolOffEnd(ctx, account))) ?? null
  const approving = amount > parseUsd(await ctx.settings.get(withdrawApprovalAbove))
  const sealed = account && sealAccount(ctx.secretKey, withdrawalNo, unsealAccount(ctx.secretKeys, ctx.userId, account.sealed))
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
  })
  const held = await hold(tx, { id: withdrawalNo, userId: ctx.userId, amount, ttlSeconds: HOLD_SECONDS, purpose: 'withdrawal', onlyPurchased: true })
  if (held.status === 'refused') fail('WITHDRAW_TOO_LARGE', { max: usd(standing.unlimited) })
  // Looked at again with the hold in place, which locks the account: what spent meanwhile must not take what stays.
  const after = await balanceOf(tx, ctx.userId)
  if (minus(after.available, standing.keep) < 0n) fail('WITHDRAW_TOO_LARGE', { max: usd(standing.unlimited) })
  await tx.audit('withdrawal.requested', `withdrawal:${withdrawalNo}`, { amount: usd(amount), rate, approving, accountChanged: isChanged })
  await tx.emit('withdrawal.requested', { withdrawalNo, userId: ctx.userId, amount: usd(amount), approving })
  await tellByMail(ctx, tx, row, account ? 'requested' : 'sourceOnly')
  if (isChanged) await tellByMail(ctx, tx, row, 'changed')
  crashPoint('payments.withdraw-before-commit')
  return withdrawalView(row)
}

/** Whoever gets all of it back the way it came is asked for nothing; what then cannot go back stays in the balance. */
async function needNone(ctx: Ctx, tx: Tx, amount: Nano, rate: string) {
  if ((await waysOf(ctx, tx, ctx.userId, { amount, rate })).transfer !== null) fail('PAYOUT_ACCOUNT_NEEDED')
  return { account: undefined, isChanged: false }
}

/** The account named, or the kept one; undefined when there is none. */
async function accountOf(ctx: Ctx, tx: Tx, asked: Asked) {
  const kept = await payoutAccount(tx, ctx.userId)
  if (asked.alipayIdentity === undefined || asked.alipayRealName === undefined) return kept && { account: kept, isChanged: false }
  const named = { alipay: asked.alipayIdentity, name: asked.alipayRealName }
  if (kept && keyThatMade(ctx.secretKeys, kept.digest, (key) => digestOf(key, ctx.userId, named))) return { account: kept, isChanged: false }
  if (asked.identityNumber === undefined) fail('PAYOUT_ACCOUNT_NEEDED')
  const plain = { ...named, identityNumber: asked.identityNumber }
  const account = await keepAccount(tx, ctx.userId, sealAccount(ctx.secretKey, ctx.userId, plain), digestOf(ctx.secretKey, ctx.userId, named), masked(plain))
  return { account, isChanged: kept !== undefined }
}

export const balanceRefund: Handler<typeof withdrawContract.balanceRefund> = Object.assign(request, {
  before: (ctx: Ctx, { payPassword }: Asked) => requirePayPassword(ctx, ctx.userId, payPassword),
})

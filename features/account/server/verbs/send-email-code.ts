import type { Ctx } from '#platform/server/feature.ts'
import { transact } from '#platform/server/transact.ts'
import type { InputOf, ReplyOf } from '#platform/shared/contract.ts'
import { fail } from '#platform/shared/errors.ts'
import { sendMail } from '#features/notices/server/door.ts'
import { ipSubject, requireAllowed } from '#features/risk/server/door.ts'
import { emailKey } from '../../contract.ts'
import type { accountContract, CodePurpose } from '../../contract.ts'
import { accountTexts } from '../../texts.ts'
import { findByEmail } from '../data.ts'
import type { AccountRow } from '../data.ts'
import { codeMail, noneMail, takenMail } from '../mails.ts'
import { codeRules, codesPerHour, codesPerIpHour, codesPerTargetDay, codesPerTargetHour } from '../settings.ts'
import { maskedTarget } from '../tokens.ts'
import { issueCode } from './issue-code.ts'

type SendEmailCode = typeof accountContract.sendEmailCode

const HOUR = 3600

/**
 * Mails a code. Existing or not, the same rows are written, a mail is ordered and the answer is the same: who asks learns
 * nothing about the account, its owner learns what was asked. A code that cannot be used is made all the same, and kept
 * to ourselves. At most one a minute for a purpose, 5 an hour and 10 a day to an address, 20 an hour from an IP address,
 * and a budget in all; every number is a setting (money.md A1, A5).
 */
export async function sendEmailCode(ctx: Ctx, { email, verifyCodeType: purpose }: InputOf<SendEmailCode>): Promise<ReplyOf<SendEmailCode>> {
  const signedIn = purpose === 'verify' || purpose === 'updateEmail'
  if (signedIn && !ctx.userId) fail('SESSION_EXPIRED')
  const target = emailKey(email)
  const rules = await codeRules(ctx.settings)
  const limits = await limitsOf(ctx, target)
  await transact(ctx.db, ctx.actor, async (tx) => {
    const account = await findByEmail(tx, target)
    const { id, code } = await issueCode(ctx, tx, { purpose, kind: 'email', target, owner: signedIn ? ctx.userId : '' }, rules)
    for (const { bucket, subject, limit, seconds } of limits) await requireAllowed(tx, bucket, subject, limit, seconds, ctx.clock.now())
    const usable = mayUse(purpose, account, ctx.userId)
    await sendMail(ctx, tx, {
      to: target,
      lang: ctx.lang,
      template: usable ? codeMail : account ? takenMail : noneMail,
      values: {
        purpose: accountTexts[ctx.lang][`mail_purpose_${purpose}`],
        ...(usable ? { code, minutes: String(Math.round(rules.liveSeconds / 60)) } : { link: ctx.publicUrl() }),
      },
      dedupe: `account.code:${id}`,
      goodForSeconds: rules.liveSeconds,
    })
    await tx.audit('account.code-asked', `email:${maskedTarget(ctx.secretKey, target)}`, { purpose, ip: ctx.ip })
  })
  return { resendAfterSeconds: rules.resendSeconds, expiresInSeconds: rules.liveSeconds }
}

/** The row that all requests share comes last: it is held the shortest. */
async function limitsOf({ settings, ip }: Ctx, target: string): Promise<{ bucket: string; subject: string; limit: number; seconds: number }[]> {
  return [
    { bucket: 'account.code.hour', subject: target, limit: await settings.get(codesPerTargetHour), seconds: HOUR },
    { bucket: 'account.code.day', subject: target, limit: await settings.get(codesPerTargetDay), seconds: 24 * HOUR },
    { bucket: 'account.code.ip', subject: ipSubject(ip), limit: await settings.get(codesPerIpHour), seconds: HOUR },
    { bucket: 'account.code.all', subject: 'all', limit: await settings.get(codesPerHour), seconds: HOUR },
  ]
}

/** Whether the code could do what it is for: else it is not in the mail. */
function mayUse(purpose: CodePurpose, account: AccountRow | undefined, userId: string): boolean {
  if (purpose === 'login' || purpose === 'updatePassword') return account !== undefined
  if (purpose === 'register') return account === undefined
  return account ? account.user_id === userId : purpose === 'updateEmail'
}

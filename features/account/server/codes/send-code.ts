import type { Ctx, Deps } from '#platform/server/feature.ts'
import { transact, type Tx } from '#platform/server/database/transact.ts'
import { fail } from '#platform/shared/errors.ts'
import { sendMail, sendSms } from '#features/notices/server/door.ts'
import { requireHuman, requireUnblocked, countEventWithin, toBlockSubject, toIpSubject, requireAllowed } from '#features/risk/server/door.ts'
import { CAPTCHA_SCENE, type CodePurpose, type accountContract } from '../../contract.ts'
import { findAccountByTarget, type AccountRow } from '../data.ts'
import { accountMailTexts } from '../mail-texts.ts'
import { codeMail, noAccountMail, emailTakenMail } from '../mails.ts'
import {
  readCodeRules,
  mobileSignIn,
  codesPerBlockHour,
  codesPerHour,
  codesPerIpHour,
  codesPerTargetDay,
  codesPerTargetHour,
  type CodeRules,
} from '../settings.ts'
import { type ContactTarget, toMobileTarget, toContactTarget } from '../target.ts'
import { buildCodeBinding, pseudonymizeTarget } from '../sessions/tokens.ts'
import { issueCode } from './issue-code.ts'
import { countEvent } from '#platform/server/metrics.ts'
import { hasSessionFromIp } from '../sessions/data.ts'
import type { InputOf, ReplyOf } from '#platform/shared/contract.ts'
import type { securityContract } from '../../contract-security.ts'
import { requireUser, maskTarget, listProvenTargets } from '../contacts.ts'

const HOUR = 3600

interface CodeBudgets {
  readonly targetHour: number
  readonly targetDay: number
  readonly ipHour: number
  readonly blockHour: number
  readonly hour: number
}

/** Reads the limits; call it before a transaction begins, like `readCodeRules`. */
async function readCodeBudgets({ settings }: Pick<Deps, 'settings'>): Promise<CodeBudgets> {
  return {
    targetHour: await settings.get(codesPerTargetHour),
    targetDay: await settings.get(codesPerTargetDay),
    ipHour: await settings.get(codesPerIpHour),
    blockHour: await settings.get(codesPerBlockHour),
    hour: await settings.get(codesPerHour),
  }
}

/**
 * Counts a code before it is sent; throws TOO_MANY. Limits apply per target, address, network block and in total. Requests from a known
 * address of the account, or from its signed-in user, use a separate budget per target and ignore the total, so strangers cannot lock known
 * users out. All others get the same error with or without an account.
 */
async function countCode(
  ctx: Ctx,
  tx: Tx,
  { target, account, budgets }: { readonly target: string; readonly account: AccountRow | undefined; readonly budgets: CodeBudgets },
): Promise<void> {
  const now = ctx.clock.now()
  const isOwner = ctx.userId !== '' && account?.userId === ctx.userId
  const isKnown = (await hasSessionFromIp(tx, account?.userId, ctx.ip)) || isOwner
  const of = isKnown ? 'account.code.known' : 'account.code'
  await requireAllowed(tx, `${of}.hour`, { subject: target, limit: budgets.targetHour, windowSeconds: HOUR, now })
  await requireAllowed(tx, `${of}.day`, { subject: target, limit: budgets.targetDay, windowSeconds: 24 * HOUR, now })
  await requireAllowed(tx, 'account.code.ip', { subject: toIpSubject(ctx.ip), limit: budgets.ipHour, windowSeconds: HOUR, now })
  await requireAllowed(tx, 'account.code.block', { subject: toBlockSubject(ctx.ip), limit: budgets.blockHour, windowSeconds: HOUR, now })
  // The row shared by all requests is updated last, so it is locked for the shortest time.
  const { allowed, retryAfterSeconds } = await countEventWithin(tx, 'account.code.all', { subject: 'all', limit: budgets.hour, windowSeconds: HOUR, now })
  if (allowed) return
  countEvent('codes_spent')
  ctx.log.warn({ limit: budgets.hour, ip: ctx.ip, isKnown }, 'the budget of codes in all is spent')
  if (!isKnown) fail('TOO_MANY', { retryAfterSeconds })
}

const MAIL_PURPOSE_TEXT = {
  payPassword: 'mail_purpose_payPassword',
  login: 'mail_purpose_login',
  register: 'mail_purpose_register',
  updatePassword: 'mail_purpose_updatePassword',
  verify: 'mail_purpose_verify',
  updateEmail: 'mail_purpose_updateEmail',
  updateMobile: 'mail_purpose_updateMobile',
  bindMobile: 'mail_purpose_bindMobile',
  deleteAccount: 'mail_purpose_deleteAccount',
  stepUp: 'mail_purpose_stepUp',
} as const

export interface CodeOrder {
  readonly purpose: CodePurpose
  readonly target: ContactTarget
  /** `captchaVerifyParam` of the request. */
  readonly captcha: string | undefined
}
export interface SentCode {
  readonly resendAfterSeconds: number
  readonly expiresInSeconds: number
  /** Returned to the requester: see `issueCode`. */
  readonly ticket: string
}

/**
 * Sends a code. The database rows, the message and the reply are the same with or without an account, so the requester learns nothing about
 * it. Limits: one a minute per purpose, 5 an hour and 10 a day per target, and budgets by requester; every number is a setting
 * (money.md A1, A5). If the code would be useless (`mayUse`), the mail says so and leaves it out. A mobile always gets the code; only a user
 * who enters it learns the outcome.
 */
export async function sendVerificationCode(ctx: Ctx, { purpose, target, captcha }: CodeOrder): Promise<SentCode> {
  if (target.kind === 'mobile' && !(await ctx.settings.get(mobileSignIn))) fail('UNAVAILABLE')
  // blocked requesters get no code
  await requireUnblocked(ctx, purpose === 'register' && target.kind === 'email' ? target.subject : undefined)
  await requireHuman(ctx, { scene: CAPTCHA_SCENE[purpose], param: captcha, ip: ctx.ip })
  const rules = await readCodeRules(ctx.settings)
  const budgets = await readCodeBudgets(ctx)
  // no permission check: use of the code decides what it can do
  const ticket = await transact(ctx.db, ctx.actor, async (tx) => {
    const account = await findAccountByTarget(tx, target)
    const issued = await issueCode(ctx, tx, { use: buildCodeBinding(purpose, target, ctx.userId), rules })
    await countCode(ctx, tx, { target: target.subject, account, budgets })
    await tx.audit('account.code-asked', pseudonymizeTarget(ctx.secretKey, target), { purpose, ip: ctx.ip })
    if (target.kind === 'mobile') await textCode(ctx, tx, { code: { purpose, target, ...issued }, rules })
    else await mailCode(ctx, tx, { code: { purpose, target, ...issued }, account, rules })
    return issued.ticket
  })
  return { resendAfterSeconds: rules.resendSeconds, expiresInSeconds: rules.liveSeconds, ticket }
}

interface IssuedCode {
  readonly purpose: CodePurpose
  readonly target: ContactTarget
  readonly id: string
  readonly code: string
}

async function mailCode(
  ctx: Ctx,
  tx: Tx,
  { code: { purpose, target, id, code }, account, rules }: { readonly code: IssuedCode; readonly account: AccountRow | undefined; readonly rules: CodeRules },
): Promise<void> {
  const usable = canUseCode(purpose, account, ctx.userId)
  await sendMail(ctx, tx, {
    to: target.subject,
    lang: ctx.lang,
    template: usable ? codeMail : account ? emailTakenMail : noAccountMail,
    values: {
      purpose: accountMailTexts[ctx.lang][MAIL_PURPOSE_TEXT[purpose]],
      ...(usable ? { code, minutes: String(Math.round(rules.liveSeconds / 60)) } : { link: ctx.siteUrl() }),
    },
    dedupe: `account.code:${id}`,
    goodForSeconds: rules.liveSeconds,
  })
}

/** The texts of a purpose come from `notices`. */
const SMS_PURPOSES: Partial<Record<CodePurpose, string>> = { bindMobile: 'bind', stepUp: 'verify' }

async function textCode(
  ctx: Ctx,
  tx: Tx,
  { code: { purpose, target, id, code }, rules }: { readonly code: IssuedCode; readonly rules: CodeRules },
): Promise<void> {
  await sendSms(ctx, tx, {
    to: target.subject,
    template: 'code',
    lang: ctx.lang,
    code,
    purpose: SMS_PURPOSES[purpose] ?? purpose,
    dedupe: `account.code:${id}`,
    goodForSeconds: rules.liveSeconds,
  })
}

/** Checks if a mailed code could be used for its purpose; if not, the mail omits it. */
function canUseCode(purpose: CodePurpose, account: AccountRow | undefined, userId: string): boolean {
  if (purpose === 'login' || purpose === 'updatePassword') return account !== undefined
  if (purpose === 'register') return account === undefined
  return account ? account.userId === userId : purpose === 'updateEmail'
}

/** Endpoints that send a code of one purpose to the mobile in their path. */
export function sendMobileCode(purpose: CodePurpose) {
  return (ctx: Ctx, { x, captchaVerifyParam }: InputOf<typeof accountContract.sendLoginCode>): Promise<SentCode> =>
    sendVerificationCode(ctx, { purpose, target: toMobileTarget(x), captcha: captchaVerifyParam })
}

type SendEmailCode = typeof accountContract.sendEmailCode

/** Mails a code to an entered address. `verify` and `updateEmail` require a session, and only its user can use the code. */
export async function sendEmailCode(ctx: Ctx, { email, verifyCodeType, captchaVerifyParam }: InputOf<SendEmailCode>): Promise<ReplyOf<SendEmailCode>> {
  if ((verifyCodeType === 'verify' || verifyCodeType === 'updateEmail') && !ctx.userId) fail('SESSION_EXPIRED')
  return sendVerificationCode(ctx, { purpose: verifyCodeType, target: toContactTarget({ email }), captcha: captchaVerifyParam })
}

/** Sends a code to the new mobile of the signed-in user. If the mobile belongs to another account, only use of the code reveals it. */
export async function sendNewMobileCode(ctx: Ctx, input: InputOf<typeof securityContract.sendNewMobileCode>): Promise<SentCode> {
  if ((await requireUser(ctx.db, ctx.userId)).mobile === input.mobile) fail('MOBILE_SAME')
  return sendVerificationCode(ctx, { purpose: 'bindMobile', target: toMobileTarget(input.mobile), captcha: input.captchaVerifyParam })
}

interface OwnCode {
  readonly purpose: CodePurpose
  readonly by: ContactTarget['kind'] | undefined
  readonly captchaVerifyParam: string | undefined
}

/** Sends a code to one of the user's own verified contacts: the requested one, else the mobile, else the e-mail. */
export async function sendOwnCode(ctx: Ctx, { purpose, by, captchaVerifyParam }: OwnCode): Promise<ReplyOf<typeof securityContract.sendOwnCode>> {
  const target = listProvenTargets(await requireUser(ctx.db, ctx.userId)).find((one) => by === undefined || one.kind === by) ?? fail('NO_CONTACT')
  return { ...(await sendVerificationCode(ctx, { purpose, target, captcha: captchaVerifyParam })), kind: target.kind, sentTo: maskTarget(target) }
}

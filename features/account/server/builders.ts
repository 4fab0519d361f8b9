import type { Ctx, Deps } from '#platform/server/feature.ts'
import type { Sql } from '#platform/server/database/db.ts'
import { SYSTEM, transact } from '#platform/server/database/transact.ts'
import { createId, createRandomCode } from '#platform/shared/ids.ts'
import { listSandboxMails, listSandboxSms } from '#features/notices/server/door.ts'
import { aCaptchaParam } from '#features/risk/server/builders.ts'
import { mobile } from '../contract.ts'
import type { LoginReply } from '../contract.ts'
import { insertUser } from './data.ts'
import { insertPayPassword } from './pay-password/data.ts'
import { insertSession } from './sessions/data.ts'
import { hashPayPassword } from './pay-password/pay-password.ts'
import { authenticateUser } from './sessions/sessions.ts'
import { readCodeRules, gradualUsers } from './settings.ts'
import { toContactTarget } from './target.ts'
import { buildCodeBinding, generateSessionToken, hashToken } from './sessions/tokens.ts'
import { issueCode } from './codes/issue-code.ts'
import { passwordLogin } from './sign-in/login.ts'
import { registerUser } from './sign-in/register.ts'
import { DEFAULT_LANG } from '#platform/shared/languages.ts'

export { freezeAccount, thawAccount } from './freezing/freeze-account.ts'

export interface BuiltSession {
  readonly userId: string
  readonly sessionId: string
  readonly token: string
}
export interface BuiltUser extends BuiltSession {
  readonly email: string
  readonly password: string
}
/** A user registered by mobile, without an e-mail; `mobile` is in wire format. */
export interface BuiltMobileUser extends BuiltSession {
  readonly mobile: string
  readonly password: string | undefined
}

interface UserOptions {
  readonly password?: string
  readonly inviteCode?: string
}

/** A registered, signed-in user with a verified mailbox, or a verified mobile if one is given. Sends nothing. */
export function aUser(deps: Deps, wish: UserOptions & { readonly mobile: string }): Promise<BuiltMobileUser>
export function aUser(deps: Deps, wish?: UserOptions & { readonly email?: string }): Promise<BuiltUser>
export async function aUser(deps: Deps, wish: UserOptions & { email?: string; mobile?: string } = {}): Promise<BuiltUser | BuiltMobileUser> {
  const contact = wish.mobile ? { mobile: mobile.parse(wish.mobile) } : { email: wish.email ?? `user-${createRandomCode(10).toLowerCase()}@example.com` }
  const password = wish.password ?? (wish.mobile ? undefined : `Correct horse ${createRandomCode(6)}`)
  const ctx = buildVisitorCtx(deps)
  const rules = await readCodeRules(deps.settings)
  const { code } = await transact(deps.db, ctx.actor, (tx) => issueCode(ctx, tx, { use: buildCodeBinding('register', toContactTarget(contact), ''), rules }))
  const reply = await registerUser(ctx, { ...contact, password, verifyCode: code, inviteCode: wish.inviteCode })
  const session = await toBuiltSession(deps, reply)
  return wish.mobile ? { ...session, mobile: wish.mobile, password } : { ...session, email: contact.email!, password: password! }
}

/** Another session of a user. */
export async function signInBuiltUser(deps: Deps, user: { readonly email: string; readonly password: string }): Promise<BuiltSession> {
  const captchaVerifyParam = await aCaptchaParam(deps, 'login')
  return toBuiltSession(deps, await passwordLogin(buildVisitorCtx(deps), { email: user.email, password: user.password, captchaVerifyParam }))
}

/** Inserts a bare, signed-in user with this id, for tests that call verbs without HTTP. Returns the session id. */
export async function aSignedInUser(sql: Sql, userId: string): Promise<string> {
  const now = new Date()
  const id = `ses_${userId}`
  await insertUser(sql, { id: userId, passwordHash: undefined, language: DEFAULT_LANG, inviteCode: undefined, now })
  await insertSession(sql, {
    id,
    hash: hashToken(generateSessionToken()),
    userId,
    ip: '127.0.0.1',
    userAgent: 'builder',
    now,
    expiresAt: new Date(now.getTime() + 86_400_000),
  })
  return id
}

let mobileCount = 0

/** An unused mainland mobile number, in wire format. */
export function aMobile(): string {
  return `139${String(10_000_000 + ((++mobileCount * 7919) % 89_999_999))}`
}

/** Sets a payment password as if the user had done so with a code. */
export async function aPayPassword(deps: Deps, userId: string, password: string): Promise<void> {
  await insertPayPassword(deps.db, userId, { hash: await hashPayPassword(deps, userId, password), now: deps.clock.now() })
}

async function toBuiltSession(deps: Deps, { token }: LoginReply): Promise<BuiltSession> {
  const session = await authenticateUser(deps, token, { ip: '127.0.0.1', userAgent: 'builder' })
  return { ...session!, token }
}

function buildVisitorCtx(deps: Deps): Ctx {
  return {
    ...deps,
    actor: { kind: 'anonymous', id: 'anonymous' },
    userId: '',
    sessionId: '',
    lang: DEFAULT_LANG,
    clientType: 1,
    requestId: createId('req'),
    ip: '127.0.0.1',
    userAgent: 'builder',
    tx: undefined,
  }
}

/** The newest code mailed to an address, read from the sandbox mailbox. */
export async function readMailedCode(deps: Deps, email: string): Promise<string> {
  const code = (await listSandboxMails(deps.db, email)).find((mail) => mail.code)?.code
  if (!code) throw new Error(`no code was mailed to ${email}`)
  return code
}

/** The newest code sent to a mobile, read from the sandbox phone. */
export async function readTextedCode(deps: Deps, number: string): Promise<string> {
  const code = (await listSandboxSms(deps.db, mobile.parse(number))).find((sms) => sms.code)?.code
  if (!code) throw new Error(`no code was sent to ${number}`)
  return code
}

/** Replaces the gradual-release group with these users. */
export const setGradualUsers = (deps: Pick<Deps, 'db' | 'settings'>, users: string[]) =>
  transact(deps.db, SYSTEM, (tx) => deps.settings.set(tx, gradualUsers, users))

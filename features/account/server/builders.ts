import type { Ctx, Deps } from '#platform/server/feature.ts'
import { transact } from '#platform/server/transact.ts'
import { newId, randomCode } from '#platform/shared/ids.ts'
import { listSandboxMails } from '#features/notices/server/door.ts'
import type { LoginReply } from '../contract.ts'
import { emailKey } from '../contract.ts'
import { authenticate } from './sessions.ts'
import { codeRules } from './settings.ts'
import { issueCode } from './verbs/issue-code.ts'
import { passwordLogin } from './verbs/password-login.ts'
import { register } from './verbs/register.ts'

export interface BuiltUser {
  readonly userId: string
  readonly sessionId: string
  readonly token: string
  readonly email: string
  readonly password: string
}

/** A registered, signed-in user with a proven mailbox. No mail is sent. */
export async function aUser(deps: Deps, wish: { email?: string; password?: string; inviteCode?: string } = {}): Promise<BuiltUser> {
  const email = wish.email ?? `user-${randomCode(10).toLowerCase()}@example.com`
  const password = wish.password ?? `Correct horse ${randomCode(6)}`
  const ctx = visitor(deps)
  const rules = await codeRules(deps.settings)
  const { code } = await transact(deps.db, ctx.actor, (tx) =>
    issueCode(ctx, tx, { purpose: 'register', kind: 'email', target: emailKey(email), owner: '' }, rules),
  )
  const reply = await register(ctx, { email, password, verifyCode: code, inviteCode: wish.inviteCode })
  return { ...(await whose(deps, reply)), email, password }
}

/** Another session of a user. */
export async function signIn(
  deps: Deps,
  user: { readonly email: string; readonly password: string },
): Promise<{ userId: string; sessionId: string; token: string }> {
  return whose(deps, await passwordLogin(visitor(deps), user))
}

async function whose(deps: Deps, { token }: LoginReply): Promise<{ userId: string; sessionId: string; token: string }> {
  const session = await authenticate(deps, token, { ip: '127.0.0.1', userAgent: 'builder' })
  return { ...session!, token }
}

function visitor(deps: Deps): Ctx {
  return {
    ...deps,
    actor: { kind: 'anonymous', id: 'anonymous' },
    userId: '',
    sessionId: '',
    lang: 'zh',
    clientType: 1,
    requestId: newId('req'),
    ip: '127.0.0.1',
    userAgent: 'builder',
    tx: undefined,
  }
}

/** The code in the newest mail to an address, as its reader sees it in the sandbox's mailbox. */
export async function mailedCode(deps: Deps, email: string): Promise<string> {
  const [mail] = await listSandboxMails(deps.db, email, 1)
  if (!mail?.code) throw new Error(`no code was mailed to ${email}`)
  return mail.code
}

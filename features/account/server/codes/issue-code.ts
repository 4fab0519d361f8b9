import type { Ctx } from '#platform/server/feature.ts'
import type { Tx } from '#platform/server/database/transact.ts'
import { fail } from '#platform/shared/errors.ts'
import { newId } from '#platform/shared/ids.ts'
import { codeSentAt, putCode } from './data.ts'
import type { CodeRules } from '../settings.ts'
import { askersOf, codeHmac, newCode, newToken } from '../sessions/tokens.ts'
import type { CodeUse } from '../sessions/tokens.ts'

/**
 * Makes the code of a use; the one before is dead from then on. The ticket is for who asked: with it, or signed in as the same user,
 * guesses count apart from those of strangers. Throws CODE_TOO_SOON within a minute of the code before.
 */
export async function issueCode(ctx: Ctx, tx: Tx, use: CodeUse, rules: CodeRules): Promise<{ id: string; code: string; ticket: string }> {
  const now = ctx.clock.now()
  const resendMs = rules.resendSeconds * 1000
  const code = newCode()
  const id = newId('cod', now.getTime())
  const ticket = newToken()
  const [asker] = askersOf(ctx.secretKey, ctx.userId, ticket)
  const expiresAt = new Date(now.getTime() + rules.liveSeconds * 1000)
  const put = await putCode(tx, use, {
    id,
    hmac: codeHmac(ctx.secretKey, use, code),
    asker: asker!,
    now,
    expiresAt,
    notAfter: new Date(now.getTime() - resendMs),
  })
  if (!put) {
    const sentAt = (await codeSentAt(tx, use)) ?? now
    fail('CODE_TOO_SOON', { retryAfterSeconds: Math.max(1, Math.ceil((sentAt.getTime() + resendMs - now.getTime()) / 1000)) })
  }
  return { id, code, ticket }
}

/** Lets a code that was just proven serve another purpose of the same target for the rest of its time, for the holder of the same ticket. */
export async function passCodeOn(
  ctx: Ctx,
  tx: Tx,
  use: CodeUse,
  { code, ticket, expiresAt }: { code: string; ticket: string | undefined; expiresAt: Date },
): Promise<void> {
  const now = ctx.clock.now()
  const [asker] = askersOf(ctx.secretKey, '', ticket ?? newToken())
  await putCode(tx, use, { id: newId('cod', now.getTime()), hmac: codeHmac(ctx.secretKey, use, code), asker: asker!, now, expiresAt, notAfter: now })
}

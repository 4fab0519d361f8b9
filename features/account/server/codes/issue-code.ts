import type { Ctx } from '#platform/server/feature.ts'
import type { Tx } from '#platform/server/database/transact.ts'
import { fail } from '#platform/shared/errors.ts'
import { createId } from '#platform/shared/ids.ts'
import { selectCodeSentAt, upsertCode } from './data.ts'
import type { CodeRules } from '../settings.ts'
import { hashRequesters, computeCodeHmac, generateCode, generateSessionToken } from '../sessions/tokens.ts'
import type { CodeBinding } from '../sessions/tokens.ts'

/**
 * Creates a code and invalidates the previous one of the same purpose and target. The ticket identifies the requester: guesses with it, or
 * from the same signed-in user, are counted apart from those of strangers. Throws CODE_TOO_SOON within a minute of the previous code.
 */
export async function issueCode(
  ctx: Ctx,
  tx: Tx,
  { use, rules }: { readonly use: CodeBinding; readonly rules: CodeRules },
): Promise<{ id: string; code: string; ticket: string }> {
  const now = ctx.clock.now()
  const resendMs = rules.resendSeconds * 1000
  const code = generateCode()
  const id = createId('cod', now.getTime())
  const ticket = generateSessionToken()
  const [asker] = hashRequesters(ctx.secretKey, ctx.userId, ticket)
  const expiresAt = new Date(now.getTime() + rules.liveSeconds * 1000)
  const put = await upsertCode(tx, use, {
    id,
    hmac: computeCodeHmac(ctx.secretKey, use, code),
    asker: asker!,
    now,
    expiresAt,
    notAfter: new Date(now.getTime() - resendMs),
  })
  if (!put) {
    const sentAt = (await selectCodeSentAt(tx, use)) ?? now
    fail('CODE_TOO_SOON', { retryAfterSeconds: Math.max(1, Math.ceil((sentAt.getTime() + resendMs - now.getTime()) / 1000)) })
  }
  return { id, code, ticket }
}

/** Makes a code that was just verified valid for another purpose of the same target until it expires, for the holder of the same ticket. */
export async function transferCode(
  ctx: Ctx,
  tx: Tx,
  { use, code, ticket, expiresAt }: { readonly use: CodeBinding; readonly code: string; readonly ticket: string | undefined; readonly expiresAt: Date },
): Promise<void> {
  const now = ctx.clock.now()
  const [asker] = hashRequesters(ctx.secretKey, '', ticket ?? generateSessionToken())
  await upsertCode(tx, use, {
    id: createId('cod', now.getTime()),
    hmac: computeCodeHmac(ctx.secretKey, use, code),
    asker: asker!,
    now,
    expiresAt,
    notAfter: now,
  })
}

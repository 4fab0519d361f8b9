import type { Handler } from '#platform/server/feature.ts'
import { transact } from '#platform/server/database/transact.ts'
import type { Sql } from '#platform/server/database/db.ts'
import { fail } from '#platform/shared/errors.ts'
import type { invitationsContract } from '../../contract.ts'
import { INVITE_CODE_LENGTH, INVITE_CODE_LETTERS } from '../../words.ts'
import { selectCodes, insertCode } from '../data.ts'

export interface InviteCodes {
  readonly made: string
  readonly own: string | null
}

/** A random code, not derived from user data. */
function generateInviteCode(): string {
  const letters: string[] = []
  while (letters.length < INVITE_CODE_LENGTH) {
    for (const byte of crypto.getRandomValues(new Uint8Array(16))) {
      // bytes beyond the last whole multiple would make some letters more frequent than others
      if (letters.length < INVITE_CODE_LENGTH && byte < 256 - (256 % INVITE_CODE_LETTERS.length))
        letters.push(INVITE_CODE_LETTERS[byte % INVITE_CODE_LETTERS.length]!)
    }
  }
  return letters.join('')
}

/** The codes of a user; the generated one is created on first use. */
export async function ensureCodes(sql: Sql, userId: string): Promise<InviteCodes> {
  for (;;) {
    const rows = await selectCodes(sql, userId)
    const made = rows.find(({ chosen }) => !chosen)
    if (made) return { made: made.code, own: rows.find(({ chosen }) => chosen)?.code ?? null }
    await insertCode(sql, generateInviteCode(), { userId, chosen: false })
  }
}

/** Chooses a custom code, once; it must not look like an existing code. */
export const chooseCode: Handler<typeof invitationsContract.chooseCode> = async (ctx, { code }) =>
  transact(ctx.db, ctx.actor, async (tx) => {
    if (!(await insertCode(tx, code, { userId: ctx.userId, chosen: true })))
      fail((await selectCodes(tx, ctx.userId)).some(({ chosen }) => chosen) ? 'INVITE_CODE_CHOSEN' : 'INVITE_CODE_USED')
    await tx.audit('invitation.code-chosen', `user:${ctx.userId}`, { code })
    return { code }
  })

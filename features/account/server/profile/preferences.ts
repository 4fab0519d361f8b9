import type { Ctx } from '#platform/server/feature.ts'
import type { ReplyOf } from '#platform/shared/contract.ts'
import { fail } from '#platform/shared/errors.ts'
import { DEFAULT_CHOICES } from '../../contract-profile.ts'
import type { profileContract } from '../../contract-profile.ts'
import { findPreferences } from './data.ts'

/** Current invoice details and mail choices. */
export async function preferences(ctx: Ctx): Promise<ReplyOf<typeof profileContract.preferences>> {
  const row = (await findPreferences(ctx.db, ctx.userId)) ?? fail('SESSION_EXPIRED')
  return { invoice: row.invoice, mails: { ...DEFAULT_CHOICES, ...row.mailChoices } }
}

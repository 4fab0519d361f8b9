import type { Ctx } from '#platform/server/feature.ts'
import type { ReplyOf, InputOf } from '#platform/shared/contract.ts'
import { fail } from '#platform/shared/errors.ts'
import { DEFAULT_CHOICES, type profileContract, type InvoiceDetails, type MailChoices } from '../../contract-profile.ts'
import { findPreferences, updateInvoice, addTip, updateChoices, updateProfile } from './data.ts'
import { transact } from '#platform/server/database/transact.ts'

/** Updates the user's names, language and theme. */
export async function updateUserInfo(ctx: Ctx, change: InputOf<typeof profileContract.updateUserInfo>): Promise<{}> {
  const fields = Object.keys(change).filter((name) => change[name as keyof typeof change] !== undefined)
  if (!fields.length) return {}
  await transact(ctx.db, ctx.actor, async (tx) => {
    await updateProfile(tx, ctx.userId, change)
    await tx.audit('account.profile-changed', `user:${ctx.userId}`, { fields })
  })
  return {}
}

/** Updates the user's mail choices. */
export async function updateMailChoices(ctx: Ctx, choices: InputOf<typeof profileContract.updateMailChoices>): Promise<MailChoices> {
  const kept = await transact(ctx.db, ctx.actor, async (tx) => {
    await tx.audit('account.mail-choices-changed', `user:${ctx.userId}`, choices)
    return updateChoices(tx, ctx.userId, choices)
  })
  return { ...DEFAULT_CHOICES, ...kept }
}

const MAX = 200

/**
 * Records one-time tips that the user has seen, so that other browsers do not show them again. If several browsers send the same tip
 * concurrently, one of them shows it.
 */
export async function useTips(ctx: Ctx, { tip }: { tip?: string | undefined }): Promise<{ seen: string[]; isFirst: boolean }> {
  const isFirst = tip !== undefined && (await addTip(ctx.db, ctx.userId, { tip, max: MAX }))
  return { isFirst, seen: [...((await findPreferences(ctx.db, ctx.userId))?.tips ?? [])] }
}

/** Stores the details that prefill the invoice form. */
export async function updateInvoiceDetails(ctx: Ctx, details: InvoiceDetails): Promise<{}> {
  await transact(ctx.db, ctx.actor, async (tx) => {
    await updateInvoice(tx, ctx.userId, details)
    await tx.audit('account.invoice-details-changed', `user:${ctx.userId}`)
  })
  return {}
}

/** Current invoice details and mail choices. */
export async function preferences(ctx: Ctx): Promise<ReplyOf<typeof profileContract.preferences>> {
  const row = (await findPreferences(ctx.db, ctx.userId)) ?? fail('SESSION_EXPIRED')
  return { invoice: row.invoice, mails: { ...DEFAULT_CHOICES, ...row.mailChoices } }
}

import type { Deps } from '#platform/server/feature.ts'
import { maxMegabytes, maxMails } from '../settings.ts'

const MEGABYTE = 1_000_000

/** Limits of a mailbox. */
export const readMailboxLimits = async ({ settings }: Pick<Deps, 'settings'>) => ({
  mails: await settings.get(maxMails),
  bytes: (await settings.get(maxMegabytes)) * MEGABYTE,
})
type MailboxLimits = Awaited<ReturnType<typeof readMailboxLimits>>

/** Used space in percent, by mails or by bytes, whichever is more. At 100 it refuses mail; deleting mails frees space. */
export const computePercentFull = (held: { readonly mails: number; readonly bytes: bigint }, room: MailboxLimits): number =>
  Math.floor(Math.max((100 * held.mails) / room.mails, (100 * Number(held.bytes)) / room.bytes))

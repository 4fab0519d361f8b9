import type { Deps } from '#platform/server/feature.ts'
import { mostBytes, mostMails } from '../settings.ts'

const MEGABYTE = 1_000_000

/** Limits of a mailbox. */
export const roomOf = async ({ settings }: Pick<Deps, 'settings'>) => ({
  mails: await settings.get(mostMails),
  bytes: (await settings.get(mostBytes)) * MEGABYTE,
})
type Room = Awaited<ReturnType<typeof roomOf>>

/** Used space in percent, by mails or by bytes, whichever is more. At 100 it refuses mail; deleting mails frees space. */
export const percentFull = (held: { readonly mails: number; readonly bytes: bigint }, room: Room): number =>
  Math.floor(Math.max((100 * held.mails) / room.mails, (100 * Number(held.bytes)) / room.bytes))

import type { Deps } from '#platform/server/feature.ts'
import { mostBytes, mostMails } from '../settings.ts'

const MEGABYTE = 1_000_000

/** What a mailbox holds at most. */
export const roomOf = async ({ settings }: Pick<Deps, 'settings'>) => ({
  mails: await settings.get(mostMails),
  bytes: (await settings.get(mostBytes)) * MEGABYTE,
})
type Room = Awaited<ReturnType<typeof roomOf>>

/** Percent of the room taken by what is in it, in mails or in bytes, whichever is more; at 100 it takes no more. What is deleted makes room. */
export const percentFull = (held: { readonly mails: number; readonly bytes: bigint }, room: Room): number =>
  Math.floor(Math.max((100 * held.mails) / room.mails, (100 * Number(held.bytes)) / room.bytes))

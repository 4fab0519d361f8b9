import type { Ctx, Deps } from '#platform/server/feature.ts'
import { contactOf } from '#features/account/server/door.ts'
import type { Task } from '#features/services/server/door.ts'
import type { Mailbox } from '../../contract.ts'
import type { BoxState } from '../../words.ts'
import { boxesOf, openingsOf, unreadOf } from '../data.ts'
import type { Box } from '../data.ts'
import { mostBytes, mostMails } from '../settings.ts'

const STATES: Readonly<Record<string, BoxState>> = {
  draft: 'draft',
  generating: 'generating',
  fresh: 'fresh',
  success: 'success',
  ended: 'ended',
  failed: 'failed',
  closed: 'failed',
}
const MEGABYTE = 1_000_000

export async function boxViews(ctx: Ctx, tasks: readonly Task[]): Promise<Mailbox[]> {
  const ids = tasks.map(({ id }) => id)
  const [boxes, unread, open, auxiliary, room] = await Promise.all([
    boxesOf(ctx.db, ids),
    unreadOf(ctx.db, ids),
    openingsOf(ctx.db, ids, ctx.sessionId),
    auxiliaryOf(ctx),
    roomOf(ctx),
  ])
  return tasks.map((task) => {
    const box = boxes.find(({ task_id }) => task_id === task.id)
    const address = box?.address ?? String(task.facts['address'] ?? '')
    const state = STATES[task.state] ?? 'failed'
    return {
      id: task.id,
      prefix: address.split('@')[0]!,
      address,
      auxiliaryEmail: auxiliary,
      state,
      cause: task.phase === 'failed' || task.phase === 'done' ? task.cause : '',
      createdTime: task.created_at.toISOString(),
      deadlineTime: task.deadline_at?.toISOString() ?? null,
      expiresTime: task.expires_at?.toISOString() ?? null,
      isOpen: state === 'success' && open.has(task.id),
      mails: box?.mails ?? 0,
      unread: unread.get(task.id) ?? 0,
      full: box ? fullOf(box, room) : 0,
      version: `${state}-${task.phase}-${box?.version ?? 0}-${open.has(task.id) ? 1 : 0}`,
    }
  })
}

const roomOf = async ({ settings }: Pick<Deps, 'settings'>) => ({ mails: await settings.get(mostMails), bytes: (await settings.get(mostBytes)) * MEGABYTE })
type Room = Awaited<ReturnType<typeof roomOf>>
export { roomOf }

/** By whichever is nearer its end; what was deleted makes room, but for the count of mails that ever came. */
export function fullOf(box: Pick<Box, 'mails' | 'bytes'>, room: Room): number {
  return Math.min(100, Math.round(Math.max(Number(box.bytes) / room.bytes, 0) * 100))
}

async function auxiliaryOf({ db, userId }: Ctx): Promise<string> {
  const email = (await contactOf(db, userId))?.email ?? ''
  const [name = '', domain = ''] = email.split('@')
  return email ? `${name.slice(0, 2)}***@${domain}` : ''
}

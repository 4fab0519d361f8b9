import type { Ctx } from '#platform/server/feature.ts'
import { findContact } from '#features/account/server/door.ts'
import type { Task } from '#features/services/server/door.ts'
import type { Mailbox } from '../../contract.ts'
import type { BoxState } from '../../words.ts'
import { listMailboxes, listMailboxOpenings } from '../data.ts'
import { countMails } from '../data-mails.ts'
import { computePercentFull, readMailboxLimits } from './fullness.ts'

const STATES: Readonly<Record<string, BoxState>> = {
  draft: 'draft',
  generating: 'generating',
  fresh: 'fresh',
  success: 'success',
  ended: 'ended',
  failed: 'failed',
  closed: 'failed',
}

export async function buildMailboxRows(ctx: Ctx, tasks: readonly Task[]): Promise<Mailbox[]> {
  const ids = tasks.map(({ id }) => id)
  const [boxes, counts, open, auxiliary, room] = await Promise.all([
    listMailboxes(ctx.db, ids),
    countMails(ctx.db, ids),
    listMailboxOpenings(ctx.db, ids, ctx.sessionId),
    maskContactEmail(ctx),
    readMailboxLimits(ctx),
  ])
  return tasks.map((task) => {
    const box = boxes.find(({ task_id }) => task_id === task.id)
    const address = box?.address ?? String(task.facts['address'] ?? '')
    const state = STATES[task.state] ?? 'failed'
    const { mails, unread } = counts.get(task.id) ?? { mails: 0, unread: 0 }
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
      mails,
      unread,
      full: Math.min(100, computePercentFull({ mails, bytes: box?.bytes ?? 0n }, room)),
      version: `${state}-${task.phase}-${box?.version ?? 0}-${open.has(task.id) ? 1 : 0}`,
    }
  })
}

async function maskContactEmail({ db, userId }: Ctx): Promise<string> {
  const email = (await findContact(db, userId))?.email ?? ''
  const [name = '', domain = ''] = email.split('@')
  return email ? `${name.slice(0, 2)}***@${domain}` : ''
}

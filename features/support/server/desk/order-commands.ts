import { z } from 'zod'
import { defineCommand } from '#platform/server/operator-command.ts'
import type { CommandExecution } from '#platform/server/operator-command.ts'
import type { Deps } from '#platform/server/feature.ts'
import { fail } from '#platform/shared/errors.ts'
import { PRIORITIES } from '../../contract-desk.console.ts'
import { findAny, setConversationPriority, toPriority, resolveInboxState, snoozeConversation, wakeConversation } from './data.ts'

const one = { conversationId: z.string().min(1).max(80) }
type ConversationInput = { readonly conversationId: string }
const DAYS = 90

const subject = async ({ db }: Deps, { conversationId }: ConversationInput) => `conversation:${((await findAny(db, conversationId)) ?? fail('NOT_FOUND')).id}`
async function look({ tx, deps }: CommandExecution, { conversationId }: ConversationInput) {
  const row = (await findAny(tx, conversationId)) ?? fail('NOT_FOUND')
  return {
    state: resolveInboxState(row, deps.clock.now()),
    priority: toPriority(row.priority),
    snoozedUntil: row.snoozedUntil && row.snoozedUntil > deps.clock.now() ? row.snoozedUntil.toISOString() : null,
  }
}
const common = { permission: 'support.answer', subject, look } as const

/** Commands that sort the inbox: snooze and priority. Customers do not see their effect. */
export const inboxOrderCommands = [
  defineCommand({
    ...common,
    name: 'conversation.snooze',
    summary: 'Takes a conversation out of the inbox until a time; it comes back by itself, or as soon as its customer writes',
    input: z.object({ ...one, wakeAt: z.iso.datetime() }),
    run: async ({ tx, deps, by }, { conversationId, wakeAt }) => {
      const [at, now] = [new Date(wakeAt), deps.clock.now()]
      if (at <= now || at.getTime() > now.getTime() + DAYS * 86_400_000) fail('BAD_INPUT', { fields: ['wakeAt'] })
      if (!(await snoozeConversation(tx, conversationId, { until: at, by: by.id }))) fail('NOT_FOUND')
      await tx.audit('support.snoozed', `conversation:${conversationId}`, { until: at.toISOString() })
      return {}
    },
    undo: ({ conversationId }, { snoozedUntil }) =>
      typeof snoozedUntil === 'string'
        ? { name: 'conversation.snooze', input: { conversationId, wakeAt: snoozedUntil } }
        : { name: 'conversation.wake', input: { conversationId } },
  }),
  defineCommand({
    ...common,
    name: 'conversation.wake',
    summary: 'Puts a snoozed conversation back into the inbox',
    input: z.object(one),
    run: async ({ tx }, { conversationId }) => {
      if (!(await wakeConversation(tx, conversationId))) fail('NOT_FOUND')
      await tx.audit('support.woken', `conversation:${conversationId}`)
      return {}
    },
  }),
  defineCommand({
    ...common,
    name: 'conversation.priority',
    summary: 'Says how urgent a conversation is: urgent ones stand on top of the inbox, then high ones',
    input: z.object({ ...one, priority: z.enum(PRIORITIES) }),
    run: async ({ tx }, { conversationId, priority }) => {
      if (!(await setConversationPriority(tx, conversationId, priority))) fail('NOT_FOUND')
      await tx.audit('support.prioritized', `conversation:${conversationId}`, { priority })
      return {}
    },
    undo: ({ conversationId }, { priority }) => ({ name: 'conversation.priority', input: { conversationId, priority } }),
  }),
] as const

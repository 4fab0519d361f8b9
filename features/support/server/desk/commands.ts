import { z } from 'zod'
import { defineCommand } from '#platform/server/operator-command.ts'
import type { CommandExecution } from '#platform/server/operator-command.ts'
import type { Deps } from '#platform/server/feature.ts'
import { fail } from '#platform/shared/errors.ts'
import { messageText } from '../../contract.ts'
import { answerConversation, closeConversation } from './conversations.ts'
import { sendMail } from '#features/notices/server/door.ts'
import { complaintAnsweredMail } from '../mails.ts'
import { findAny, closeComplaint, selectComplaint } from './data.ts'
import { inboxOrderCommands } from './order-commands.ts'

const one = { conversationId: z.string().min(1).max(80) }
const subject = async ({ db }: Deps, { conversationId }: { conversationId: string }) =>
  `conversation:${((await findAny(db, conversationId)) ?? fail('NOT_FOUND')).id}`
const look = async ({ tx }: CommandExecution, { conversationId }: { conversationId: string }) => {
  const head = await findAny(tx, conversationId)
  return { state: head?.state ?? null, messages: head?.lastSeq ?? 0 }
}
const common = { permission: 'support.answer', subject, look } as const

export const supportCommands = [
  ...inboxOrderCommands,
  defineCommand({
    ...common,
    name: 'conversation.answer',
    summary: 'Answers a customer; what has been written since the preview is to be read first',
    input: z.object({ ...one, text: messageText }),
    run: async ({ deps, by }, { conversationId, text }) => ({ seq: (await answerConversation(deps, by, { conversationId, text })).seq }),
  }),
  defineCommand({
    ...common,
    bulk: true,
    name: 'conversation.close',
    summary: 'Closes a conversation; a message of its customer opens it again',
    input: z.object(one),
    run: async ({ deps, by }, { conversationId }) => {
      await closeConversation(deps, by, conversationId)
      return {}
    },
  }),
  defineCommand({
    permission: 'support.answer',
    name: 'complaint.answer',
    summary: 'Answers a complaint by mail and closes it',
    input: z.object({ complaintId: z.string().min(1).max(80), text: messageText }),
    subject: async ({ db }, { complaintId }) => `complaint:${((await selectComplaint(db, complaintId)) ?? fail('NOT_FOUND')).id}`,
    look: async ({ tx }, { complaintId }) => ({ state: (await selectComplaint(tx, complaintId))?.state ?? null }),
    run: async ({ deps, tx, by }, { complaintId, text }) => {
      const row = await selectComplaint(tx, complaintId)
      if (!row || !(await closeComplaint(tx, complaintId, { text, by: by.id, at: deps.clock.now() }))) return fail('NOT_FOUND')
      await sendMail(deps, tx, {
        ...{ to: row.email, template: complaintAnsweredMail, lang: row.lang, dedupe: `support.complaint-answered:${complaintId}` },
        values: { id: complaintId, content: row.content, text },
      })
      await tx.audit('support.complaint-answered', `complaint:${complaintId}`, {})
      return {}
    },
  }),
] as const

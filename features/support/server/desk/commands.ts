import { z } from 'zod'
import { defineCommand } from '#platform/server/operator-command.ts'
import type { Act } from '#platform/server/operator-command.ts'
import type { Deps } from '#platform/server/feature.ts'
import { fail } from '#platform/shared/errors.ts'
import { messageText } from '../../contract.ts'
import { answerConversation } from '../verbs/answer-conversation.ts'
import { closeConversation } from '../verbs/close-conversation.ts'
import { findAny } from './data.ts'

const one = { conversationId: z.string().min(1).max(80) }
const subject = async ({ db }: Deps, { conversationId }: { conversationId: string }) =>
  `conversation:${((await findAny(db, conversationId)) ?? fail('NOT_FOUND')).id}`
const look = async ({ tx }: Act, { conversationId }: { conversationId: string }) => {
  const head = await findAny(tx, conversationId)
  return { state: head?.state ?? null, messages: head?.last_seq ?? 0 }
}
const common = { permission: 'support.answer', subject, look } as const

export const supportCommands = [
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
] as const

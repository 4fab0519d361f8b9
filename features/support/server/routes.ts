import { bind } from '#platform/server/feature.ts'
import { supportContract } from '../contract.ts'
import { bootWidget } from './verbs/overview.ts'
import { fileComplaint } from './verbs/file-complaint.ts'
import { markConversationRead } from './verbs/conversations.ts'
import { overview } from './verbs/overview.ts'
import { readMessages } from './verbs/conversations.ts'
import { sendMessage } from './verbs/conversations.ts'
import { startConversation } from './verbs/conversations.ts'
import { waitForUpdate } from './verbs/conversations.ts'

export const supportRoutes = bind(supportContract, {
  widget: bootWidget,
  overview,
  start: startConversation,
  send: sendMessage,
  messages: readMessages,
  wait: waitForUpdate,
  read: markConversationRead,
  complaint: fileComplaint,
})

import { bind } from '#platform/server/feature.ts'
import { supportContract } from '../contract.ts'
import { bootWidget, overview } from './verbs/overview.ts'
import { fileComplaint } from './verbs/file-complaint.ts'
import { markConversationRead, readMessages, sendMessage, startConversation, waitForUpdate } from './verbs/conversations.ts'

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

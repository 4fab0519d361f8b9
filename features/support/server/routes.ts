import { bind } from '#platform/server/feature.ts'
import { supportContract } from '../contract.ts'
import { bootWidget } from './verbs/boot-widget.ts'
import { fileComplaint } from './verbs/file-complaint.ts'
import { markConversationRead } from './verbs/mark-read.ts'
import { overview } from './verbs/overview.ts'
import { readMessages } from './verbs/read-messages.ts'
import { sendMessage } from './verbs/send-message.ts'
import { startConversation } from './verbs/start-conversation.ts'
import { waitForUpdate } from './verbs/wait-for-update.ts'

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

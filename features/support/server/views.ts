import type { ConversationHead, Message, ConversationUpdate } from '../contract.ts'
import type { HeadRow, MessageRow } from './data.ts'

const PREVIEW = 120

/** Owner's view of a conversation. */
export function toConversationHead(row: HeadRow): ConversationHead {
  return {
    id: row.id,
    topic: row.topic,
    orderNo: row.orderNo,
    email: row.visitorEmail,
    state: row.state,
    preview: [...(row.preview ?? '').replace(/\s+/g, ' ')].slice(0, PREVIEW).join(''),
    previewFrom: row.previewAuthor === 'operator' ? 'desk' : 'me',
    lastAt: row.updatedAt.toISOString(),
    lastSeq: row.lastSeq,
    unread: row.unread,
    deskReadSeq: row.operatorReadSeq,
    version: row.version,
  }
}

const FROM = { user: 'me', operator: 'desk', system: 'system' } as const

export function toMessage(row: MessageRow): Message {
  return {
    seq: row.seq,
    from: FROM[row.author],
    text: row.text,
    event: row.event,
    detail: row.detail,
    clientId: row.author === 'user' ? row.clientId : null,
    at: row.at.toISOString(),
  }
}

export function toConversationUpdate(head: HeadRow, messages: readonly MessageRow[], more: boolean): ConversationUpdate {
  return { conversation: toConversationHead(head), messages: messages.map(toMessage), more }
}

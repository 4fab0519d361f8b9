import type { ConversationHead, Message, ConversationUpdate } from '../contract.ts'
import type { HeadRow, MessageRow } from './data.ts'

const PREVIEW = 120

/** Owner's view of a conversation. */
export function toConversationHead(row: HeadRow): ConversationHead {
  return {
    id: row.id,
    topic: row.topic,
    orderNo: row.order_no,
    email: row.visitor_email,
    state: row.state,
    preview: [...(row.preview ?? '').replace(/\s+/g, ' ')].slice(0, PREVIEW).join(''),
    previewFrom: row.preview_author === 'operator' ? 'desk' : 'me',
    lastAt: row.updated_at.toISOString(),
    lastSeq: row.last_seq,
    unread: row.unread,
    deskReadSeq: row.operator_read_seq,
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
    clientId: row.author === 'user' ? row.client_id : null,
    at: row.at.toISOString(),
  }
}

export function toConversationUpdate(head: HeadRow, messages: readonly MessageRow[], more: boolean): ConversationUpdate {
  return { conversation: toConversationHead(head), messages: messages.map(toMessage), more }
}

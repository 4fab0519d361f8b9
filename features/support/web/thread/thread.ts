import { toShanghaiDay } from '#platform/shared/time.ts'
import type { ConversationHead, Message, ConversationUpdate } from '../../contract.ts'

/** A pending message. `problem`: reason why it was not sent, as display text. */
export interface PendingMessage {
  readonly clientId: string
  readonly conversationId: string
  readonly text: string
  readonly at: number
  readonly state: 'sending' | 'unsent'
  readonly problem?: string
}

export interface Thread {
  readonly head: ConversationHead
  /** Oldest first, without gaps. */
  readonly messages: readonly Message[]
  /** True if there are earlier messages. */
  readonly older: boolean
}

/** Merges both lists by number, each number once. */
export function mergeMessages(known: readonly Message[], fresh: readonly Message[]): Message[] {
  const bySeq = new Map([...known, ...fresh].map((message) => [message.seq, message]))
  return [...bySeq.values()].sort((a, b) => a.seq - b.seq)
}

/** Applies an update to a thread; older updates never overwrite newer ones, so responses may arrive out of order. */
export function applyToThread(thread: Thread | undefined, { conversation, messages, more }: ConversationUpdate, readBack = false): Thread {
  if (!thread) return { head: conversation, messages: mergeMessages([], messages), older: more }
  const head = conversation.version >= thread.head.version ? conversation : thread.head
  return { head, messages: mergeMessages(thread.messages, messages), older: readBack ? more : thread.older }
}

/** The number up to which no message is missing. */
export function lastSeq(thread: Thread | undefined): number {
  return thread?.messages.at(-1)?.seq ?? 0
}

/** Pending messages to show below the thread, without those that the server already has. */
export function filterPending(thread: Thread | undefined, pending: readonly PendingMessage[], conversationId: string): PendingMessage[] {
  const there = new Set(thread?.messages.map((message) => message.clientId))
  return pending.filter((one) => one.conversationId === conversationId && !there.has(one.clientId))
}

/** True if two messages have the same sender within five minutes: drawn as one block. */
export function isContinuation(before: Message | undefined, message: Message | undefined): boolean {
  if (!before || !message || before.from !== message.from || message.from === 'system') return false
  return Date.parse(message.at) - Date.parse(before.at) < 300_000 && toShanghaiDay(new Date(before.at)) === toShanghaiDay(new Date(message.at))
}

import { shanghaiDay } from '#platform/shared/time.ts'
import type { ConversationHead, Message, News } from '../../contract.ts'

/** A message on its way. `problem`: why it was not sent, ready to show. */
export interface Pending {
  readonly clientId: string
  readonly conversationId: string
  readonly text: string
  readonly at: number
  readonly state: 'sending' | 'unsent'
  readonly problem?: string
}

export interface Thread {
  readonly head: ConversationHead
  /** Oldest first, without a gap. */
  readonly messages: readonly Message[]
  /** There are earlier ones. */
  readonly older: boolean
}

/** Both lists by number, each number once. */
export function merge(known: readonly Message[], fresh: readonly Message[]): Message[] {
  const bySeq = new Map([...known, ...fresh].map((message) => [message.seq, message]))
  return [...bySeq.values()].sort((a, b) => a.seq - b.seq)
}

/** News of a thread; older news never overwrite newer ones, so answers may overtake each other. */
export function withNews(thread: Thread | undefined, { conversation, messages, more }: News, readBack = false): Thread {
  if (!thread) return { head: conversation, messages: merge([], messages), older: more }
  const head = conversation.version >= thread.head.version ? conversation : thread.head
  return { head, messages: merge(thread.messages, messages), older: readBack ? more : thread.older }
}

/** The number up to which nothing is missing. */
export function lastSeq(thread: Thread | undefined): number {
  return thread?.messages.at(-1)?.seq ?? 0
}

/** Pending messages to show below the thread, without those that the server already has. */
export function stillPending(thread: Thread | undefined, pending: readonly Pending[], conversationId: string): Pending[] {
  const there = new Set(thread?.messages.map((message) => message.clientId))
  return pending.filter((one) => one.conversationId === conversationId && !there.has(one.clientId))
}

/** True if two messages have the same sender within five minutes: drawn as one block. */
export function continues(before: Message | undefined, message: Message | undefined): boolean {
  if (!before || !message || before.from !== message.from || message.from === 'system') return false
  return Date.parse(message.at) - Date.parse(before.at) < 300_000 && shanghaiDay(new Date(before.at)) === shanghaiDay(new Date(message.at))
}

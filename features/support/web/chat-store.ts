import { create } from 'zustand'
import { onSessionEnd } from '#platform/web/state/session.ts'
import type { ConversationHead, DeskStatus, ConversationUpdate } from '../contract.ts'
import { storePending, readPending } from './thread/outbox.ts'
import { applyToThread } from './thread/thread.ts'
import type { PendingMessage, Thread } from './thread/thread.ts'

/** View of the panel: the list, a form for a new conversation, or one conversation. */
export type ChatView =
  | { readonly name: 'home' }
  | { readonly name: 'new'; readonly topic?: string; readonly orderNo?: string }
  | { readonly name: 'thread'; readonly id: string }

interface ChatState {
  readonly open: boolean
  readonly view: ChatView
  readonly desk: DeskStatus | undefined
  /** Undefined until loaded. */
  readonly list: readonly ConversationHead[] | undefined
  readonly threads: Readonly<Record<string, Thread>>
  readonly pending: readonly PendingMessage[]
}

const emptyChat = { open: false, view: { name: 'home' }, desk: undefined, list: undefined, threads: {}, pending: [] } as const

export const useChat = create<ChatState>(() => ({ ...emptyChat, pending: readPending() }))

/** Conversations of another user must not be visible after a change of account. */
onSessionEnd(() => useChat.setState(emptyChat))

export function setView(view: ChatView): void {
  useChat.setState({ view })
}

export function closeChat(): void {
  useChat.setState({ open: false })
}

/** Applies an update of one conversation to its thread and to the list. */
export function applyUpdate(news: ConversationUpdate, readBack = false): void {
  useChat.setState(({ threads, list }) => {
    const thread = applyToThread(threads[news.conversation.id], news, readBack)
    return { threads: { ...threads, [thread.head.id]: thread }, list: upsertHead(list, thread.head) }
  })
}

export function applyHead(head: ConversationHead): void {
  useChat.setState(({ list }) => ({ list: upsertHead(list, head) }))
}

/** Newest first; an older state of the same conversation changes nothing. */
function upsertHead(list: readonly ConversationHead[] | undefined, head: ConversationHead): readonly ConversationHead[] {
  const known = list?.find(({ id }) => id === head.id)
  if (known && known.version > head.version) return list!
  return [head, ...(list ?? []).filter(({ id }) => id !== head.id)].sort((a, b) => (a.lastAt < b.lastAt ? 1 : -1))
}

export function removeThread(id: string): void {
  useChat.setState(({ threads, list, pending, view }) => {
    const { [id]: _, ...rest } = threads
    const left = pending.filter(({ conversationId }) => conversationId !== id)
    storePending(pending, left)
    return {
      threads: rest,
      list: list?.filter((head) => head.id !== id),
      pending: left,
      view: view.name === 'thread' && view.id === id ? { name: 'home' } : view,
    }
  })
}

/** Changes the pending messages, also in storage, where a reload finds them. */
export function changePending(change: (pending: readonly PendingMessage[]) => readonly PendingMessage[]): void {
  useChat.setState((state) => {
    const pending = change(state.pending)
    storePending(state.pending, pending)
    return { pending }
  })
}

export function useUnread(): number {
  return useChat(({ list }) => list?.reduce((sum, { unread }) => sum + unread, 0) ?? 0)
}

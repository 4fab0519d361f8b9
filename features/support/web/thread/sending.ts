import { isApiError, isUncertain } from '#platform/web/calls/api-error.ts'
import { createRandomKey } from '#platform/web/calls/idempotency.ts'
import { changePending, removeThread, applyUpdate, applyHead, useChat } from '../chat-store.ts'
import { supportChatApi } from '../support-api.ts'
import { lastSeq } from './thread.ts'
import { readVisitor } from '../visitor-token.ts'

const PAUSES_MS = [2_000, 5_000, 15_000, 30_000]
let running = false
let failures = 0
let timer: ReturnType<typeof setTimeout> | undefined

/** Queues a message and starts sending. Its id makes retries idempotent. */
export function sendText(conversationId: string, text: string): void {
  changePending((list) => [...list, { clientId: createRandomKey(), conversationId, text, at: Date.now(), state: 'sending' }])
  void flushPending()
}

export function retrySending(): void {
  changePending((list) => list.map(({ problem: _, ...one }) => ({ ...one, state: 'sending' })))
  void flushPending()
}

export function discardPending(clientId: string): void {
  changePending((list) => list.filter((one) => one.clientId !== clientId))
}

/** Sends pending messages one by one, in the order they were written. Retries after errors. */
export async function flushPending(): Promise<void> {
  if (running) return
  running = true
  clearTimeout(timer)
  try {
    for (let next = useChat.getState().pending[0]; next; next = useChat.getState().pending[0]) {
      const { clientId, conversationId, text } = next
      setPendingState(clientId, 'sending')
      const { conversation, message } = await supportChatApi.send({ conversationId, clientId, text, ...readVisitor() })
      failures = 0
      const thread = useChat.getState().threads[conversationId]
      // Append only the next number: other messages may be in between, and the poll for updates brings them all.
      if (thread && message.seq === lastSeq(thread) + 1) applyUpdate({ conversation, messages: [message], more: false })
      else applyHead(conversation)
      changePending((list) => list.filter((one) => one.clientId !== clientId))
    }
  } catch (error) {
    handleFailure(error)
  } finally {
    running = false
  }
}

function handleFailure(error: unknown): void {
  const [stuck] = useChat.getState().pending
  if (!stuck) return
  if (isApiError(error) && error.errorName === 'NOT_FOUND') {
    removeThread(stuck.conversationId)
    void flushLater(0)
    return
  }
  const problem = isApiError(error) && !isUncertain(error) ? error.message : undefined
  changePending((list) => list.map((one) => ({ ...one, state: 'unsent', ...(problem && one === list[0] ? { problem } : {}) })))
  const { retryAfterSeconds } = ((isApiError(error) ? error.data : undefined) as { retryAfterSeconds?: number } | undefined) ?? {}
  if (problem && !retryAfterSeconds) return
  void flushLater(retryAfterSeconds ? retryAfterSeconds * 1000 : PAUSES_MS[Math.min(failures++, PAUSES_MS.length - 1)]!)
}

async function flushLater(ms: number): Promise<void> {
  clearTimeout(timer)
  timer = setTimeout(() => void flushPending(), ms)
}

function setPendingState(clientId: string, state: 'sending' | 'unsent'): void {
  changePending((list) => list.map((one) => (one.clientId === clientId ? { ...one, state } : one)))
}

/** Sends messages left over from before a reload, and again when the network is back. Call once. */
export function watchOutbox(): () => void {
  const go = () => void flushPending()
  if (useChat.getState().pending.length) go()
  addEventListener('online', go)
  return () => removeEventListener('online', go)
}

import type { ReactNode } from 'react'
import { create } from 'zustand'

/** A modal notice that needs a response. Texts are translated by the caller. */
export interface NoticeRequest {
  readonly kind?: 'info' | 'success' | 'warning' | 'error'
  readonly title: string
  readonly body?: ReactNode
  /** The button that confirms: a verb. */
  readonly action: string
  /** Label of the second button; without it there is only one. */
  readonly cancel?: string
  /** False: neither the cross, Esc nor a press outside closes it. */
  readonly closable?: boolean
}
/** `button`: the second button; `dismissed`: cross, Esc or outside; `signedOut`: the session ended before an answer. */
export type NoticeAnswer = { readonly outcome: 'confirmed' } | { readonly outcome: 'cancelled'; readonly reason: 'button' | 'dismissed' | 'signedOut' }

interface Waiting {
  readonly id: number
  readonly request: NoticeRequest
  readonly answer: (answer: NoticeAnswer) => void
}

/** Queue of notices: only the first is shown. */
export const useNotices = create<{ readonly waiting: readonly Waiting[]; readonly used: boolean }>(() => ({ waiting: [], used: false }))
let id = 0

/** Shows a modal notice once the earlier ones are closed; resolves confirmed, or cancelled with a reason. */
export function askNotice(request: NoticeRequest): Promise<NoticeAnswer> {
  return new Promise((resolve) => {
    useNotices.setState(({ waiting }) => ({ used: true, waiting: [...waiting, { id: ++id, request, answer: resolve }] }))
  })
}

/** Closes the notice on screen with a response; called by its host. */
export function answerNotice(answer: NoticeAnswer): void {
  const [first, ...rest] = useNotices.getState().waiting
  if (!first) return
  useNotices.setState({ waiting: rest })
  first.answer(answer)
}

/** Cancels all notices when the session ends. */
export function dropNotices(): void {
  const { waiting } = useNotices.getState()
  useNotices.setState({ waiting: [] })
  for (const { answer } of waiting) answer({ outcome: 'cancelled', reason: 'signedOut' })
}

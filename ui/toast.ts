import { create } from 'zustand'

export type ToastKind = 'success' | 'info' | 'warning' | 'error'
export interface ToastRequest {
  readonly id: number
  readonly kind: ToastKind
  readonly text: string
}

/** One at a time (specification 1, section 9): a new one replaces the last. The host draws it. */
export const useToastStore = create<{ readonly toast: ToastRequest | undefined }>(() => ({ toast: undefined }))

let id = 0
function show(kind: ToastKind, text: string): void {
  useToastStore.setState({ toast: { id: ++id, kind, text } })
}

/** For news that need no answer; what needs one belongs in the page or a dialog. */
export const toast = {
  success: (text: string) => show('success', text),
  info: (text: string) => show('info', text),
  warning: (text: string) => show('warning', text),
  error: (text: string) => show('error', text),
}

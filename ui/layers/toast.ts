import { create } from 'zustand'

export type ToastKind = 'success' | 'info' | 'warning' | 'error'
export interface ToastRequest {
  readonly id: number
  readonly kind: ToastKind
  readonly text: string
  /** Display time; depends on the kind by default. */
  readonly ms: number | undefined
}

/** Shows one toast at a time (product.md 1.9): a new one replaces the last. The host renders it. */
export const useToastStore = create<{ readonly toast: ToastRequest | undefined }>(() => ({ toast: undefined }))

let id = 0
function show(kind: ToastKind, text: string, ms?: number): void {
  useToastStore.setState({ toast: { id: ++id, kind, text, ms } })
}

/** For news that needs no response; anything that needs one belongs in the page or a dialog. */
export const toast = {
  success: (text: string, ms?: number) => show('success', text, ms),
  info: (text: string, ms?: number) => show('info', text, ms),
  warning: (text: string, ms?: number) => show('warning', text, ms),
  error: (text: string, ms?: number) => show('error', text, ms),
}

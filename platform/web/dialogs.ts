import { create } from 'zustand'

/**
 * Dialogs that any page may open by name. A feature adds its own name and properties by declaration merging:
 *   declare module '#platform/web/dialogs.ts' { interface DialogProps { recharge: { amount?: string } } }
 * and registers the host in `apps/web/dialog-hosts.tsx` (one lazy line).
 */
export interface DialogProps {
  auth: { mode?: 'login' | 'register' | 'reset'; redirect?: string }
  recharge: { amount?: string; orderNo?: string }
}
export type DialogName = keyof DialogProps

interface Open {
  readonly name: DialogName
  readonly props: DialogProps[DialogName]
  readonly turn: number
}

/** `opened` stays true after closing so that a host is mounted once and can animate its way out. */
interface State {
  readonly open: Open | undefined
  readonly opened: ReadonlySet<DialogName>
}

const useStore = create<State>(() => ({ open: undefined, opened: new Set() }))
let turn = 0

export function openDialog<N extends DialogName>(name: N, ...[props]: {} extends DialogProps[N] ? [DialogProps[N]?] : [DialogProps[N]]): void {
  useStore.setState(({ opened }) => ({
    open: { name, props: props ?? {}, turn: ++turn },
    opened: opened.has(name) ? opened : new Set([...opened, name]),
  }))
}

/** Closes the named dialog, or whichever is open. */
export function closeDialog(name?: DialogName): void {
  useStore.setState(({ open }) => (name && open?.name !== name ? {} : { open: undefined }))
}

/** What a host reads: its properties while open, else undefined. */
export function useDialog<N extends DialogName>(name: N): DialogProps[N] | undefined {
  return useStore((state) => (state.open?.name === name ? (state.open.props as DialogProps[N]) : undefined))
}

/** Names that were opened at least once in this page: their hosts are mounted. */
export function useOpenedDialogs(): ReadonlySet<DialogName> {
  return useStore((state) => state.opened)
}

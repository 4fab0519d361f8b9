import { useState } from 'react'
import { create } from 'zustand'

/** Something to pay for whose price is known: only the way of paying is still chosen. */
export interface PayAsk {
  readonly orderType: number
  /** Dollars, as they are shown; the server has its own price where the order type has one. */
  readonly amount: string
  readonly cardId?: string
  readonly service?: string
  /** What is bought, in the page's words, where the order type says less: "ChatGPT Plus, 30 days". */
  readonly what?: string
}

/**
 * Dialogs that any page may open by name. A feature adds its own name and properties by declaration merging:
 *   declare module '#platform/web/state/dialogs.ts' { interface DialogProps { recharge: { amount?: string } } }
 * and registers the host in `apps/web/layout/hosts.tsx` (one lazy line).
 */
export interface DialogProps {
  /** `resumed`: it stood open before a reload, and goes on with what was typed (resume-dialogs.ts). */
  auth: { mode?: 'login' | 'register' | 'reset'; redirect?: string; resumed?: boolean }
  recharge: { amount?: string; orderNo?: string; ask?: PayAsk }
  /** Anonymous people are sent to sign in first. `orderNo` is filled into the report. */
  complaint: { orderNo?: string }
  palette: {}
  shortcuts: {}
  /** The user agreement, above whatever is open. With `onConfirm` it has a footer, and confirming waits for the end of the text. */
  protocol: { onConfirm?: () => void }
}
export type DialogName = keyof DialogProps

interface Open {
  readonly name: DialogName
  readonly props: DialogProps[DialogName]
  readonly turn: number
}

/** What is read in the middle of another dialog, which stays open below with all that was typed. */
const ABOVE: ReadonlySet<DialogName> = new Set(['protocol'])

/** `opened` stays true after closing so that a host is mounted once and can animate its way out. */
interface State {
  readonly open: Open | undefined
  readonly above: Open | undefined
  readonly opened: ReadonlySet<DialogName>
}

const gates = new Map<DialogName, (props: never) => boolean>()

/** The shell decides here whether a dialog may open (feature flags); a gate that says no has told the user why. */
export function gateDialog<N extends DialogName>(name: N, gate: (props: DialogProps[N]) => boolean): void {
  gates.set(name, gate)
}

const useStore = create<State>(() => ({ open: undefined, above: undefined, opened: new Set() }))
let turn = 0

export function openDialog<N extends DialogName>(name: N, ...[props]: {} extends DialogProps[N] ? [DialogProps[N]?] : [DialogProps[N]]): void {
  if (gates.get(name)?.((props ?? {}) as never) === false) return
  useStore.setState(({ opened }) => ({
    [ABOVE.has(name) ? 'above' : 'open']: { name, props: props ?? {}, turn: ++turn },
    opened: opened.has(name) ? opened : new Set([...opened, name]),
  }))
}

/** Closes the named dialog, or the uppermost. */
export function closeDialog(name?: DialogName): void {
  useStore.setState(({ open, above }) => {
    if (above && (!name || above.name === name)) return { above: undefined }
    return name && open?.name !== name ? {} : { open: undefined }
  })
}

/** What a host reads: its properties while open, else undefined. */
export function useDialog<N extends DialogName>(name: N): DialogProps[N] | undefined {
  return useStore((state) => [state.open, state.above].find((one) => one?.name === name)?.props as DialogProps[N] | undefined)
}

/**
 * For a sheet that opens by itself (its address, or code that arrives late): it waits while a dialog is open that was asked
 * for meanwhile, instead of taking focus from under somebody's hands. Once open it stays below what opens later.
 */
export function useOpenWhenFree(wanted: boolean): boolean {
  const isBusy = useStore((state) => state.open !== undefined || state.above !== undefined)
  const [was, setWas] = useState(false)
  const open = wanted && (was || !isBusy)
  if (open !== was) setWas(open)
  return open
}

/** Names that were opened at least once in this page: their hosts are mounted. */
export function useOpenedDialogs(): ReadonlySet<DialogName> {
  return useStore((state) => state.opened)
}

/** Called whenever a dialog opens, closes or gives way to another; the uppermost alone counts. */
export function onDialog(listener: (open: { readonly name: DialogName; readonly props: object } | undefined) => void): () => void {
  return useStore.subscribe(({ open, above }) => listener(above ?? open))
}

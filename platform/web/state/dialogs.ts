import { useState } from 'react'
import { create } from 'zustand'

/** A purchase with a known price: the user only chooses a payment method. */
export interface PurchaseRequest {
  readonly orderType: number
  /** Dollars, for display; the server uses its own price if the order type has one. */
  readonly amount: string
  readonly cardId?: string
  readonly service?: string
  /** The item in the page's words, if the order type is less specific: "ChatGPT Plus, 30 days". */
  readonly what?: string
}

/**
 * Dialogs that any page may open by name. A feature adds its own name and properties by declaration merging:
 *   declare module '#platform/web/state/dialogs.ts' { interface DialogProps { recharge: { amount?: string } } }
 * and registers the host in `apps/web/layout/root-layout.tsx` (one lazy line).
 */
export interface DialogPropsByName {
  /** `resumed`: reopened after a reload, with the input restored (resume-dialogs.ts). */
  auth: { mode?: 'login' | 'register' | 'reset'; redirect?: string; resumed?: boolean }
  recharge: { amount?: string; orderNo?: string; ask?: PurchaseRequest }
  /** Anonymous visitors must sign in first. `orderNo` prefills the report. */
  complaint: { orderNo?: string }
  palette: {}
  shortcuts: {}
  /** The user agreement, above any open dialog. `onConfirm` adds a footer, whose button is enabled at the end of the text. */
  protocol: { onConfirm?: () => void }
}
export type DialogName = keyof DialogPropsByName

interface Open {
  readonly name: DialogName
  readonly props: DialogPropsByName[DialogName]
  readonly turn: number
}

/** Dialogs that open above another one, which stays open with its input. */
const ABOVE: ReadonlySet<DialogName> = new Set(['protocol'])

/** `opened` stays true after closing so that a host is mounted once and can animate its way out. */
interface State {
  readonly open: Open | undefined
  readonly above: Open | undefined
  readonly opened: ReadonlySet<DialogName>
}

const gates = new Map<DialogName, (props: DialogPropsByName[DialogName]) => boolean>()

/** Registers a gate that decides whether a dialog may open (feature flags); a gate that refuses has shown the user why. */
export function gateDialog<N extends DialogName>(name: N, gate: (props: DialogPropsByName[N]) => boolean): void {
  gates.set(name, gate as (props: DialogPropsByName[DialogName]) => boolean)
}

const useStore = create<State>(() => ({ open: undefined, above: undefined, opened: new Set() }))
let turn = 0

export function openDialog<N extends DialogName>(
  name: N,
  ...[props]: {} extends DialogPropsByName[N] ? [DialogPropsByName[N]?] : [DialogPropsByName[N]]
): void {
  if (gates.get(name)?.((props ?? {}) as DialogPropsByName[N]) === false) return
  useStore.setState(({ opened }) => ({
    [ABOVE.has(name) ? 'above' : 'open']: { name, props: props ?? {}, turn: ++turn },
    opened: opened.has(name) ? opened : new Set([...opened, name]),
  }))
}

/** Closes the named dialog, or the topmost. */
export function closeDialog(name?: DialogName): void {
  useStore.setState(({ open, above }) => {
    if (above && (!name || above.name === name)) return { above: undefined }
    return name && open?.name !== name ? {} : { open: undefined }
  })
}

/** The dialog's properties while it is open, else undefined; for its host. */
export function useDialog<N extends DialogName>(name: N): DialogPropsByName[N] | undefined {
  return useStore((state) => [state.open, state.above].find((one) => one?.name === name)?.props as DialogPropsByName[N] | undefined)
}

/**
 * For a sheet that opens by itself (from its address, or because its code loaded late): waits while another dialog is open, so that it does not steal
 * the focus. Once open it stays below dialogs opened later.
 */
export function useOpenWhenFree(wanted: boolean): boolean {
  const isBusy = useStore((state) => state.open !== undefined || state.above !== undefined)
  const [was, setWas] = useState(false)
  const open = wanted && (was || !isBusy)
  if (open !== was) setWas(open)
  return open
}

/** Dialogs opened at least once in this page: their hosts are mounted. */
export function useOpenedDialogs(): ReadonlySet<DialogName> {
  return useStore((state) => state.opened)
}

/** Calls the listener when a dialog opens, closes or is replaced; passes the topmost one only. */
export function onDialog(listener: (open: { readonly name: DialogName; readonly props: object } | undefined) => void): () => void {
  return useStore.subscribe(({ open, above }) => listener(above ?? open))
}

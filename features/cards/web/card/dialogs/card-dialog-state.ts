import { create } from 'zustand'

export type CardDialog = 'recharge' | 'withdraw' | 'bind' | 'papers' | 'change' | 'close' | 'lost' | 'address'

interface State {
  /** `opened` keeps a dialog mounted, so that it can animate its way out. */
  readonly name: CardDialog | undefined
  readonly opened: ReadonlySet<CardDialog>
  readonly open: (name: CardDialog) => void
  readonly close: () => void
}

export const useCardDialog = create<State>((set) => ({
  name: undefined,
  opened: new Set(),
  open: (name) => set(({ opened }) => ({ name, opened: opened.has(name) ? opened : new Set([...opened, name]) })),
  close: () => set({ name: undefined }),
}))

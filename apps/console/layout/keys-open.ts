import { create } from 'zustand'

/** True while the overview of keyboard shortcuts is open. */
export const useKeysOpen = create<{ readonly isOpen: boolean }>(() => ({ isOpen: false }))
export const openKeys = () => useKeysOpen.setState({ isOpen: true })

import { create } from 'zustand'

/** True while the overview of keyboard shortcuts is open. */
export const useKeysDialog = create<{ readonly isOpen: boolean }>(() => ({ isOpen: false }))
export const openKeysDialog = () => useKeysDialog.setState({ isOpen: true })

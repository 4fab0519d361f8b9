import { create } from 'zustand'

/** Whether the list of all keys is shown. */
export const useKeysOpen = create<{ readonly isOpen: boolean }>(() => ({ isOpen: false }))
export const openKeys = () => useKeysOpen.setState({ isOpen: true })

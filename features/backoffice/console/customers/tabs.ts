export const TABS = ['ledger', 'orders', 'calls', 'keys', 'sessions', 'cards', 'notices', 'conversations', 'notes', 'invitations', 'audit'] as const
export type Tab = (typeof TABS)[number]

export const TABS = ['ledger', 'orders', 'calls', 'keys', 'sessions', 'cards', 'notices', 'conversations', 'invitations', 'audit'] as const
export type Tab = (typeof TABS)[number]

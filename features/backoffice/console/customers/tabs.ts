export const CUSTOMER_TABS = ['ledger', 'orders', 'calls', 'keys', 'sessions', 'cards', 'notices', 'conversations', 'notes', 'invitations', 'audit'] as const
export type CustomerTab = (typeof CUSTOMER_TABS)[number]

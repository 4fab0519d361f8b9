export const CUSTOMERS_LOT_TEXT = { purchased: 'lot_purchased', granted: 'lot_granted' } as const

export const CUSTOMERS_KIND_TEXT = { operator: 'kind_operator', all: 'kind_all', money: 'kind_money', account: 'kind_account' } as const

export const CUSTOMERS_TAB_TEXT = {
  keys: 'tab_keys',
  calls: 'tab_calls',
  cards: 'tab_cards',
  sessions: 'tab_sessions',
  invitations: 'tab_invitations',
  orders: 'tab_orders',
  notices: 'tab_notices',
  notes: 'tab_notes',
  ledger: 'tab_ledger',
  conversations: 'tab_conversations',
  audit: 'tab_audit',
  overview: 'tab_overview',
} as const

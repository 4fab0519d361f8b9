export const CARDS_STATE_TEXT = {
  requested: 'state_requested',
  opening: 'state_opening',
  failed: 'state_failed',
  active: 'state_active',
  frozen: 'state_frozen',
  closing: 'state_closing',
  closed: 'state_closed',
} as const

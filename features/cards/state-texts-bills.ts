export const CARDS_STATUS_TEXT = { success: 'status_success', processing: 'status_processing', fail: 'status_fail', reversed: 'status_reversed' } as const

export const CARDS_REASON_TEXT = {
  canceled: 'reason_canceled',
  duplicate: 'reason_duplicate',
  fraudulent: 'reason_fraudulent',
  not_received: 'reason_not_received',
  not_as_described: 'reason_not_as_described',
  other: 'reason_other',
} as const
